// SPDX-License-Identifier: MIT

package import CommandOptions
import Glibc

/// One encode of a ladder: a clip in one size at one quality.
package struct LadderPoint: Codable, Equatable, Sendable {
    /// The label of its variant: "x264 medium".
    package var variant: String
    /// "h264" or "hevc".
    package var codec: String
    /// The size that was encoded.
    package var width: Int
    package var height: Int
    /// What decided the bits, as the options say it: "crf 23".
    package var rate: String
    /// Bytes of all access units, parameter sets included.
    package var bytes: Int
    package var bitsPerSecond: Double
    /// By the names of ``Score``, at the source's size; nil where all pictures equal their sources.
    package var scores: [String: Double?]

    package init(
        variant: String, codec: String, width: Int, height: Int, rate: String, bytes: Int, bitsPerSecond: Double,
        scores: [String: Double?]
    ) {
        self.variant = variant
        self.codec = codec
        self.width = width
        self.height = height
        self.rate = rate
        self.bytes = bytes
        self.bitsPerSecond = bitsPerSecond
        self.scores = scores
    }

    enum CodingKeys: String, CodingKey {
        case variant, codec, width, height, rate, bytes, scores
        case bitsPerSecond = "bits_per_second"
    }

    package var size: PictureSize { PictureSize(width: width, height: height) }

    /// A score by its name in files; nil where it is not known or infinite.
    package func value(_ score: String) -> Double? { scores[score] ?? nil }

    /// Where hulls have it: the logarithm of its bit rate, and its quality; nil where one of them is not known.
    func place(by score: String) -> UpperHull.Point? {
        guard bitsPerSecond > 0, let value = value(score) else { return nil }
        return UpperHull.Point(x: log(bitsPerSecond), y: value)
    }
}
