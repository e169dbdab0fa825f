// SPDX-License-Identifier: MIT

extension OptionParsing {
    /// Items separated by commas, no two of which have one value, as `200k` and `200000` have.
    package static func distinctList<Item: Hashable>(
        _ text: String, of item: (String) throws(OptionError) -> Item
    ) throws(OptionError) -> [Item] {
        let items = try list(text) { part throws(OptionError) in (text: part, value: try item(part)) }
        try refuseRepeated(items)
        return items.map(\.value)
    }

    /// Refuses items of which two have one value.
    ///
    /// - Parameters:
    ///   - items: Each as the command line has it, and what it stands for.
    ///   - option: The option that lists them; nil where the parser names it.
    /// - Throws: ``OptionError`` that names both items.
    package static func refuseRepeated<Item: Hashable>(
        _ items: [(text: String, value: Item)], of option: String? = nil
    ) throws(OptionError) {
        var texts: [Item: String] = [:]
        for item in items {
            guard let other = texts.updateValue(item.text, forKey: item.value) else { continue }
            let reason =
                other == item.text ? "'\(other)' is listed twice" : "'\(other)' and '\(item.text)' are the same"
            throw OptionError(.repeated, (option.map { $0 + ": " } ?? "") + reason)
        }
    }
}
