// SPDX-License-Identifier: MIT

import PictureQuality

/// Everything that a comparison found: all that a renderer shows, and what `--json` writes.
///
/// But for `timing`, nothing in it depends on when, how often interrupted, or on how many machines the points were
/// made.
struct ComparisonReport: Codable, Equatable, Sendable {
    /// One encode of a clip.
    struct Point: Codable, Equatable, Sendable {
        /// The label of its variant: "x264 medium".
        var variant: String
        var encoder: String
        var library: String
        var preset: String?
        var tune: String?
        /// What decided the bits, as the options say it: "crf 21".
        var rate: String
        /// Whether it was encoded at the library's default, which nobody should compare.
        var isDefault: Bool
        /// Bytes of all access units, parameter sets included.
        var bytes: Int
        var bitsPerSecond: Double
        /// By the names of ``Score``; nil where all pictures equal their sources.
        var scores: [String: Double?]
        var adjustments: [String]
        /// What the library's own program would be called with.
        var command: String?
        var frames: FrameTable

        /// A score by its name in files; nil where it is not known or infinite.
        func value(_ score: String) -> Double? { scores[score] ?? nil }

        enum CodingKeys: String, CodingKey {
            case variant, encoder, library, preset, tune, rate, bytes, scores, adjustments, command, frames
            case isDefault = "default"
            case bitsPerSecond = "bits_per_second"
        }
    }

    /// One clip with its points.
    struct Clip: Codable, Equatable, Sendable {
        var name: String
        var digest: String
        var width: Int
        var height: Int
        var pixelFormat: String
        /// Frames per second; their mean where the rate varies.
        var framesPerSecond: Double?
        var frames: Int
        var seconds: Double
        /// Whether the file has more frames than were used.
        var isCut: Bool
        var isLossySource: Bool
        var sourceBitsPerSecond: Int?
        var points: [Point]
        var pairs: [PairComparison]
        /// What a reader must know before believing the numbers.
        var notes: [String]
        /// Why the libraries' own programs would encode otherwise or cannot; nil where they do the same, and where
        /// there are none.
        var programObstacle: String?

        enum CodingKeys: String, CodingKey {
            case name, width, height, frames, seconds, points, pairs, notes
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
    struct Measure: Codable, Equatable, Sendable {
        /// The metric's name in options.
        var name: String
        /// The program, its library and its model, with their versions.
        var measuredBy: String

        enum CodingKeys: String, CodingKey {
            case name
            case measuredBy = "measured_by"
        }
    }

    /// One curve against another over all clips.
    struct Overall: Codable, Equatable, Sendable {
        var anchor: String
        var test: String
        /// What was held equal.
        var score: String
        /// Geometric mean of the clips' changes of bit rate at equal quality, so that halving and doubling cancel out.
        var rateChange: Double
        /// The mean's 95 % interval, by Student's t of the ratios' logarithms; nil for fewer than three clips.
        var low: Double?
        var high: Double?
        /// Clips that gave an answer.
        var clips: Int

        enum CodingKeys: String, CodingKey {
            case anchor, test, score, clips
            case rateChange = "rate_change"
            case low = "rate_change_low"
            case high = "rate_change_high"
        }
    }

    var schemaVersion = 3
    /// The version of this program.
    var encbench = VersionText.package
    /// Processors that made the points.
    var processors: [String]
    /// Builds of the libraries.
    var libraries: [String]
    /// Threads each encoder was given; nil is the library's choice.
    var threadsPerEncoder: Int?
    /// What qualities were measured by, the headline's first.
    var metrics: [Measure]
    var clips: [Clip]
    var overall: [Overall]
    /// What follows for a claim that is often made; nil where no curve of H.265 is held against one of H.264.
    var verdict: Verdict?
    /// What sessions did otherwise than asked, each once with the points it is about.
    var notes: [String]
    /// Clips and points that are missing, and why.
    var failures: [Study.Failure]
    /// Whether the comparison was asked to end early, so that points and clips are missing.
    var isInterrupted: Bool
    /// What encoding cost, where that was asked; the only times there are.
    var timing: TimingReport?
    /// Pictures of the pairs, for a page; not in the JSON.
    var pictures: [PicturePlate] = []
    /// The command that asked for the report, for a page; not in the JSON, which is the same however it came about.
    var command: String?

    enum CodingKeys: String, CodingKey {
        case encbench, processors, libraries, metrics, clips, overall, verdict, notes, failures, timing
        case isInterrupted = "interrupted"
        case schemaVersion = "schema_version"
        case threadsPerEncoder = "threads_per_encoder"
    }
}

extension ComparisonReport {
    /// What its points are compared by; the first that is compared makes the headline.
    var scores: [Score] { metrics.compactMap { Metric.named($0.name) }.scores }

    /// What took the values of metrics that this program does not: "VMAF by libvmaf 3.0.0, vmaf_v0.6.1, ffmpeg 7.1".
    var makers: [String] {
        metrics.compactMap { measure in
            guard let metric = Metric.named(measure.name), case .ffmpeg = metric.method else { return nil }
            return "\(metric.scores.first?.title ?? measure.name) by \(measure.measuredBy)"
        }
    }
}
