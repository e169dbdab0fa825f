// SPDX-License-Identifier: MIT

import CommandOptions

/// An output, and which encoding of the input goes to it.
struct PlannedOutput: Equatable, Sendable {
    /// The name of the encoding; nil for the one that the options without a name make, or a copy.
    var encoding: String?
    /// Where it goes.
    var place: OutputChoice

    /// Joins a place to an encoding.
    init(_ place: OutputChoice, encoding: String? = nil) {
        self.place = place
        self.encoding = encoding
    }

    /// Reads an output, perhaps behind the name of an encoding and an equals sign: `small=out.mp4`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - names: Names of encodings. Another name before an equals sign is refused; a path that begins so is given
    ///     with its folder, `./name=out.mp4`.
    ///   - isSecret: Whether an error shows nothing of a text that is no address.
    /// - Throws: ``OptionError``, which shows nothing of an address behind its host.
    init(_ text: String, encodings names: Set<String>, isSecret: Bool = false) throws(OptionError) {
        let (encoding, rest) = Self.parts(text, encodings: names)
        guard encoding == nil, let mark = text.firstIndex(of: "="), NamedEncoding.isName(text[..<mark]) else {
            self.init(try OutputChoice(rest, isSecret: isSecret), encoding: encoding)
            return
        }
        throw OptionError(
            .unknownName,
            "'\(isSecret ? "…" : text[..<mark])' before '=', expected the name of an --encoding"
                + (names.isEmpty ? "" : ": " + names.sorted().joined(separator: ", ")) + "; a file's path as ./NAME=..."
        )
    }

    /// The name of an encoding before an equals sign, if it is one of these, and the rest.
    static func parts(_ text: String, encodings names: Set<String>) -> (encoding: String?, rest: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, names.contains(parts[0]) else { return (nil, text) }
        return (parts[0], parts[1])
    }

    /// The output of an encoding; nil changes nothing.
    ///
    /// - Throws: ``OptionError`` where the output names another one already.
    func named(_ name: String?) throws(OptionError) -> PlannedOutput {
        guard let name else { return self }
        guard encoding == nil || encoding == name else {
            throw OptionError(.conflicting, "\(self) is one of \(name) too; name one encoding")
        }
        return PlannedOutput(place, encoding: name)
    }
}

extension PlannedOutput: CustomStringConvertible {
    /// As it is given, but for secrets.
    var description: String { (encoding.map { $0 + "=" } ?? "") + "\(place)" }
}
