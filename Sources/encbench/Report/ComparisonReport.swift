// SPDX-License-Identifier: MIT

import MediaFiles

/// Everything that `compare` found; what `--json` writes.
struct ComparisonReport: Codable, Equatable, Sendable {
    /// One clip with its points.
    struct ClipResult: Codable, Equatable, Sendable {
        var name: String
        var width: Int
        var height: Int
        var pixelFormat: String
        var framesPerSecond: Double?
        var frames: Int
        var seconds: Double
        /// Whether the file has more frames than were used.
        var isCut: Bool
        var isLossySource: Bool
        var sourceBitsPerSecond: Int?
        var points: [ComparisonPoint]
        /// Encodes at each library's default, which nobody should compare.
        var defaultPoints: [ComparisonPoint]
        var pairs: [PairComparison]
        var warnings: [String]

        enum CodingKeys: String, CodingKey {
            case name, width, height, frames, seconds, points, pairs, warnings
            case pixelFormat = "pixel_format"
            case framesPerSecond = "frames_per_second"
            case isCut = "cut"
            case isLossySource = "lossy_source"
            case sourceBitsPerSecond = "source_bits_per_second"
            case defaultPoints = "default_points"
        }
    }

    /// A clip that could not be compared to its end.
    struct Failure: Codable, Equatable, Sendable {
        var clip: String
        var reason: String
    }

    var schemaVersion = 1
    var machine: Machine
    /// Threads each encoder was given; nil is the library's choice.
    var threadsPerEncoder: Int?
    var clips: [ClipResult]
    /// Clips that are missing, or end early, and why.
    var failures: [Failure] = []
    /// Whether the comparison was asked to end early, so that points and clips are missing.
    var isInterrupted = false
    var peakResidentBytes: Int?

    enum CodingKeys: String, CodingKey {
        case machine, clips, failures
        case isInterrupted = "interrupted"
        case schemaVersion = "schema_version"
        case threadsPerEncoder = "threads_per_encoder"
        case peakResidentBytes = "peak_resident_bytes"
    }
}

extension ComparisonReport.ClipResult {
    /// What a reader must know before believing the numbers.
    static func warnings(clip: Clip, points: [ComparisonPoint]) -> [String] {
        var warnings: [String] = []
        if clip.info.isLossy {
            let rate = clip.info.bitRate.map { " at " + Format.bitRate(Double($0)) } ?? ""
            warnings.append(
                "the source may have been compressed with loss\(rate): encoders then spend bits on its artefacts")
            let high = points.filter { $0.bitsPerSecond * 2 > Double(clip.info.bitRate ?? .max) }
            if !high.isEmpty {
                let names = high.map { "\($0.encoder) \($0.rate)" }.joined(separator: ", ")
                warnings.append("more than half of the source's own bit rate, where differences vanish: \(names)")
            }
        }
        for conversion in clip.info.conversions { warnings.append(conversion) }
        for point in points where point.quality.isSuspicious {
            warnings.append(
                "\(point.encoder) \(point.rate): frame \(point.quality.y.minimumFrame) is 10 dB worse than the mean")
        }
        for point in points {
            for adjustment in point.adjustments { warnings.append("\(point.encoder) \(point.rate): \(adjustment)") }
        }
        return warnings
    }
}
