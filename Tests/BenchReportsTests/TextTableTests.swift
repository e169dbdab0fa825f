// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import BenchReports

@Suite struct TextTableTests {
    @Test("words are aligned to the left, numbers to the right, and lines have no trailing blanks")
    func alignment() {
        var table = TextTable([.words("name"), .number("bytes"), .words("note")])
        table.add(["x264", "12", ""])
        table.add(["a longer one", "123456", "ok"])
        #expect(
            table.text == """
                name           bytes  note
                ------------  ------  ----
                x264              12
                a longer one  123456  ok

                """)
    }

    @Test("where lines have no room, words go on below, and then columns in a further table with the same words")
    func folding() {
        var table = TextTable([.words("name"), .number("bytes"), .words("note")])
        table.add(["x264", "12", "all of this is said"])
        #expect(
            table.text(width: 25) == """
                name  bytes  note
                ----  -----  ------------
                x264     12  all of this
                             is said

                """)
        table = TextTable([.words("name"), .number("bytes"), .number("frames"), .number("PSNR-Y")])
        table.add(["x264 medium", "123456", "12", "40.00"])
        #expect(
            table.text(width: 28) == """
                name          bytes  frames
                -----------  ------  ------
                x264 medium  123456      12

                name         PSNR-Y
                -----------  ------
                x264 medium   40.00

                """)
    }

    @Test("no line is wider than the terminal, and no cell is lost", arguments: [40, 60, 80])
    func widths(width: Int) {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let columns = (0..<Int.random(in: 1...10, using: &random)).map { index in
                index == 0 || Bool.random(using: &random)
                    ? TextTable.Column.words("words \(index)") : .number("number \(index)")
            }
            var table = TextTable(columns)
            let row = columns.indices.map { index in
                columns[index].isNumber
                    ? "\(index)000\(index)"
                    : (0..<Int.random(in: 1...12, using: &random)).map { "w\(index)n\($0)" }.joined(separator: " ")
            }
            table.add(row)
            let text = table.text(width: width)
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
            let seen = Set(text.split { $0 == " " || $0 == "\n" })
            #expect(row.flatMap { $0.split(separator: " ") }.allSatisfy(seen.contains), "\(text)")
        }
    }
}
