// SPDX-License-Identifier: MIT

/// A report for people, as lines that a terminal may fold.
package protocol TextReport {
    /// The report as lines.
    ///
    /// - Parameter width: Characters in a line, for tables and commands; nil folds nothing.
    /// - Returns: The lines; those of sentences may be longer.
    func text(width: Int?) -> String
}

extension TextReport {
    /// The report as a file or a pipe gets it.
    package var text: String { text(width: nil) }
}
