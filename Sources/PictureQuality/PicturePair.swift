// SPDX-License-Identifier: MIT

package import EncoderAPI

/// A decoded picture and its source, of one planar format.
package struct PicturePair {
    package let source: PixelBuffer
    package let decoded: PixelBuffer

    /// Pairs pictures that can be compared over the source's size.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when formats differ, are not planar, or the decoded
    ///   picture is smaller.
    package init(source: PixelBuffer, decoded: PixelBuffer) throws(EncoderError) {
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
        self.source = source
        self.decoded = decoded
    }

    /// The largest value of a sample.
    package var maxValue: Int { (1 << source.format.bitDepth) - 1 }

    /// Compares one plane: 0 luma, 1 blue difference, 2 red difference.
    package func measure<Comparison: PlaneComparison>(_ comparison: Comparison, plane: Int) -> Comparison.Result {
        source.format.bytesPerSample == 1
            ? comparison.compare(planes(plane, of: UInt8.self)) : comparison.compare(planes(plane, of: UInt16.self))
    }

    private func planes<Sample>(_ plane: Int, of: Sample.Type) -> PlanePair<Sample> {
        let format = source.format
        return PlanePair(
            first: SamplePlane(base: source.unsafeAddress(plane: plane), bytesPerRow: source.bytesPerRow(plane: plane)),
            second: SamplePlane(
                base: decoded.unsafeAddress(plane: plane), bytesPerRow: decoded.bytesPerRow(plane: plane)),
            width: format.rowBytes(plane: plane, width: source.width) / format.bytesPerSample,
            height: format.rows(plane: plane, height: source.height), maxValue: maxValue)
    }
}

/// A comparison of two planes, whatever their samples.
package protocol PlaneComparison {
    associatedtype Result

    func compare<Sample>(_ planes: PlanePair<Sample>) -> Result
}

/// Two planes of one size.
package struct PlanePair<Sample: FixedWidthInteger & UnsignedInteger> {
    package let first: SamplePlane<Sample>
    package let second: SamplePlane<Sample>
    /// Samples in a row.
    package let width: Int
    package let height: Int
    /// The largest value of a sample.
    package let maxValue: Int
}

/// One plane to compare.
package struct SamplePlane<Sample: FixedWidthInteger & UnsignedInteger> {
    /// First sample of the first row.
    package let base: UnsafeRawPointer
    /// Bytes from row to row.
    package let bytesPerRow: Int

    package func row(_ index: Int) -> UnsafePointer<Sample> {
        (base + index * bytesPerRow).assumingMemoryBound(to: Sample.self)
    }
}
