// SPDX-License-Identifier: MIT

/// What an address has that nobody may read, and how it is taken out of texts of others, such as a server's words.
///
/// User name, password, each part of a path and each value of a query are secrets by themselves. A secret is found in
/// small and capital letters, and with any of its characters written as `%` and two digits, or `+` for a blank. One of
/// four or more bytes is found anywhere, also inside of words, and where a text ends in the midst of it; one of two or
/// three as a word of its own only, and one of a single byte never: messages could not be read without these.
struct AddressSecrets: Sendable, Hashable {
    private struct Secret: Sendable, Hashable {
        /// Without escapes, ASCII letters small.
        var bytes: [UInt8]
        /// Whether its first half alone tells something.
        var isPart: Bool
    }

    /// Bytes from which on a secret is found inside of words.
    private static let shortestInWords = 4
    /// Bytes from which on a secret is found at all.
    private static let shortest = 2

    /// Words that say what a stream is wanted for, in the stream ids of SRT servers.
    private static let harmless: Set<String> = [
        "auth", "bidirectional", "file", "live", "play", "publish", "read", "request", "stream",
    ]

    /// The longest first: a part of it may be one of the others.
    private let secrets: [Secret]

    /// Finds the secrets of an address.
    ///
    /// - Parameters:
    ///   - user: What stands before the host's `@`: a name, perhaps with a colon and a password.
    ///   - beyond: What stands behind host and port.
    ///   - visible: What of `beyond` may be shown.
    init(user: Substring?, beyond: Substring, visible: String) {
        let shown = Set(visible.split { "/?&#=".contains($0) })
        var parts: Set<String> = []
        if let user {
            let halves = user.split(separator: ":", maxSplits: 1)
            parts.formUnion((halves + [user]).filter { !shown.contains($0) }.map(String.init))
        }
        for text in [String(beyond), Self.unescaped(String(beyond))] {
            let pieces = text.split { "/?&#;,".contains($0) }
            let values = pieces.compactMap { piece in piece.firstIndex(of: "=").map { piece[$0...].dropFirst() } }
            // Stream ids of SRT may be of the form publish:NAME:USER:PASSWORD.
            let words = (pieces + values).flatMap { $0.split(separator: ":") }
            parts.formUnion(
                (pieces + values + words).map(String.init).filter {
                    !visible.contains($0) && !Self.harmless.contains($0.lowercased())
                })
        }
        let tails = beyond.indices.filter { "/?&".contains(beyond[$0]) }.map { String(beyond[$0...].dropFirst()) }
        self.init(parts: parts, wholes: tails.filter { !visible.contains($0) })
    }

    private init(parts: Set<String>, wholes: [String]) {
        let secrets =
            parts.flatMap(Self.readings).map { Secret(bytes: $0, isPart: true) }
            + wholes.flatMap(Self.readings).map { Secret(bytes: $0, isPart: false) }
        self.secrets = Set(secrets.filter { $0.bytes.count >= Self.shortest }).sorted {
            ($0.bytes.count, $0.isPart ? 1 : 0) > ($1.bytes.count, $1.isPart ? 1 : 0)
        }
    }

    /// The bytes that a text may stand for.
    private static func readings(_ text: String) -> [[UInt8]] {
        [text, unescaped(text), unescaped(text.replacing("+", with: " "))].map { $0.utf8.map(folded) }
    }

    /// A text in which `%` and two hexadecimal digits stand for a byte.
    static func unescaped(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var (read, index): ([UInt8], Int) = ([], 0)
        while index < bytes.count {
            let escape = escaped(bytes, at: index)
            read.append(escape ?? bytes[index])
            index += escape == nil ? 1 : 3
        }
        return String(decoding: read, as: UTF8.self)
    }

    /// The byte that `%` and two digits stand for.
    private static func escaped(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count else { return nil }
        let digits = bytes[index + 1...index + 2]
        guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension AddressSecrets {
    /// A line of somebody else with "…" for each secret.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - passphrase: One more secret; nil for none.
    /// - Returns: The line without them.
    func hidden(in line: String, and passphrase: String? = nil) -> String {
        if let passphrase {
            let own = AddressSecrets(parts: [passphrase], wholes: [])
            return own.hidden(in: hidden(in: line))
        }
        let bytes = Array(line.utf8)
        var (shown, index): ([UInt8], Int) = ([], 0)
        while index < bytes.count {
            if let end = secrets.lazy.compactMap({ Self.end(of: $0, in: bytes, from: index) }).first {
                shown += Array("…".utf8)
                index = end
            } else {
                shown.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Where a secret that begins at a place of a text ends; nil where it does not begin there.
    private static func end(of secret: Secret, in text: [UInt8], from start: Int) -> Int? {
        var index = start
        for (count, byte) in secret.bytes.enumerated() {
            let isHalf = secret.isPart && count >= shortestInWords
            // Libraries cut long messages.
            guard index < text.count else { return isHalf ? index : nil }
            if let escape = escaped(text, at: index), folded(escape) == byte {
                index += 3
            } else if folded(text[index]) == byte || text[index] == UInt8(ascii: "+") && byte == UInt8(ascii: " ") {
                index += 1
            } else {
                let isCutEscape = text[index] == UInt8(ascii: "%") && index + 2 >= text.count
                return isHalf && isCutEscape ? text.count : nil
            }
        }
        guard secret.bytes.count < shortestInWords else { return index }
        let isWord = (start == 0 || !isOfWord(text[start - 1])) && (index == text.count || !isOfWord(text[index]))
        return isWord ? index : nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(folded(byte)) || byte >= 0x80
    }
}
