// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

/// The table of points: its widths are decided before the first point is known, so that it can grow.
struct ComparisonTable: Sendable {
    private struct Column: Sendable {
        var table: TextTable.Column
        var cell: @Sendable (ComparisonReport.Point) -> String
        /// Columns with larger numbers go first where the terminal is narrow; 0 stays.
        var dispensability = 0
    }

    private let columns: [Column]

    /// Lays a study's table out.
    ///
    /// - Parameters:
    ///   - study: Names decide how wide the first columns are.
    ///   - width: Characters in a line of the terminal; nil leaves all columns in.
    init(study: Study, width: Int?) {
        let labels = study.variants.map(\.label.count).max() ?? 0
        let rates = study.points.map(\.rate.count).max() ?? 0
        var columns = [
            Column(table: .words("encoder", minimumWidth: labels), cell: { $0.variant }),
            Column(table: .words("rate", minimumWidth: rates), cell: { $0.rate }),
            Column(table: .number("bytes", minimumWidth: 11), cell: { Format.grouped($0.bytes) }, dispensability: 2),
            Column(
                table: .number("bit/s", minimumWidth: 11),
                cell: { Format.grouped(Int($0.bitsPerSecond.rounded())) }),
        ]
        for (place, score) in study.scores.shown.enumerated() {
            columns.append(
                Column(
                    table: .number(score.heading, minimumWidth: 6), cell: { score.cell($0) },
                    dispensability: place == 0 ? 0 : (score.unit == nil ? 1 : 3)))
        }
        if let width {
            while Self.width(columns) > width,
                let most = columns.indices.max(by: { columns[$0].dispensability < columns[$1].dispensability }),
                columns[most].dispensability > 0
            {
                columns.remove(at: most)
            }
        }
        // Long names go on in a line below.
        if let width {
            while Self.width(columns) > width,
                let widest = columns[..<2].indices.max(by: { columns[$0].table.width < columns[$1].table.width }),
                columns[widest].table.width > max(columns[widest].table.title.count, 10)
            {
                columns[widest].table.minimumWidth -= 1
            }
        }
        self.columns = columns
    }

    private static func width(_ columns: [Column]) -> Int {
        columns.reduce(-2) { $0 + $1.table.width + 2 }
    }

    /// The titles and the rule below them.
    var head: String { TextTable(columns.map(\.table)).text }

    /// One line.
    func row(_ point: ComparisonReport.Point) -> String {
        TextTable.lines(
            columns.map { $0.cell(point) }, columns: columns.map(\.table), widths: columns.map(\.table.width))
    }
}
