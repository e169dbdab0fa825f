// SPDX-License-Identifier: MIT

import Publishing

/// Takes what may be secret out of texts with addresses, whether these are right or not.
enum AddressHiding {
    /// The text with every address cut behind its host and port.
    ///
    /// User names, keys, passphrases and all that may be one go. What only begins like an address, as
    /// `rtmp:host/application/key`, is cut behind its scheme.
    static func hide(in text: String) -> String {
        var shown = ""
        var rest = text[...]
        while !rest.isEmpty {
            shown += rest.prefix(while: isEnd)
            rest = rest.drop(while: isEnd)
            let word = rest.prefix { !isEnd($0) }
            shown += hide(inWord: word)
            rest = rest.dropFirst(word.count)
        }
        return shown
    }

    /// Whether a text begins with the name of a scheme and a colon or two slashes, and not with both.
    static func isFaultyAddress(_ text: String) -> Bool {
        let name = text.prefix { $0.isLetter || $0.isNumber }
        let behind = text.dropFirst(name.count)
        return schemes.contains(name.lowercased()) && !behind.hasPrefix("://")
            && (behind.hasPrefix(":") || behind.hasPrefix("//"))
    }

    /// Schemes that people publish to, those that there are no outputs for too.
    private static let schemes: Set<String> = [
        "http", "https", "rist", "rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "rtp", "rtsp", "rtsps", "srt",
        "tcp", "tls", "udp",
    ]

    private static func hide(inWord word: Substring) -> String {
        guard let behind = begin(of: word) else { return String(word) }
        let (scheme, address) = (word[..<behind], word[behind...])
        guard scheme.hasSuffix("://") else {
            return address.allSatisfy(\.isPunctuation) ? String(word) : "\(scheme)…"
        }
        let place = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // A scheme alone, perhaps in a sentence.
        if place.allSatisfy(\.isPunctuation), place.count == address.count { return String(word) }
        let host = PublishAddress.shownPlace(place)
        // An address that was hidden before may begin a sentence.
        let end = word.hasSuffix("…:") ? ":" : ""
        return scheme + host + (place.count < address.count && !host.hasSuffix("…") ? "/…" : "") + end
    }

    /// Where the part behind the scheme of a word's first address begins.
    private static func begin(of word: Substring) -> Substring.Index? {
        var index = word.startIndex
        while index < word.endIndex {
            let name = word[index...].prefix { $0.isLetter || $0.isNumber }
            let behind = word[name.endIndex...]
            for mark in ["://", ":", "//"] where !name.isEmpty && behind.hasPrefix(mark) {
                if mark == "://" || schemes.contains(name.lowercased()) {
                    return behind.index(name.endIndex, offsetBy: mark.count)
                }
            }
            index = name.isEmpty ? word.index(after: index) : name.endIndex
        }
        return nil
    }

    /// Whether an address ends before a character: blanks and quotes cannot be part of one.
    private static func isEnd(_ character: Character) -> Bool {
        character.isWhitespace || character == "'" || character == "\"" || character == "<" || character == ">"
    }
}
