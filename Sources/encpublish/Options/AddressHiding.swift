// SPDX-License-Identifier: MIT

/// Takes what may be secret out of texts with addresses, whether these are right or not.
enum AddressHiding {
    /// The text with every address cut behind its host: user names, keys, passphrases and all that may be one go.
    static func hide(in text: String) -> String {
        var shown = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "://") {
            let scheme = rest[..<mark.lowerBound].reversed().prefix { $0.isLetter || $0.isNumber }.count
            let isAddress = scheme > 0
            shown += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...]
            guard isAddress else { continue }
            let address = rest.prefix { !isEnd($0) }
            rest = rest.dropFirst(address.count)
            let place = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
            shown += host + (place.count < address.count ? "/…" : "")
        }
        return shown + rest
    }

    /// Whether an address ends before a character: blanks and quotes cannot be part of one.
    private static func isEnd(_ character: Character) -> Bool {
        character.isWhitespace || character == "'" || character == "\"" || character == "<" || character == ">"
    }
}
