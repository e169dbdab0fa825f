// SPDX-License-Identifier: MIT

import CommandOptions
import MediaFiles
import PictureQuality

/// One picture as two encodes of about equal bit rate show it, for the eye.
struct PicturePlate: Equatable, Sendable {
    /// One of the encodes.
    struct Side: Equatable, Sendable {
        /// The variant's label.
        var variant: String
        /// What decided the bits.
        var rate: String
        /// Mean bit rate of the whole encode in bit/s.
        var bitsPerSecond: Double
        /// PSNR of the whole picture's luma in dB; nil where it equals its source.
        var decibels: Double?
        /// The part of the decoded picture, a PNG.
        var picture: [UInt8]
        /// How its luma differs from the source's, a PNG.
        var difference: [UInt8]
        /// All frames of the encode.
        var frames: FrameTable
    }

    /// What there is to see.
    struct Views: Equatable, Sendable {
        /// The picture's number in display order, from 0.
        var frame: Int
        /// The part that is shown.
        var region: PictureRegion
        /// Whether that is not all of the picture.
        var isPart: Bool
        /// The part of the source, a PNG.
        var source: [UInt8]
        var anchor: Side
        var test: Side
    }

    /// The clip's digest.
    var clip: String
    var anchor: String
    var test: String
    /// The pictures, or why there are none.
    var views: Result<Views, CommandFailure>

    /// How many times differences are shown.
    static let amplification = 8
    /// The largest part of a picture that is shown among so many plates.
    ///
    /// As large as a page shows it beside two others; less where that would make the page too big to send.
    static func size(plates: Int) -> (width: Int, height: Int) {
        let scale = min(1, (Double(fullPlates) / Double(max(plates, 1))).squareRoot())
        return (max(Int(320 * scale) / 16 * 16, 112), max(Int(180 * scale) / 16 * 16, 64))
    }

    /// As many plates of full size, of some 0.4 MB each, are less than 10 MB.
    private static let fullPlates = 24
}
