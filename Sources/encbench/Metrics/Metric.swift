// SPDX-License-Identifier: MIT

import CommandOptions

/// A way to compare decoded pictures with their sources: values of each picture, and the scores that they come to.
///
/// A metric is one file with a constant, and its line in ``all``; options, store, tables, curves and files follow from
/// that.
struct Metric: Sendable {
    /// How its values come about.
    enum Method: Sendable {
        /// Here, in the order of the columns; nil where the picture is too small. The revision rises when values
        /// change.
        case builtIn(revision: Int, @Sendable (PicturePair) -> [Double?])
        /// By a filter of an ffmpeg program.
        case ffmpeg(FFmpegFilter)
    }

    /// Its name in options and files: "ms-ssim".
    let name: String
    /// Names of the values that are taken of each picture.
    let columns: [String]
    let method: Method
    /// Samples that each side of a picture must have.
    var minimumSide = 1
    /// What they come to; the first is what a curve or a search is about.
    let scores: [Score]

    /// The metrics there are.
    static let all: [Metric] = [
        .squaredError, .structuralSimilarity, .multiScaleSimilarity, .vmaf, .vmafNoEnhancementGain, .xpsnr,
    ]

    /// Metrics that are measured unless others are asked for: they cost little beside an encode.
    static let usual: [Metric] = [.squaredError, .structuralSimilarity]

    /// The metric of a name in options and files; nil where there is none.
    static func named(_ name: String) -> Metric? { all.first { $0.name == name } }

    /// All names, for messages.
    static var names: String { all.map(\.name).joined(separator: ", ") }
}

extension Metric: Hashable, CustomStringConvertible {
    static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    var description: String { name }
}

extension OptionParsing {
    /// Metrics separated by commas, each once.
    static func metrics(_ text: String) throws(OptionError) -> [Metric] {
        var metrics: [Metric] = []
        for name in try list(text, of: { item throws(OptionError) in item }) {
            guard let metric = Metric.named(name) else {
                throw OptionError(.unknownName, "'\(name)', expected one of \(Metric.names)")
            }
            guard !metrics.contains(metric) else { throw OptionError(.repeated, "'\(name)' is listed twice") }
            metrics.append(metric)
        }
        return metrics
    }
}
