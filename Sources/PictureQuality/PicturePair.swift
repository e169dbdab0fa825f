// SPDX-License-Identifier: MIT

package import EncoderAPI

/// A decoded picture and its source, of one planar format: that of the deeper of the two, to which the other's samples
/// are shifted.
package struct PicturePair {
    package let source: PixelBuffer
    package let decoded: PixelBuffer

    /// Pairs pictures that can be compared over the source's size.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when formats of one depth differ, are not planar 4:2:0, or
    ///   the decoded picture is smaller; `.outOfMemory` where a picture cannot be shifted for want of it.
    package init(source: PixelBuffer, decoded: PixelBuffer) throws(EncoderError) {
        var (source, decoded) = (source, decoded)
        let formats = [source.format, decoded.format]
        let isComparable = formats.allSatisfy { $0.isFourTwoZero && !$0.isBiplanar }
        if isComparable, source.format.bitDepth < decoded.format.bitDepth {
            source = try source.deepened(to: decoded.format)
        } else if isComparable, decoded.format.bitDepth < source.format.bitDepth {
            decoded = try decoded.deepened(to: source.format)
        }
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

extension PixelBuffer {
    /// The picture with more bits: its samples are shifted, as encoders do it that are given fewer than they code.
    ///
    /// - Parameter deeper: A planar format of more bits.
    /// - Returns: A picture of that format.
    /// - Throws: ``EncoderError`` with `.outOfMemory`.
    fileprivate func deepened(to deeper: PixelFormat) throws(EncoderError) -> PixelBuffer {
        var result = try MutablePixelBuffer(format: deeper, width: width, height: height)
        let shift = deeper.bitDepth - format.bitDepth
        for plane in 0..<format.planeCount {
            let (start, stride) = (UnsafeRawPointer(unsafeAddress(plane: plane)), bytesPerRow(plane: plane))
            let count = format.rowBytes(plane: plane, width: width) / format.bytesPerSample
            let rows = format.rows(plane: plane, height: height)
            let isWide = format.bytesPerSample == 2
            result.withMutablePlane(plane) { bytes, bytesPerRow in
                for row in 0..<rows {
                    let samples = start + row * stride
                    for place in 0..<count {
                        let sample =
                            isWide
                            ? samples.load(fromByteOffset: 2 * place, as: UInt16.self)
                            : UInt16(samples.load(fromByteOffset: place, as: UInt8.self))
                        bytes.storeBytes(
                            of: sample << shift, toByteOffset: row * bytesPerRow + 2 * place, as: UInt16.self)
                    }
                }
            }
        }
        return PixelBuffer(result)
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
