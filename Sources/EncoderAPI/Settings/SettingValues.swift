// SPDX-License-Identifier: MIT

/// The values that a setting may have: which are legal with an encoder, and how they are written.
struct SettingValues<Value: Sendable>: Sendable {
    /// What a text must look like, in words.
    var form: String
    /// The legal ones in words.
    var legal: @Sendable (EncoderCapabilities) -> String
    var isLegal: @Sendable (Value, EncoderCapabilities) -> Bool
    var text: @Sendable (Value) -> String
    /// The value that a text stands for; nil when there is none.
    var value: @Sendable (String) -> Value?

    /// These values, and nil, which asks for nothing and is written as an empty text.
    var optional: SettingValues<Value?> {
        SettingValues<Value?>(
            form: form, legal: legal,
            isLegal: { value, capabilities in value.map { isLegal($0, capabilities) } ?? true },
            text: { $0.map(text) ?? "" }, value: { $0.isEmpty ? .some(nil) : value($0).map(Optional.some) })
    }
}

// MARK: - Numbers

extension SettingValues where Value: Comparable & LosslessStringConvertible {
    /// Numbers in a range that the encoder may narrow; not-a-number is in none.
    static func numbers(_ form: String, in range: @escaping @Sendable (EncoderCapabilities) -> ClosedRange<Value>)
        -> Self
    {
        SettingValues(
            form: form, legal: { "\(range($0).lowerBound)...\(range($0).upperBound)" },
            isLegal: { range($1).contains($0) }, text: { $0.description }, value: { Value($0) })
    }

    /// Numbers in a range.
    static func numbers(_ form: String, in range: ClosedRange<Value>) -> Self where Value: Sendable {
        numbers(form) { _ in range }
    }
}

// MARK: - Words

extension SettingValues where Value == Bool {
    /// Yes or no.
    static let flag = SettingValues(
        form: "true or false", legal: { _ in "true or false" }, isLegal: { _, _ in true }, text: { $0.description },
        value: { Bool($0) })
}

extension SettingValues where Value == String {
    /// Names that the encoder's library knows, one, or several separated by commas.
    static func names(
        severally: Bool = false, _ known: @escaping @Sendable (EncoderCapabilities) -> [String]
    ) -> Self {
        SettingValues(
            form: "a name that the library knows",
            legal: { "one of \(known($0).joined(separator: ", "))" },
            isLegal: { value, capabilities in
                // An empty name, as in ",", is none that a library knows.
                let names = severally ? value.split(separator: ",", omittingEmptySubsequences: false) : [value[...]]
                return names.allSatisfy { known(capabilities).contains(String($0)) }
            }, text: { $0 }, value: { $0 })
    }
}

extension SettingValues where Value: CaseIterable & RawRepresentable<String> {
    /// The cases of an enumeration by their names.
    static var cases: Self {
        let names = Value.allCases.map(\.rawValue).joined(separator: " or ")
        return SettingValues(
            form: names, legal: { _ in names }, isLegal: { _, _ in true }, text: { $0.rawValue },
            value: { Value(rawValue: $0) })
    }
}

// MARK: - Values of more than one part

extension SettingValues {
    /// Values of one part each, separated by a character.
    func list(separator: Character) -> SettingValues<[Value]> {
        SettingValues<[Value]>(
            form: "\(form), several separated by '\(separator)'", legal: legal,
            isLegal: { values, capabilities in values.allSatisfy { isLegal($0, capabilities) } },
            text: { $0.map(text).joined(separator: String(separator)) },
            value: { list in
                guard !list.isEmpty else { return [] }
                let values = list.split(separator: separator, omittingEmptySubsequences: false).map {
                    value(String($0))
                }
                return values.contains { $0 == nil } ? nil : values.compactMap { $0 }
            })
    }
}
