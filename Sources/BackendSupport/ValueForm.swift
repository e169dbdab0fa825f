// SPDX-License-Identifier: MIT

/// How the value of a native option is written that a library reads without looking at all of it, so that what is
/// wrong in it would be ignored.
package struct ValueForm: Sendable {
    /// The form as the end of a sentence.
    package let text: String
    private let hasForm: @Sendable (String) -> Bool

    private init(_ text: String, _ hasForm: @escaping @Sendable (String) -> Bool) {
        (self.text, self.hasForm) = (text, hasForm)
    }

    /// Whether a value is written so.
    package func allows(_ value: String) -> Bool { hasForm(value) }

    /// Values of any of these forms.
    package static func either(_ forms: ValueForm...) -> ValueForm {
        ValueForm(forms.map(\.text).joined(separator: ", or ")) { value in
            forms.contains { $0.allows(value) }
        }
    }

    /// One of some words.
    package static func word(_ words: String...) -> ValueForm {
        ValueForm(words.joined(separator: " or ")) { words.contains($0) }
    }

    /// Some words with commas between.
    ///
    /// - Parameters:
    ///   - words: Those that may stand.
    ///   - counts: How many words a value has.
    /// - Returns: The form.
    package static func words(_ words: [String], _ counts: ClosedRange<Int>) -> ValueForm {
        let number = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) or more"
        let end = counts.upperBound > 1 ? " with commas between" : ""
        return ValueForm("\(number) of \(words.joined(separator: ", "))\(end)") { value in
            let parts = value.split(separator: ",", omittingEmptySubsequences: false)
            return counts.contains(parts.count) && parts.allSatisfy { words.contains(String($0)) }
        }
    }

    /// Some whole numbers.
    ///
    /// - Parameters:
    ///   - counts: How many there are.
    ///   - range: What each may be.
    ///   - separators: What may stand between two of them.
    /// - Returns: The form.
    package static func numbers(
        _ counts: ClosedRange<Int>, in range: ClosedRange<Int>, between separators: Character...
    ) -> ValueForm {
        ValueForm("\(amount(counts)) in \(range)\(between(separators, counts))") { value in
            let parts = value.split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
            return counts.contains(parts.count)
                && parts.allSatisfy { part in Int(part).map(range.contains) ?? false }
        }
    }

    /// Some numbers, with fractions or without.
    package static func decimals(_ counts: ClosedRange<Int>, between separators: Character...) -> ValueForm {
        ValueForm("\(amount(counts)) with or without fractions\(between(separators, counts))") { value in
            let parts = value.split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
            return counts.contains(parts.count) && parts.allSatisfy { part in Double(part)?.isFinite ?? false }
        }
    }

    /// One number, with a fraction or without.
    package static func decimal(in range: ClosedRange<Double>) -> ValueForm {
        ValueForm("a number in \(range)") { value in Double(value).map(range.contains) ?? false }
    }

    /// The primaries, white point and luminance of a mastering display, as both libraries spell them.
    package static let masteringDisplay = ValueForm(
        "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) with whole numbers, x and y in 0...65535"
    ) { value in
        let names = ["G", "B", "R", "WP", "L"]
        let parts = value.split(separator: ")", omittingEmptySubsequences: false)
        guard parts.count == names.count + 1, parts.last == "" else { return false }
        return zip(names, parts).allSatisfy { name, part in
            guard part.hasPrefix("\(name)(") else { return false }
            let numbers = part.dropFirst(name.count + 1).split(separator: ",", omittingEmptySubsequences: false)
            let most = name == "L" ? Int(UInt32.max) : Int(UInt16.max)
            return numbers.count == 2 && numbers.allSatisfy { Int($0).map((0...most).contains) ?? false }
        }
    }

    private static func amount(_ counts: ClosedRange<Int>) -> String {
        let most = counts.upperBound
        if counts.count == 1 { return most == 1 ? "a number" : "\(most) numbers" }
        return "\(counts.lowerBound) or \(most) numbers"
    }

    private static func between(_ separators: [Character], _ counts: ClosedRange<Int>) -> String {
        guard counts.upperBound > 1 else { return "" }
        return " with \(separators.map { String($0) }.joined(separator: " or ")) between"
    }
}
