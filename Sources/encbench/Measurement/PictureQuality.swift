// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// How a decoded picture differs from its source, plane by plane.
struct PictureQuality: Equatable, Sendable {
    /// Luma.
    var y: PlaneDifference
    /// Blue difference.
    var cb: PlaneDifference
    /// Red difference.
    var cr: PlaneDifference
    /// Bits of a sample.
    var bitDepth: Int
}

extension PictureQuality {
    /// Compares a decoded picture with its source, over the source's size.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when formats differ, are not planar, or the decoded picture
    ///   is smaller.
    init(source: PixelBuffer, decoded: PixelBuffer) throws(EncoderError) {
        guard source.format == decoded.format, !source.format.isBiplanar else {
            throw EncoderError(
                .invalidPixelBuffer,
                reason: "cannot compare \(decoded.format) pictures with \(source.format), expected one planar format")
        }
        guard decoded.width >= source.width, decoded.height >= source.height else {
            throw EncoderError(
                .invalidPixelBuffer,
                reason: "decoded pictures have \(decoded.width)x\(decoded.height), the source "
                    + "\(source.width)x\(source.height)")
        }
        let compare = source.format.bytesPerSample == 1 ? Self.compare(UInt8.self) : Self.compare(UInt16.self)
        bitDepth = source.format.bitDepth
        y = compare(source, decoded, 0)
        cb = compare(source, decoded, 1)
        cr = compare(source, decoded, 2)
    }

    private static func compare<Sample: FixedWidthInteger & UnsignedInteger>(
        _: Sample.Type
    ) -> (_ source: PixelBuffer, _ decoded: PixelBuffer, _ plane: Int) -> PlaneDifference {
        { source, decoded, plane in
            let format = source.format
            return PlaneDifference(
                SamplePlane<Sample>(
                    base: source.unsafeAddress(plane: plane), bytesPerRow: source.bytesPerRow(plane: plane)),
                SamplePlane<Sample>(
                    base: decoded.unsafeAddress(plane: plane), bytesPerRow: decoded.bytesPerRow(plane: plane)),
                width: format.rowBytes(plane: plane, width: source.width) / format.bytesPerSample,
                height: format.rows(plane: plane, height: source.height), maxValue: (1 << format.bitDepth) - 1)
        }
    }
}

/// Peak signal-to-noise ratio.
enum PSNR {
    /// What stands for equal planes, in dB; nothing is reported higher.
    static let maximum = 100.0

    /// The ratio in dB for a mean squared error.
    static func decibels(meanSquaredError: Double, bitDepth: Int) -> Double {
        let peak = Double((1 << bitDepth) - 1)
        return meanSquaredError > 0 ? min(10 * log10(peak * peak / meanSquaredError), maximum) : maximum
    }

    /// Luma and chroma in the customary weights 6:1:1, of values in dB.
    static func weighted(y: Double, cb: Double, cr: Double) -> Double { (6 * y + cb + cr) / 8 }
}
