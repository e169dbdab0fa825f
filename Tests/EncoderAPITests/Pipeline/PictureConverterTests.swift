// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct PictureConverterTests {
    /// The value at a place of Y, Cb or Cr, read by the definition of the format rather than the converter's
    /// arithmetic.
    private func sample(_ buffer: PixelBuffer, _ component: Int, _ x: Int, _ y: Int) -> Int {
        let interleaved = buffer.format.isBiplanar && component > 0
        let column = interleaved ? 2 * x + component - 1 : x
        return buffer.withPlane(interleaved ? 1 : component) { bytes, stride in
            if buffer.format.bytesPerSample == 1 { return Int(bytes[y * stride + column]) }
            let word = Int(bytes[y * stride + 2 * column]) | Int(bytes[y * stride + 2 * column + 1]) << 8
            return buffer.format == .p010 ? word >> 6 : word
        }
    }

    private func noise(_ format: PixelFormat, _ width: Int, _ height: Int, seed: UInt64) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        var buffer = try MutablePixelBuffer(format: format, width: width, height: height)
        for plane in 0..<format.planeCount {
            buffer.withMutablePlane(plane) { bytes, _ in
                for index in stride(from: 0, to: bytes.count - format.bytesPerSample + 1, by: format.bytesPerSample) {
                    let value = Int.random(in: 0..<(1 << format.bitDepth), using: &generator)
                    let word = format == .p010 ? value << 6 : value
                    bytes[index] = UInt8(word & 0xFF)
                    if format.bytesPerSample == 2 { bytes[index + 1] = UInt8(word >> 8) }
                }
            }
        }
        return PixelBuffer(buffer)
    }

    @Test(
        "each sample keeps its place and value, and the edges repeat",
        arguments: [
            (PixelFormat.nv12, PixelFormat.i420), (.i420, .nv12), (.p010, .i010), (.i010, .p010), (.i420, .i010),
            (.nv12, .p010), (.nv12, .i010), (.i010, .i012), (.p010, .i012), (.i420, .i420), (.p010, .p010),
        ], [(5, 3, 16, 16), (16, 16, 16, 16), (1, 1, 2, 2), (17, 9, 18, 10)])
    func conversion(formats: (PixelFormat, PixelFormat), size: (Int, Int, Int, Int)) throws {
        let source = try noise(formats.0, size.0, size.1, seed: 7)
        let target = try PictureConverter(format: formats.1, width: size.2, height: size.3).convert(source)
        #expect(target.width == size.2 && target.height == size.3 && target.format == formats.1)
        let shift = formats.1.bitDepth - formats.0.bitDepth
        for component in 0..<3 {
            let half = component == 0 ? 1 : 2
            let (width, height) = ((size.0 + half - 1) / half, (size.1 + half - 1) / half)
            for y in 0..<(size.3 / half) {
                for x in 0..<(size.2 / half) {
                    let expected = sample(source, component, min(x, width - 1), min(y, height - 1)) << shift
                    #expect(sample(target, component, x, y) == expected)
                }
            }
        }
    }
}
