// SPDX-License-Identifier: MIT

/// Folds lines that are longer than a terminal is wide.
package enum TextFold {
    /// Sentences and lists, line by line; lines that fit stay as they are.
    ///
    /// What follows a fold stands two characters further right than its line, or below what a label's blanks lead to.
    /// Units stay with their numbers. A word that is longer than the terminal is wide, such as a path, stays whole.
    ///
    /// - Parameters:
    ///   - text: Lines.
    ///   - width: Characters in a line; nil folds nothing.
    /// - Returns: The folded lines.
    package static func prose(_ text: String, width: Int?) -> String {
        guard let width else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // A command is folded already as far as it can be.
            line.count <= width || line.hasSuffix(" \\") ? String(line) : fold(String(line), width: width)
        }.joined(separator: "\n")
    }

    private static func fold(_ line: String, width: Int) -> String {
        let indent = String(line.prefix { $0 == " " })
        let label = label(of: line)
        let isLabelled = label.count > indent.count && label.count <= width / 2
        let (opening, hang) = isLabelled ? (label, label.count) : (indent, indent.count + 2)
        return fill(words(line.dropFirst(opening.count)), opening: opening, hang: hang, width: width)
    }

    /// What stands before a line's words, and the column that two or more blanks set off: "  presets       ".
    private static func label(of line: String) -> String {
        let start = line.prefix { $0 == " " }
        guard let blanks = line.dropFirst(start.count).firstRange(of: "  ") else { return String(start) }
        let end = line[blanks.lowerBound...].firstIndex { $0 != " " } ?? line.endIndex
        return String(line[..<end])
    }

    /// Words with the units, and groups of digits, that belong to them.
    private static func words(_ text: Substring) -> [String] {
        var words: [String] = []
        for word in text.split(separator: " ") {
            let unit = word.prefix { $0.isLetter || $0 == "%" || $0 == "/" }
            let isGroup = word.prefix { $0.isNumber }.count == 3
            if let last = words.last?.last, last.isNumber, isGroup || units.contains(String(unit)) {
                words[words.count - 1] += " " + word
            } else {
                words.append(String(word))
            }
        }
        return words
    }

    private static let units: Set = ["%", "dB", "s", "ms", "MiB", "bit/s", "kbit/s", "Mbit/s"]

    private static func fill(
        _ words: [String], opening: String, hang: Int, width: Int, continuation: String = ""
    ) -> String {
        var lines: [String] = []
        var line = opening
        var isFresh = true
        for (place, word) in words.enumerated() {
            let isLast = place == words.count - 1
            let room = width - (isLast ? 0 : continuation.count)
            if !isFresh, line.count + 1 + word.count > room {
                lines.append(line + continuation)
                line = String(repeating: " ", count: hang)
                isFresh = true
            }
            line += (isFresh ? "" : " ") + word
            isFresh = false
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// A command to be copied: where it is folded, lines end so that the shell reads on.
    ///
    /// - Parameters:
    ///   - command: Words of a shell, as a line without indentation.
    ///   - indent: Blanks before it.
    ///   - width: Characters in a line; nil folds nothing.
    /// - Returns: The command, as lines without the last one's end.
    package static func command(_ command: String, indent: Int = 2, width: Int?) -> String {
        let opening = String(repeating: " ", count: indent)
        guard let width, indent + command.count > width else { return opening + command }
        var words: [String] = []
        var isQuoted = false
        for word in command.split(separator: " ", omittingEmptySubsequences: false) {
            if isQuoted { words[words.count - 1] += " " + word } else { words.append(String(word)) }
            if word.count(where: { $0 == "'" }) % 2 == 1 { isQuoted.toggle() }
        }
        // An option stays with its value.
        var parts: [String] = []
        for (place, word) in words.enumerated() {
            if place > 1, !word.hasPrefix("-"), parts[parts.count - 1].hasPrefix("--"),
                !parts[parts.count - 1].contains(" "), parts[parts.count - 1].count + word.count < width / 2
            {
                parts[parts.count - 1] += " " + word
            } else {
                parts.append(word)
            }
        }
        return fill(parts, opening: opening, hang: indent + 4, width: width, continuation: " \\")
    }
}
