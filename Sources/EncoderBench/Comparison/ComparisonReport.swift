// SPDX-License-Identifier: MIT

package import PictureQuality

/// Everything that a comparison found: all that a renderer shows, and what `--json` writes.
///
/// But for `timing`, nothing in it depends on when, how often interrupted, or on how many machines the points were
/// made.
package struct ComparisonReport: Codable, Equatable, Sendable {
    /// One encode of a clip.
    package struct Point: Codable, Equatable, Sendable {
        /// The label of its variant: "x264 medium".
        package var variant: String
        package var encoder: String
        /// "h264" or "hevc"; of files whatever they are coded with.
        package var codec: String
        package var library: String
        package var preset: String?
        package var tune: String?
        /// What its curve sets besides, by the names in the API or of the library: "NAME=VALUE".
        package var settings: [String]
        /// What decided the bits, as the options say it: "crf 21".
        package var rate: String
        /// Whether it was encoded at the library's default, which nobody should compare.
        package var isDefault: Bool
        /// The highest bit rate of a rate factor in bit/s; nil for none.
        package var cap: Int?
        /// Bytes of all access units, parameter sets included.
        package var bytes: Int
        package var bitsPerSecond: Double
        /// By the names of ``Score``; nil where all pictures equal their sources.
        package var scores: [String: Double?]
        package var adjustments: [String]
        /// What the library's own program would be called with.
        package var command: String?
        package var frames: FrameTable

        /// A score by its name in files; nil where it is not known or infinite.
        package func value(_ score: String) -> Double? { scores[score] ?? nil }

        enum CodingKeys: String, CodingKey {
            case variant, encoder, codec, library, preset, tune, settings, rate, bytes, scores, adjustments
            case command, frames
            case cap = "cap_bits_per_second"
            case isDefault = "default"
            case bitsPerSecond = "bits_per_second"
        }
    }

    /// One clip with its points.
    package struct Clip: Codable, Equatable, Sendable {
        package var name: String
        package var digest: String
        /// What the user calls it together with other clips.
        package var groups: [String]
        package var width: Int
        package var height: Int
        package var pixelFormat: String
        /// Frames per second; their mean where the rate varies.
        package var framesPerSecond: Double?
        package var frames: Int
        package var seconds: Double
        /// Whether the file has more frames than were used.
        package var isCut: Bool
        package var isLossySource: Bool
        package var sourceBitsPerSecond: Int?
        package var points: [Point]
        package var pairs: [PairComparison]
        /// What a reader must know before believing the numbers.
        package var notes: [String]
        /// Why the libraries' own programs would encode otherwise or cannot; nil where they do the same, and where
        /// there are none.
        package var programObstacle: String?

        enum CodingKeys: String, CodingKey {
            case name, groups, width, height, frames, seconds, points, pairs, notes
            case digest = "sha256"
            case pixelFormat = "pixel_format"
            case framesPerSecond = "frames_per_second"
            case isCut = "cut"
            case isLossySource = "lossy_source"
            case sourceBitsPerSecond = "source_bits_per_second"
            case programObstacle = "program_obstacle"
        }
    }

    /// A metric, and what took its values.
    package struct Measure: Codable, Equatable, Sendable {
        /// The metric's name in options.
        package var name: String
        /// The program, its library and its model, with their versions.
        package var measuredBy: String

        enum CodingKeys: String, CodingKey {
            case name
            case measuredBy = "measured_by"
        }
    }

    /// One curve against another over all clips.
    package struct Overall: Codable, Equatable, Sendable {
        package var anchor: String
        package var test: String
        /// What was held equal.
        package var score: String
        /// Geometric mean of the clips' changes of bit rate at equal quality, so that halving and doubling cancel out.
        package var rateChange: Double
        /// The mean's 95 % interval, by Student's t of the ratios' logarithms; nil for fewer than three clips.
        package var low: Double?
        package var high: Double?
        /// Clips that gave an answer.
        package var clips: Int

        enum CodingKeys: String, CodingKey {
            case anchor, test, score, clips
            case rateChange = "rate_change"
            case low = "rate_change_low"
            case high = "rate_change_high"
        }
    }

    package var schemaVersion = 3
    /// The version of this program.
    package var encbench = EncoderBenchVersion.current
    /// Processors that made the points.
    package var processors: [String]
    /// Builds of the libraries.
    package var libraries: [String]
    /// Threads each encoder was given; nil is the library's choice.
    package var threadsPerEncoder: Int?
    /// What qualities were measured by, the headline's first.
    package var metrics: [Measure]
    package var clips: [Clip]
    package var overall: [Overall]
    /// The same of clips that have something in common.
    package var groups: [Group]
    /// What follows for a claim that is often made; nil where no curve of H.265 is held against one of H.264.
    package var verdict: Verdict?
    /// What sessions did otherwise than asked, each once with the points it is about.
    package var notes: [String]
    /// Clips and points that are missing, and why.
    package var failures: [Study.Failure]
    /// Whether the comparison was asked to end early, so that points and clips are missing.
    package var isInterrupted: Bool
    /// What encoding cost, where that was asked; the only times there are.
    package var timing: TimingReport?
    /// What follows of bytes at equal CPU time, or why nothing does, for each anchor and family of curves that were
    /// timed.
    package var equalCost: [EqualCost] = []
    /// Whether other pairs save more than the first, over the clips.
    package var pairTests: [PairTest] = []
    /// Pictures of the pairs, for a page; not in the JSON.
    package var pictures: [PicturePlate] = []
    /// The command that asked for the report, for a page; not in the JSON, which is the same however it came about.
    package var command: String?

    enum CodingKeys: String, CodingKey {
        case encbench, processors, libraries, metrics, clips, overall, groups, verdict, notes, failures, timing
        case isInterrupted = "interrupted"
        case schemaVersion = "schema_version"
        case threadsPerEncoder = "threads_per_encoder"
        case equalCost = "equal_cost"
        case pairTests = "pair_tests"
    }
}

extension ComparisonReport {
    /// What its points are compared by; the first that is compared makes the headline.
    package var scores: [Score] { metrics.compactMap { Metric.named($0.name) }.scores }
}
