// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension Score {
    /// A point's value as a cell of a table.
    func cell(_ point: ComparisonReport.Point) -> String {
        guard let value = point.scores[id] else { return "-" }
        return value.map { Format.fixed($0, decimals) } ?? "equal"
    }
}
