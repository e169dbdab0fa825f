// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc

/// A report for people, whose lines are folded where it is shown in a terminal.
protocol TextReport {
    /// The report as lines.
    ///
    /// - Parameter width: Characters in a line, for tables and commands; nil folds nothing.
    /// - Returns: The lines; those of sentences may be longer.
    func text(width: Int?) -> String
}

extension TextReport {
    /// The report as a file or a pipe gets it.
    var text: String { text(width: nil) }

    /// Writes the report to standard output, folded where that is a terminal.
    func show() throws {
        let width = Terminal.width(of: STDOUT_FILENO)
        try WholeFile.writeInPlace(Array(TextFold.prose(text(width: width), width: width).utf8), to: "-")
    }
}
