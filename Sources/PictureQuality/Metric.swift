// SPDX-License-Identifier: MIT

/// A way to compare decoded pictures with their sources: values of each picture, and the scores that they come to.
///
/// A metric is one file with a constant, and its line in ``all``; options, store, tables, curves and files follow from
/// that.
package struct Metric: Sendable {
    /// How its values come about.
    package enum Method: Sendable {
        /// Here, in the order of the columns; nil where the picture is too small. The revision rises when values
        /// change.
        case builtIn(revision: Int, @Sendable (PicturePair) -> [Double?])
        /// By a filter of an ffmpeg program.
        case ffmpeg(FFmpegFilter)
        /// By a program that compares two pictures, pair by pair.
        case pictures(PictureProgram)
    }

    /// Its name in options and files: "ms-ssim".
    package let name: String
    /// Names of the values that are taken of each picture.
    package let columns: [String]
    package let method: Method
    /// Samples that each side of a picture must have.
    package var minimumSide = 1
    /// Rows of the pictures that its model was made for, to which smaller ones may be scaled; nil for any.
    package var expectedRows: Int?
    /// Bits with which its program is given pictures at least, so that its model sees what fewer hide; nil for their
    /// own.
    package var leastBitDepth: Int?
    /// What is measured before it where the program at hand can: the name of another metric, and what that takes.
    package var newer: (name: String, source: String)?
    /// What they come to; the first is what a curve or a search is about.
    package let scores: [Score]

    /// The metrics there are.
    package static let all: [Metric] = [
        .squaredError, .structuralSimilarity, .multiScaleSimilarity, .vmafV1, .vmafV1Phone, .vmafV1UltraHD, .vmaf,
        .vmafNoEnhancementGain, .xpsnr, .ssimulacra2,
    ]

    /// Metrics that are measured unless others are asked for: they cost little beside an encode.
    package static let usual: [Metric] = [.squaredError, .structuralSimilarity]

    /// The metric of a name in options and files; nil where there is none.
    package static func named(_ name: String) -> Metric? { all.first { $0.name == name } }

    /// The programs that compare pictures for metrics.
    package static var picturePrograms: [PictureProgram] {
        all.compactMap { if case .pictures(let program) = $0.method { program } else { nil } }
    }

    /// All names, for messages.
    package static var names: String { all.map(\.name).joined(separator: ", ") }
}

extension [Metric] {
    /// The metrics, and before each the newer one of its kind where the program at hand has it.
    package func withNewer(_ tools: MetricTools) -> [Metric] {
        flatMap { metric -> [Metric] in
            guard let newer = metric.newer.flatMap({ Metric.named($0.name) }), !contains(newer),
                (try? tools.maker(of: newer)) != nil
            else { return [metric] }
            return [newer, metric]
        }
    }

    /// These metrics in the order of a report: a newer one than was asked for, which some pictures are too small for,
    /// comes last, since the first makes a headline of all.
    ///
    /// - Parameters:
    ///   - asked: The metrics that were asked for.
    ///   - sides: The shorter sides of the pictures in samples.
    /// - Returns: All of them.
    package func ordered(askedFor asked: [Metric], sides: [Int]) -> [Metric] {
        let isLast = { (metric: Metric) in !asked.contains(metric) && sides.contains { $0 < metric.minimumSide } }
        return filter { !isLast($0) } + filter(isLast)
    }
}

extension Metric: Hashable, CustomStringConvertible {
    package static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    package var description: String { name }
}
