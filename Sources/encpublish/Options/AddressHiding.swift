// SPDX-License-Identifier: MIT

import MediaIO
import Publishing

/// Takes what may be secret out of texts with addresses, whether these are right or not.
///
/// Where a whole value is known, such as an argument, all of it behind scheme and host is hidden, whatever characters
/// it has; in other texts an address ends before a blank or a quote.
enum AddressHiding {
    /// A value that is an address, or should be one, without what may be secret; nil for any other value.
    ///
    /// Names before it stay, as in `--to=`, of an encoding or of a container.
    static func shown(value text: String) -> String? {
        let names = leadingNames(text)
        let rest = text.dropFirst(names.count)
        guard let end = rest.firstRange(of: "://") else {
            return isFaulty(rest) ? names + begin(ofFaulty: rest) + "…" : nil
        }
        let scheme = rest[..<end.lowerBound]
        guard !scheme.isEmpty, scheme.allSatisfy(isOfName) else { return names + begin(ofFaulty: rest) + "…" }
        let address = rest[end.upperBound...]
        // A scheme alone.
        guard !address.isEmpty else { return text }
        return "\(names)\(scheme)://\(shownBegin(of: address, address.prefix { !isEndOfPlace($0) }))"
    }

    /// A text with all that ``shown(value:)`` hides of values in it, every other address cut behind host and port, and
    /// without the words that ``SplitAddress`` finds.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - arguments: Arguments of the program, which may stand in the text as they are or without an option's name.
    /// - Returns: The text, with "…" where something is hidden.
    static func hide(in text: String, arguments: [String]) -> String {
        let values =
            arguments
            + arguments.compactMap { argument in
                argument.hasPrefix("-") ? argument.firstIndex(of: "=").map { String(argument[$0...].dropFirst()) } : nil
            }
        let hidden = values.sorted { $0.count > $1.count }.reduce(text) { text, value in
            guard let shown = shown(value: value) else { return text }
            return text.replacing(value, with: shown).replacing(value.shown, with: shown)
        }
        return SplitAddress(arguments).hidden(in: hide(in: hidden))
    }

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

    /// Whether a text begins with the name of a scheme and what is meant for a colon and two slashes, but is not.
    static func isFaultyAddress(_ text: String) -> Bool { isFaulty(text[...]) }

    private static func isFaulty(_ text: Substring) -> Bool {
        guard schemes.contains(text.prefix(while: isOfName).lowercased()), !text.contains("://") else { return false }
        let mark = text.drop(while: isOfName).prefix { !isOfName($0) }
        return mark.contains(":") || mark.contains("//")
    }

    /// What may be shown of an address that has no scheme, or not as it should be: a known scheme and the marks behind.
    private static func begin(ofFaulty text: Substring) -> String {
        let name = text.prefix(while: isOfName)
        guard name.isEmpty || schemes.contains(name.lowercased()) else { return "" }
        return "\(name)\(text.dropFirst(name.count).prefix { !isOfName($0) && $0 != "@" })"
    }

    /// The names before an address: of an option or an encoding before an equals sign, of a container before a colon.
    private static func leadingNames(_ text: String) -> Substring {
        var rest = text[...]
        while true {
            let name = rest.prefix { isOfName($0) || $0 == "-" || $0 == "_" }
            let behind = rest.dropFirst(name.count)
            let isContainer = behind.first == ":" && OutputChoice.containers.contains { $0.name == name }
            guard !name.isEmpty, behind.first == "=" || isContainer else { return text[..<rest.startIndex] }
            rest = behind.dropFirst()
        }
    }

    private static func isOfName(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private static func isEndOfPlace(_ character: Character) -> Bool {
        character == "/" || character == "?" || character == "#"
    }

    /// Schemes that people publish to, those that there are no outputs for too.
    private static let schemes: Set<String> = [
        "http", "https", "rist", "rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "rtp", "rtsp", "rtsps", "srt",
        "tcp", "tls", "udp", "ws", "wss",
    ]

    private static func hide(inWord whole: Substring) -> String {
        // An address may begin a sentence, or end one.
        let word = whole.lastIndex { !":,;.".contains($0) }.map { whole[...$0] } ?? whole.prefix(0)
        let end = whole[word.endIndex...]
        guard let behind = begin(of: word) else { return String(whole) }
        let (scheme, address) = (word[..<behind], word[behind...])
        guard scheme.hasSuffix("://") else {
            return address.allSatisfy(\.isPunctuation) ? String(whole) : "\(scheme)…\(end)"
        }
        let place = address.prefix { !isEndOfPlace($0) }
        // A scheme alone, perhaps in a sentence.
        if place.allSatisfy(\.isPunctuation), place.count == address.count { return String(whole) }
        return "\(scheme)\(shownBegin(of: address, place))\(end)"
    }

    /// What may be shown of an address behind its scheme.
    private static func shownBegin(of address: Substring, _ place: Substring) -> String {
        let beyond = address[place.endIndex...]
        // What stands before an @ may be a user's name, whatever comes between.
        let host = beyond.contains("@") ? "…" : PublishAddress.shownPlace(place)
        return host + (beyond.isEmpty || host.hasSuffix("…") ? "" : "/…")
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
