// SPDX-License-Identifier: MIT

import CommandOptions

extension Outline {
    /// The section for a terminal or a file of text.
    ///
    /// - Parameter width: Characters in a line, for tables; nil for as many as they take. Sentences are not folded.
    /// - Returns: Lines, each ended by a newline; blocks have an empty line between them.
    func text(width: Int?) -> String {
        blocks.compactMap { block in
            switch block {
            case .heading(let title): title + "\n"
            case .paragraph(let text): text + "\n"
            case .chart: nil
            case .table(let table, caption: _): table.text(width: width)
            case .list(let items): items.map { $0.joined(separator: "\n  ") + "\n" }.joined()
            case .commands(let title, let commands):
                title + "\n" + commands.map { TextFold.command($0, width: width) + "\n" }.joined()
            }
        }.joined(separator: "\n")
    }
}
