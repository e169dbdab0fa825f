// SPDX-License-Identifier: MIT

package import EncoderAPI

extension NativeOption {
    /// What a library said to one of its options.
    package enum Answer {
        case taken
        case unknown(status: Int32)
        case refusesValue(status: Int32)
    }

    /// The value as a message has it.
    package var quotedValue: String { value.map { "\"\($0)\"" } ?? "none" }

    /// Whether no part of the value is an infinity or not a number, which libraries calculate with.
    private var hasFiniteNumbers: Bool {
        let parts = (value ?? "").split { ":,".contains($0) }
        return parts.allSatisfy { part in Double(part.drop { $0 == " " })?.isFinite ?? true }
    }

    /// Sets options of a library, in order.
    ///
    /// - Parameters:
    ///   - options: By the library's names.
    ///   - library: What messages call it.
    ///   - refusal: Why an option may not even be given to the library; nil for those that may.
    ///   - set: Gives one to the library.
    /// - Throws: ``EncoderError`` that names the option, and its value where that is at fault; or what `set` throws.
    package static func set(
        _ options: [NativeOption], of library: String, refusal: (NativeOption) -> String? = { _ in nil },
        _ set: (NativeOption) throws(EncoderError) -> Answer
    ) throws(EncoderError) {
        for option in options {
            let name = option.quotedName
            // A C library reads up to the first zero byte and would take "crf\0x" for "crf".
            guard !option.name.utf8.contains(0), option.value?.utf8.contains(0) != true else {
                throw EncoderError(.invalidValue, reason: "\(name) has a zero byte", setting: .nativeOptions)
            }
            guard option.hasFiniteNumbers else {
                throw EncoderError(
                    .invalidValue,
                    reason: "\(name) cannot have the value \(option.quotedValue), expected finite numbers",
                    setting: .nativeOptions)
            }
            if let reason = refusal(option) { throw option.refusal(reason) }
            switch try set(option) {
            case .taken: break
            case .unknown(let status):
                throw EncoderError(
                    .invalidValue, reason: "\(name) is unknown to \(library)", setting: .nativeOptions,
                    status: Int(status))
            case .refusesValue(let status):
                throw EncoderError(
                    .invalidValue, reason: "\(name) cannot have the value \(option.quotedValue)",
                    setting: .nativeOptions, status: Int(status))
            }
        }
    }
}
