// SPDX-License-Identifier: MIT

import EncoderAPI

/// One encode of a clip: what it cost and how good it is.
struct ComparisonPoint: Codable, Equatable, Sendable {
    var encoder: String
    var library: String
    var preset: String?
    /// What decided the bits, as the options say it: "crf 21".
    var rate: String
    var frames: Int
    /// Bytes of all access units, parameter sets included.
    var bytes: Int
    var bitsPerSecond: Double
    var quality: QualitySummary
    var encodeFramesPerSecond: Double
    var wallSeconds: Double
    var cpuSeconds: Double
    /// What the library's own program would be called with; nil where there is no such program.
    var command: String?
    var adjustments: [String]

    enum CodingKeys: String, CodingKey {
        case encoder, library, preset, rate, frames, bytes, quality, command, adjustments
        case bitsPerSecond = "bits_per_second"
        case encodeFramesPerSecond = "encode_frames_per_second"
        case wallSeconds = "wall_seconds"
        case cpuSeconds = "cpu_seconds"
    }
}

extension RateControl {
    /// The rate as a user asks for it: "crf 21", "qp 30", "800000 bit/s".
    var label: String {
        switch self {
        case .automatic: "default"
        case .averageBitRate(let bitsPerSecond): "\(bitsPerSecond) bit/s"
        case .quality(let quality): "quality \(quality)"
        case .constantRateFactor(let factor):
            "crf " + (factor == factor.rounded() ? Format.fixed(factor, 0) : "\(factor)")
        case .constantQuantizer(let quantizer): "qp \(quantizer)"
        }
    }
}
