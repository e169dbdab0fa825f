// SPDX-License-Identifier: MIT

package import EncoderAPI

extension NativeOption {
    /// What a library said to one of its options.
    package enum Answer {
        case taken
        case unknown(status: Int32)
        case refusesValue(status: Int32)
    }

    /// The name as libraries look it up: without dashes before it, "-" for "_", without the prefix that negates.
    package var canonicalName: String {
        for prefix in ["no-", "no"] where plainName.hasPrefix(prefix) {
            return String(plainName.dropFirst(prefix.count))
        }
        return plainName
    }

    /// Whether libraries look up another name, and give it "false".
    var isNegated: Bool { plainName.hasPrefix("no") }

    private var plainName: String {
        let name = name.replacing("_", with: "-")
        return name.hasPrefix("--") ? String(name.dropFirst(2)) : name
    }

    /// Whether each number in the value fits into the 32 bits that libraries read it into: they calculate with
    /// infinities, and leave out what is above.
    private var hasReadableNumbers: Bool {
        let parts = (value ?? "").split { ":,".contains($0) }
        let range = Double(Int32.min)...Double(Int32.max)
        return parts.allSatisfy { part in Double(part.drop { $0 == " " }).map(range.contains) ?? true }
    }

    /// Sets options of a library, in order.
    ///
    /// - Parameters:
    ///   - options: By the library's names.
    ///   - reader: What the library says of values.
    ///   - refusal: Why an option may not even be given to the library; nil for those that may.
    ///   - set: Gives one to the library.
    /// - Throws: ``EncoderError`` that names the option, and its value where that is at fault; or what `set` throws.
    package static func set(
        _ options: [NativeOption], for reader: OptionReader, refusal: (NativeOption) -> String? = { _ in nil },
        _ set: (NativeOption) throws(EncoderError) -> Answer
    ) throws(EncoderError) {
        for option in options {
            let name = option.quotedName
            // A C library reads up to the first zero byte and would take "crf\0x" for "crf".
            guard !option.name.utf8.contains(0), option.value?.utf8.contains(0) != true else {
                throw EncoderError(.invalidValue, reason: "\(name) has a zero byte", setting: .nativeOptions)
            }
            if let reason = refusal(option) { throw option.refusal(reason) }
            if let expected = reader.fault(in: option) { throw option.refusal(expecting: expected) }
            // A form may have words that read as infinite.
            guard option.hasReadableNumbers || reader.hasForm(option) else {
                throw option.refusal(expecting: "finite numbers in \(Int32.min)...\(Int32.max)")
            }
            switch try set(option) {
            case .taken:
                if let expected = reader.looseFault(in: option) { throw option.refusal(expecting: expected) }
            case .unknown(let status):
                throw EncoderError(
                    .invalidValue, reason: "\(name) is unknown to \(reader.library)", setting: .nativeOptions,
                    status: Int(status))
            case .refusesValue(let status):
                throw option.refusal(expecting: reader.expectation(for: option), status: Int(status))
            }
        }
    }
}
