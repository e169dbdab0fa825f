// SPDX-License-Identifier: MIT

import CommandOptions
package import Logging

/// A line that a process of its own wrote to standard error.
///
/// This process logs such lines in that one's place: each encode has a process, and all of them would say the same.
package struct ProcessMessage: Equatable, Sendable {
    package var level: Logger.Level
    package var text: String

    /// The lines of a log, "encbench: warning: ..."; others, which libraries wrote, count as warnings.
    ///
    /// - Parameters:
    ///   - text: All that was written.
    ///   - program: What the lines of the log begin with.
    /// - Returns: A message for each line.
    package static func lines(_ text: String, of program: String) -> [ProcessMessage] {
        text.split(whereSeparator: \.isNewline).map { line in
            let words = line.split(separator: ": ", maxSplits: 2)
            guard words.count == 3, words[0] == program, let level = Logger.Level(rawValue: String(words[1])) else {
                return ProcessMessage(level: .warning, text: String(line))
            }
            return ProcessMessage(level: level, text: String(words[2]))
        }
    }
}

extension Logger {
    /// Logs what a process of its own wrote to standard error; at most 64 KiB of it.
    func repeatMessages(in file: UnnamedFile) {
        for line in ProcessMessage.lines(SmallFile.text(file.path) ?? "", of: label) {
            log(level: line.level, "\(line.text)")
        }
    }
}
