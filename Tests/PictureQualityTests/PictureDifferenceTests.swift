// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import Testing

@testable import PictureQuality

@Suite struct PictureDifferenceTests {
    /// A picture whose luma is `value(x, y)`.
    private func picture(
        _ format: PixelFormat = .i420, width: Int = 64, height: Int = 48, _ value: (Int, Int) -> Int
    ) throws -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: format, width: width, height: height)
        picture.withMutablePlane(0) { bytes, stride in
            for y in 0..<height {
                for x in 0..<width {
                    if format.bytesPerSample == 1 {
                        bytes[y * stride + x] = UInt8(value(x, y))
                    } else {
                        bytes[y * stride + 2 * x] = UInt8(value(x, y) & 0xFF)
                        bytes[y * stride + 2 * x + 1] = UInt8(value(x, y) >> 8)
                    }
                }
            }
        }
        return PixelBuffer(picture)
    }

    @Test(
        "a difference is amplified around gray, clamped, and alike in all bit depths",
        arguments: [PixelFormat.i420, .i010, .i012])
    func amplified(format: PixelFormat) throws {
        let unit = 1 << (format.bitDepth - 8)
        let pair = try PicturePair(
            source: picture(format) { _, _ in 100 * unit }, decoded: picture(format) { x, _ in (98 + x % 5) * unit })
        let region = PictureRegion(x: 4, y: 2, width: 6, height: 1)
        #expect(
            pair.measure(AmplifiedDifference(region: region, factor: 8), plane: 0) == [144, 112, 120, 128, 136, 144])
        let far = try PicturePair(
            source: picture(format) { _, _ in 0 }, decoded: picture(format) { _, _ in 200 * unit })
        #expect(
            far.measure(AmplifiedDifference(region: region, factor: 8), plane: 0) == [UInt8](repeating: 255, count: 6))
    }

    @Test("squared errors are added up block by block, also in blocks that the edges cut")
    func blocks() throws {
        let pair = try PicturePair(
            source: picture(width: 36, height: 20) { _, _ in 50 },
            decoded: picture(width: 36, height: 20) { x, y in x >= 32 && y >= 16 ? 53 : (x < 16 && y < 16 ? 51 : 50) })
        let sums = pair.measure(BlockErrors(), plane: 0)
        #expect(sums == BlockErrors.Sums(columns: 3, values: [256, 0, 0, 0, 0, 4 * 4 * 9]))
    }

    @Test("the part that is shown has the largest errors of all encodes, and lies within the picture")
    func part() {
        // 5 x 4 blocks: 80 x 60 samples, of which the last row of blocks has twelve rows.
        func sums(_ places: [Int: Int]) -> BlockErrors.Sums {
            BlockErrors.Sums(columns: 5, values: (0..<20).map { places[$0] ?? 0 })
        }
        func region(_ errors: [BlockErrors.Sums]) -> PictureRegion {
            PictureRegion(ofLargest: errors, width: 80, height: 60, size: (32, 32))
        }
        #expect(region([sums([19: 9])]) == PictureRegion(x: 48, y: 28, width: 32, height: 32))
        #expect(
            region([sums([7: 5, 6: 1]), sums([7: 5, 19: 9])]) == PictureRegion(x: 16, y: 0, width: 32, height: 32))
        let small = PictureRegion(ofLargest: [sums([19: 9])], width: 80, height: 60, size: (480, 270))
        #expect(small == PictureRegion(x: 0, y: 0, width: 80, height: 60))
        // No part of a picture of other proportions, as long as it has no more samples.
        let square = PictureRegion(ofLargest: [sums([19: 9])], width: 80, height: 60, size: (120, 40))
        #expect(square == PictureRegion(x: 0, y: 0, width: 80, height: 60))
    }
}
