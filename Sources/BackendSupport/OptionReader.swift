// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What a library says of the values of its options, asked without an encoder.
package struct OptionReader {
    /// What messages call the library.
    package let library: String
    /// Whether the library takes an option, in parameters of its own defaults.
    package let accepts: (NativeOption) -> Bool
    /// The form of values that the library does not read to their end, by the option's canonical name.
    package let form: (String) -> ValueForm?
    /// Words that any of its options may have as values.
    package let words: [String]

    package init(
        library: String, words: [String], form: @escaping (String) -> ValueForm?,
        accepts: @escaping (NativeOption) -> Bool
    ) {
        (self.library, self.form, self.accepts) = (library, form, accepts)
        var seen: Set<String> = []
        self.words = words.filter { seen.insert($0).inserted }
    }

    /// Why a value may not be given to the library; nil where it may.
    func fault(in option: NativeOption) -> String? {
        let value = option.isNegated ? "false" : option.value
        guard let value, let form = form(option.canonicalName), !form.allows(value) else { return nil }
        return form.text
    }

    /// Whether a value is written in a form that is known.
    func hasForm(_ option: NativeOption) -> Bool {
        guard let value = option.value else { return false }
        return form(option.canonicalName)?.allows(value) == true
    }

    /// What the value of an option should be that the library does not read to its end, though nobody knows its form.
    func looseFault(in option: NativeOption) -> String? {
        guard let value = option.value, form(option.canonicalName) == nil else { return nil }
        guard accepts(NativeOption(option.name, value + "~")) else { return nil }
        return accepts(NativeOption(option.name)) ? "none" : "nothing, as \(library) reads anything"
    }

    /// What an option would take in place of a value that the library refuses, found by trying; nil for nothing found.
    func expectation(for option: NativeOption) -> String? {
        if let form = form(option.canonicalName) { return form.text }
        func takes(_ value: String) -> Bool { accepts(NativeOption(option.name, value)) }
        var kinds = words.filter(takes)
        if ["7", "3", "5"].contains(where: takes) {
            kinds.append(takes("0.3") || takes("1.7") ? "a number" : "a whole number")
        } else if kinds.isEmpty, takes("true"), takes("false") {
            kinds = ["true", "false"]
        }
        guard let last = kinds.popLast() else { return nil }
        return kinds.isEmpty ? last : "\(kinds.joined(separator: ", ")) or \(last)"
    }
}

extension OptionReader {
    /// The texts of an array in a C header, which Swift has as a tuple of pointers; without those that stand for
    /// nothing.
    package static func words<Names>(of names: Names) -> [String] {
        withUnsafeBytes(of: names) { bytes in
            bytes.bindMemory(to: UnsafePointer<CChar>?.self).compactMap { $0.map { String(cString: $0) } }
        }.filter { !["", "reserved"].contains($0) }
    }
}
