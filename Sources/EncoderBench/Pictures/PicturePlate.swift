// SPDX-License-Identifier: MIT

package import MediaFiles
package import PictureQuality

/// Pictures as two encodes of about equal bit rate show them, for the eye: a typical one, and the worst.
package struct PicturePlate: Equatable, Sendable {
    /// One of the encodes.
    package struct Side: Equatable, Sendable {
        /// The variant's label.
        package var variant: String
        /// What decided the bits.
        package var rate: String
        /// Mean bit rate of the whole encode in bit/s.
        package var bitsPerSecond: Double
        /// PSNR of the whole picture's luma in dB; nil where it equals its source.
        package var decibels: Double?
        /// The part of the decoded picture, a PNG.
        package var picture: [UInt8]
        /// How its luma differs from the source's, a PNG.
        package var difference: [UInt8]
        /// All frames of the encode.
        package var frames: FrameTable
    }

    /// What there is to see.
    package struct Views: Equatable, Sendable {
        /// The picture's number in display order, from 0.
        package var frame: Int
        /// The part that is shown.
        package var region: PictureRegion
        /// Whether that is not all of the picture.
        package var isPart: Bool
        /// The part of the source, a PNG.
        package var source: [UInt8]
        package var anchor: Side
        package var test: Side
    }

    /// A picture of a scene.
    package struct Worst: Equatable, Sendable {
        package var scene: WorstScene
        package var views: Views
    }

    /// The clip's digest.
    package var clip: String
    package var anchor: String
    package var test: String
    /// The pictures, or why there are none.
    package var views: Result<Views, EncoderBenchError>
    /// The worst picture of the scene in which the test is worst beside the anchor; nil where that is the same picture,
    /// or not known.
    package var worst: Worst?

    /// How many times differences are shown.
    package static let amplification = 8
    /// The largest part of a picture that is shown among so many plates, of one picture each.
    ///
    /// As large as a page shows it beside two others; less where that would make the page too big to send.
    package static func size(plates: Int) -> (width: Int, height: Int) {
        let scale = min(1, (Double(fullPlates) / Double(max(plates, 1))).squareRoot())
        return (max(Int(320 * scale) / 16 * 16, 112), max(Int(180 * scale) / 16 * 16, 64))
    }

    /// As many plates of full size, of some 0.4 MB each, are less than 10 MB.
    private static let fullPlates = 24
}
