// SPDX-License-Identifier: MIT

import MediaFiles

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
    /// Of pictures with more samples, a part of this size is shown.
    static let size = (width: 480, height: 270)
}
