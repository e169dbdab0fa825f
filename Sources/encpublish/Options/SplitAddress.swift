// SPDX-License-Identifier: MIT

import ArgumentParser
import MediaIO

/// The words that a shell split off from an address, as from `srt://HOST:PORT?passphrase=two words` without quotes.
///
/// Each word behind an address may be one, up to the next option that the program has. A file's name is none.
struct SplitAddress {
    private let words: Set<String>

    /// Finds the words in the arguments of the program.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - options: The names of the program's options, with their hyphens.
    ///   - isFile: Whether a file has a name.
    init(
        _ arguments: [String], options: Set<String> = Encpublish.optionNames,
        isFile: (String) -> Bool = { FilePlace.Identity($0) != nil }
    ) {
        var words: Set<String> = []
        var isBehindAddress = false
        for argument in arguments {
            let name = String(argument.prefix { $0 != "=" })
            if AddressHiding.shown(value: argument) != nil {
                isBehindAddress = true
            } else if options.contains(name) {
                isBehindAddress = false
            } else if isBehindAddress, !isFile(argument) {
                // Of an option that is unknown, the parser tells the name alone.
                words.formUnion([argument, name])
            }
        }
        self.words = words.subtracting([""])
    }

    /// A text with "…" for each of the words that stands in it by itself.
    func hidden(in text: String) -> String {
        words.sorted { ($0.count, $0) > ($1.count, $1) }.reduce(text) { hide($1, in: $0) }
    }

    private func hide(_ word: String, in text: String) -> String {
        var (shown, rest) = ("", text[...])
        while let place = rest.firstRange(of: word) {
            let before = place.lowerBound == text.startIndex ? nil : text[text.index(before: place.lowerBound)]
            let behind = text[place.upperBound...].first
            let isWhole = !isOfWord(before) && !isOfWord(behind)
            shown += rest[..<place.lowerBound] + (isWhole ? "…" : word)
            rest = rest[place.upperBound...]
        }
        return shown + rest
    }

    private func isOfWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
}

extension Encpublish {
    /// The names of all options, as its help has them.
    static let optionNames: Set<String> = {
        let words = helpMessage().split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
        return Set(words.filter { $0.hasPrefix("-") && $0.contains(where: \.isLetter) })
    }()
}
