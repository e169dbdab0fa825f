// SPDX-License-Identifier: MIT

import CommandOptions

/// One number that says how good an encode is, larger is better.
package struct Score: Sendable {
    /// Where it is shown, beside the files, which have all.
    package enum Use: Sendable {
        /// In the table, and as a curve.
        case shown
        /// As a curve.
        case compared
        /// In files alone.
        case kept
    }

    /// Its name in files, with its unit: "psnr_y_db".
    package let id: String
    /// What people call it: "PSNR-Y".
    package let title: String
    /// "dB"; nil where it has none.
    package let unit: String?
    /// Decimals that mean something.
    package let decimals: Int
    package let use: Use
    /// The largest value there can be; nil where there is none.
    package var maximum: Double?
    /// What it tells, in the words of those who do not measure pictures.
    package var meaning = "how near the pictures are to their source"
    /// The number for the frames of an encode: infinite where all are equal to their sources, nil where it is not
    /// known.
    package let value: @Sendable (FrameTable) -> Double?

    /// The score of a name in files; nil where there is none.
    package static func named(_ id: String) -> Score? { Metric.all.scores.first { $0.id == id } }

    /// What people call the score of a name in files.
    package static func title(ofID id: String) -> String { named(id)?.title ?? id }

    /// What stands above a column of it: "PSNR-Y dB".
    package var heading: String { title + (unit.map { " " + $0 } ?? "") }

    /// A value with its unit.
    package func text(_ value: Double) -> String { Format.fixed(value, decimals) + (unit.map { " " + $0 } ?? "") }

    /// A value to reach, with its name and its unit and all the decimals it was given with: "PSNR-Y 40.00 dB".
    package func goalText(_ value: Double) -> String {
        let digits = Format.decimals(from: decimals) { Double(Format.fixed(value, $0)) == value }
        return title + " " + Format.fixed(value, digits) + (unit.map { " " + $0 } ?? "")
    }
}

extension [Metric] {
    /// The scores of these metrics; the first that is compared makes the headline.
    package var scores: [Score] { flatMap(\.scores) }
}

extension [Score] {
    /// Scores that curves are drawn over.
    package var compared: [Score] { filter { $0.use != .kept } }
    /// Scores that tables have a column for.
    package var shown: [Score] { filter { $0.use == .shown } }
}
