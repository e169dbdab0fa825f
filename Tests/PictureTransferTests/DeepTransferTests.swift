// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureTransfer
import TestSupport
import Testing

/// Pictures of 10 and 12 bits in other sizes.
@Suite struct DeepTransferTests {
    static let formats: [PixelFormat] = [.p010, .p010FullRange, .i010, .i012]

    /// Bits below a sample's lowest.
    private static func shift(_ format: PixelFormat) -> Int { format.isBiplanar ? 16 - format.bitDepth : 0 }

    /// A picture whose samples of Y, Cb and Cr are ramps along rows and columns.
    private static func ramp(_ format: PixelFormat, _ width: Int, _ height: Int) throws -> PixelBuffer {
        try picture(format, width, height) { plane, x, y in
            (plane == 0 ? 100 : 300) + (plane == 0 ? x + y : 2 * (x + y))
        }
    }

    private static func picture(
        _ format: PixelFormat, _ width: Int, _ height: Int, sample: (Int, Int, Int) -> Int
    ) throws -> PixelBuffer {
        var bytes: [UInt8] = []
        for plane in 0..<format.planeCount {
            let step = plane > 0 && format.isBiplanar ? 2 : 1
            for y in 0..<format.rows(plane: plane, height: height) {
                for column in 0..<format.rowBytes(plane: plane, width: width) / 2 {
                    let value = sample(plane, column / step, y) << shift(format)
                    bytes += [UInt8(value & 255), UInt8(value >> 8)]
                }
            }
        }
        // Rows that begin at no sample's place, as wrapped memory may.
        return try TestPicture.picture(format, width, height) { bytes[min($0 - 1 < 0 ? 0 : $0 - 1, bytes.count - 1)] }
    }

    /// Samples of a plane as numbers, row by row.
    private static func samples(_ picture: PixelBuffer, _ plane: Int) -> [[Int]] {
        let count = picture.format.rowBytes(plane: plane, width: picture.width) / 2
        return picture.withPlane(plane) { bytes, stride in
            (0..<picture.format.rows(plane: plane, height: picture.height)).map { row in
                (0..<count).map { Int(bytes[row * stride + 2 * $0]) | Int(bytes[row * stride + 2 * $0 + 1]) << 8 }
            }
        }
    }

    @Test(
        "a ramp stays one within a level, and bits below the lowest stay 0",
        arguments: formats, [(96, 64), (64, 48), (44, 30), (256, 128), (32, 16)])
    func ramps(format: PixelFormat, size: (Int, Int)) throws {
        let source = try Self.ramp(format, 128, 64)
        let scaled = try TestPicture.transferred(source, to: format, size.0, size.1, color: nil)
        let (byX, byY) = (128 / Double(size.0), 64 / Double(size.1))
        for plane in 0..<format.planeCount {
            let step = plane > 0 && format.isBiplanar ? 2 : 1
            let rows = Self.samples(scaled, plane)
            for (y, row) in rows.enumerated() where 2..<rows.count - 2 ~= y {
                for (column, sample) in row.enumerated() where 4..<row.count - 4 ~= column {
                    #expect(sample & ((1 << Self.shift(format)) - 1) == 0)
                    let x = (Double(column / step) + 0.5) * byX - 0.5
                    let height = (Double(y) + 0.5) * byY - 0.5
                    let expected = plane == 0 ? 100 + x + height : 300 + 2 * (x + height)
                    let difference = abs(Double(sample >> Self.shift(format)) - expected)
                    guard difference > 1.5 else { continue }
                    Issue.record("plane \(plane) at \(column), \(y): \(sample >> Self.shift(format)), not \(expected)")
                    return
                }
            }
        }
    }

    @Test("the same size is a copy; bars are black", arguments: formats)
    func copiesAndBars(format: PixelFormat) throws {
        let source = try Self.ramp(format, 64, 32)
        let copy = try TestPicture.transferred(source, to: format, color: nil)
        for plane in 0..<format.planeCount { #expect(Self.samples(copy, plane) == Self.samples(source, plane)) }
        var options = PixelTransferOptions()
        options.scaling = .letterbox
        let boxed = try TestPicture.transferred(source, to: format, 64, 64, color: nil, options)
        let black = (format.isFullRange ? 0 : 16 << (format.bitDepth - 8)) << Self.shift(format)
        let luma = Self.samples(boxed, 0)
        #expect(luma[0] == [Int](repeating: black, count: 64) && luma[63] == luma[0])
        #expect(Self.samples(boxed, 1)[0].allSatisfy { $0 == (128 << (format.bitDepth - 8)) << Self.shift(format) })
        #expect(Array(luma[16..<48]) == Self.samples(source, 0))
    }

    @Test("what is trimmed is the middle")
    func trimmed() throws {
        var options = PixelTransferOptions()
        options.scaling = .trim
        let source = try Self.ramp(.p010, 128, 64)
        let trimmed = try TestPicture.transferred(source, to: .p010, 64, 64, color: nil, options)
        #expect(Self.samples(trimmed, 0) == Self.samples(source, 0).map { Array($0[32..<96]) })
        #expect(Self.samples(trimmed, 1) == Self.samples(source, 1).map { Array($0[32..<96]) })
    }
}
