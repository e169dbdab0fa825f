// SPDX-License-Identifier: MIT

/// Rows of text in aligned columns: words to the left, numbers to the right.
package struct TextTable: Equatable, Sendable {
    /// What a column is called and how it is aligned.
    package struct Column: Equatable, Sendable {
        package var title: String
        package var isNumber: Bool
        /// Characters that it has room for whatever its cells are.
        package var minimumWidth = 0

        /// Characters that it has room for where no cell is wider.
        package var width: Int { max(title.count, minimumWidth) }

        /// A column of words, aligned to the left.
        package static func words(_ title: String, minimumWidth: Int = 0) -> Column {
            Column(title: title, isNumber: false, minimumWidth: minimumWidth)
        }
        /// A column of numbers, aligned to the right.
        package static func number(_ title: String, minimumWidth: Int = 0) -> Column {
            Column(title: title, isNumber: true, minimumWidth: minimumWidth)
        }
    }

    package let columns: [Column]
    package private(set) var rows: [[String]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with one cell for each column.
    package mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "\(cells.count) cells for \(columns.count) columns")
        rows.append(cells)
    }

    /// The table as lines, each ended by a newline, without trailing blanks.
    package var text: String { text(width: nil) }

    /// The table as lines that fit a terminal.
    ///
    /// Where they do not fit, words go on in a further line of their column; where that is not enough, columns go on in
    /// a further table below, which starts with the same words again.
    ///
    /// - Parameter width: Characters in a line; nil for as many as it takes.
    /// - Returns: The lines, each ended by a newline.
    package func text(width: Int?) -> String {
        var widths = naturalWidths
        guard let width, Self.total(widths) > width else { return block(Array(columns.indices), widths) }
        let floors = columns.indices.map { min(longestWord($0), width / 2) }
        Self.narrow(&widths, Array(columns.indices), floors: floors, to: width)
        if Self.total(widths) <= width { return block(Array(columns.indices), widths) }
        widths = naturalWidths
        var keys = Array(columns.indices.prefix { !columns[$0].isNumber })
        while keys.count > 1, Self.total(keys.map { floors[$0] }) > width / 2 { keys.removeLast() }
        Self.narrow(&widths, keys, floors: floors, to: width / 2)
        var blocks: [[Int]] = []
        var block: [Int] = keys
        for index in columns.indices.dropFirst(keys.count) {
            let least =
                keys.map { widths[$0] } + (block.dropFirst(keys.count) + [index]).map { min(widths[$0], floors[$0]) }
            if block.count > keys.count, Self.total(least) > width {
                blocks.append(block)
                block = keys
            }
            block.append(index)
        }
        return (blocks + [block]).map { block in
            var widths = widths
            Self.narrow(&widths, block, floors: floors, to: width)
            return self.block(block, widths)
        }.joined(separator: "\n")
    }

    private var naturalWidths: [Int] {
        columns.indices.map { index in max(columns[index].width, rows.map { $0[index].count }.max() ?? 0) }
    }

    private static func total(_ widths: [Int]) -> Int { widths.reduce(-2) { $0 + $1 + 2 } }

    /// The narrowest a column can be without breaking a number or a word.
    private func longestWord(_ index: Int) -> Int {
        let column = columns[index]
        guard !column.isNumber else { return naturalWidths[index] }
        let words = rows.flatMap { $0[index].split(separator: " ") } + column.title.split(separator: " ")
        return words.map(\.count).max() ?? 0
    }

    /// Takes characters from the widest columns of words until some columns fit, or no word has any to spare.
    private static func narrow(_ widths: inout [Int], _ shown: [Int], floors: [Int], to width: Int) {
        while total(shown.map { widths[$0] }) > width {
            guard let widest = shown.filter({ widths[$0] > floors[$0] }).max(by: { widths[$0] < widths[$1] }) else {
                return
            }
            widths[widest] -= 1
        }
    }

    private func block(_ shown: [Int], _ widths: [Int]) -> String {
        let columns = shown.map { self.columns[$0] }
        let widths = shown.map { widths[$0] }
        let rule = widths.map { String(repeating: "-", count: $0) }
        let lines = [columns.map(\.title), rule] + rows.map { row in shown.map { row[$0] } }
        return lines.map { Self.lines($0, columns: columns, widths: widths) }.joined()
    }

    /// A row, in as many lines as its words take in their columns.
    package static func lines(_ cells: [String], columns: [Column], widths: [Int]) -> String {
        let folded = cells.indices.map { index in
            columns[index].isNumber ? [cells[index]] : fold(cells[index], to: widths[index])
        }
        let height = folded.map(\.count).max() ?? 1
        return (0..<height).map { place in
            let cells = folded.map { place < $0.count ? $0[place] : "" }
            return line(cells, columns: columns, widths: widths)
        }.joined()
    }

    /// A cell's lines: words as long as they fit, longer ones in pieces.
    private static func fold(_ cell: String, to width: Int) -> [String] {
        guard cell.count > width, width > 0 else { return [cell] }
        var lines: [String] = []
        var line = ""
        for word in cell.split(separator: " ") {
            var word = String(word)
            if !line.isEmpty, line.count + 1 + word.count <= width {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while word.count > width {
                lines.append(String(word.prefix(width)))
                word.removeFirst(width)
            }
            line = word
        }
        return lines + (line.isEmpty ? [] : [line])
    }

    /// One line with a cell for each column; a cell that is too wide moves those after it.
    package static func line(_ cells: [String], columns: [Column], widths: [Int]) -> String {
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
