// SPDX-License-Identifier: MIT

extension Outline {
    /// The section as Markdown, as GitHub shows it.
    var markdown: String {
        blocks.compactMap { block in
            switch block {
            case .heading(let title): "## \(Markdown.escaped(title))\n"
            case .paragraph(let text): Markdown.escaped(text) + "\n"
            case .chart: nil
            case .table(let table, caption: _): Markdown.table(table)
            case .list(let items): items.map { "- \(Markdown.escaped($0.joined(separator: " ")))\n" }.joined()
            case .commands(let title, let commands):
                Markdown.escaped(title) + "\n\n```sh\n" + commands.map { $0 + "\n" }.joined() + "```\n"
            }
        }.joined(separator: "\n")
    }
}

/// Pieces of Markdown as text.
enum Markdown {
    /// A table, as GitHub's dialect has it.
    static func table(_ table: TextTable) -> String {
        let rule = table.columns.map { $0.isNumber ? "---:" : "---" }
        return ([table.columns.map { escaped($0.title) }, rule] + table.rows.map { $0.map(escaped) }).map { cells in
            "| " + cells.joined(separator: " | ") + " |\n"
        }.joined()
    }

    /// Text whose characters mean nothing to Markdown.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\`*_{}[]<>#|".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
