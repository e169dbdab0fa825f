// SPDX-License-Identifier: MIT

/// Rows of text in aligned columns: words to the left, numbers to the right.
struct TextTable {
    /// What a column is called and how it is aligned.
    struct Column: Equatable, Sendable {
        var title: String
        var isNumber: Bool
        /// Characters that it has room for whatever its cells are.
        var minimumWidth = 0

        /// Characters that it has room for where no cell is wider.
        var width: Int { max(title.count, minimumWidth) }

        /// A column of words, aligned to the left.
        static func words(_ title: String, minimumWidth: Int = 0) -> Column {
            Column(title: title, isNumber: false, minimumWidth: minimumWidth)
        }
        /// A column of numbers, aligned to the right.
        static func number(_ title: String, minimumWidth: Int = 0) -> Column {
            Column(title: title, isNumber: true, minimumWidth: minimumWidth)
        }
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with one cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "\(cells.count) cells for \(columns.count) columns")
        rows.append(cells)
    }

    /// The table as lines, each ended by a newline, without trailing blanks.
    var text: String {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { index in
            max(columns[index].width, rows.map { $0[index].count }.max() ?? 0)
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([titles, rule] + rows).map { Self.line($0, columns: columns, widths: widths) }.joined()
    }

    /// One line with a cell for each column; a cell that is too wide moves those after it.
    static func line(_ cells: [String], columns: [Column], widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let blanks = String(repeating: " ", count: max(0, widths[index] - cell.count))
            if index > 0 { line += "  " }
            line += columns[index].isNumber ? blanks + cell : cell + blanks
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
