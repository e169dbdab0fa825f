// SPDX-License-Identifier: MIT

package import EncoderAPI

// What is said of native options.
extension NativeOption {
    /// The name as messages have it.
    var quotedName: String { "native option \"\(name)\"" }

    /// The value as a message has it.
    package var quotedValue: String { value.map { "\"\($0)\"" } ?? "none" }

    /// As the row of native options writes it.
    var text: String { value.map { "\(name)=\($0)" } ?? name }

    private var quotedText: String { quotedName + (value.map { " with \"\($0)\"" } ?? "") }

    /// The error of an option that cannot be had.
    package func refusal(_ reason: String) -> EncoderError {
        EncoderError(.unsupported, reason: "\(quotedName) is refused: \(reason)", setting: .nativeOptions)
    }

    /// The error of a value that the library cannot use; with what it could use instead, where that is known.
    package func refusal(expecting expected: String?, status: Int? = nil) -> EncoderError {
        EncoderError(
            .invalidValue,
            reason: "\(quotedName) cannot have the value \(quotedValue)" + (expected.map { ", expected \($0)" } ?? ""),
            setting: .nativeOptions, status: status)
    }

    /// The error of an option that would change what a setting decides.
    ///
    /// - Parameters:
    ///   - setting: One that has a row.
    ///   - settings: Those in force.
    ///   - reason: Why the two contradict each other, where the names alone do not tell.
    /// - Returns: One that names both.
    package func refusal(
        contradicting setting: Setting, _ settings: ResolvedSettings, because reason: String? = nil
    ) -> EncoderError {
        guard let asked = setting.asked(in: settings) else { return refusal("use \(setting)") }
        return EncoderError(
            .conflictingSettings,
            reason: "\(quotedText) contradicts \(setting) \(asked)" + (reason.map { ": \($0)" } ?? ""),
            setting: .nativeOptions)
    }

    /// The error of an option that parameters cannot have as they are.
    ///
    /// - Parameters:
    ///   - other: An option that contradicts it; nil where none does.
    ///   - reason: Why, as the end of a sentence.
    /// - Returns: One that names both, or the value where there is no other.
    package func refusal(besides other: NativeOption?, because reason: String) -> EncoderError {
        if let other {
            return EncoderError(
                .conflictingSettings, reason: "\(quotedText) contradicts \(other.quotedText): \(reason)",
                setting: .nativeOptions)
        }
        return EncoderError(
            .invalidValue, reason: "\(quotedName) cannot have the value \(quotedValue): \(reason)",
            setting: .nativeOptions)
    }

    /// The error of an option with which the library does not open because of another.
    ///
    /// - Parameters:
    ///   - other: The other option; nil where there is more than one.
    ///   - library: What messages call it.
    /// - Returns: One that names both.
    func refusal(contradicting other: NativeOption?, _ library: String) -> EncoderError {
        let others = other.map(\.quotedText) ?? "the native options before it"
        return EncoderError(
            .conflictingSettings,
            reason: "\(quotedText) contradicts \(others): \(library) takes each without the other",
            setting: .nativeOptions)
    }
}
