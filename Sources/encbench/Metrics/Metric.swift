// SPDX-License-Identifier: MIT

/// A way to compare decoded pictures with their sources: values of each picture, and the scores that they come to.
///
/// A metric is one file with a constant, and its line in ``all``; store, tables, curves and files follow from that.
struct Metric: Sendable {
    /// Names of the values that are taken of each picture.
    let columns: [String]
    /// Takes them, in the order of ``columns``; nil where the picture is too small.
    let measure: @Sendable (PicturePair) -> [Double?]
    /// What they come to.
    let scores: [Score]

    /// The metrics there are.
    static let all: [Metric] = [.squaredError, .structuralSimilarity]
}

/// One number that says how good an encode is, larger is better.
struct Score: Sendable {
    /// Where it is shown, beside the files, which have all.
    enum Use: Sendable {
        /// In the table, and as a curve.
        case shown
        /// As a curve.
        case compared
        /// In files alone.
        case kept
    }

    /// Its name in files, with its unit: "psnr_y_db".
    let id: String
    /// What people call it: "PSNR-Y".
    let title: String
    /// "dB"; nil where it has none.
    let unit: String?
    /// Decimals that mean something.
    let decimals: Int
    let use: Use
    /// The number for the frames of an encode: infinite where all are equal to their sources, nil where it is not known.
    let value: @Sendable (FrameTable) -> Double?

    /// The scores of all metrics; the first that is compared makes the headline.
    static let all = Metric.all.flatMap(\.scores)
    /// Those that curves are drawn over.
    static let compared = all.filter { $0.use != .kept }
    /// Those that tables have a column for.
    static let shown = all.filter { $0.use == .shown }

    /// The score of a name in files; nil where there is none.
    static func named(_ id: String) -> Score? { all.first { $0.id == id } }

    /// What people call the score of a name in files.
    static func title(ofID id: String) -> String { named(id)?.title ?? id }

    /// A value with its unit.
    func text(_ value: Double) -> String { Format.fixed(value, decimals) + (unit.map { " " + $0 } ?? "") }
}
