// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import PictureTransfer

/// Two samples of three.
@Suite struct TwoThirdsScalerTests {
    @Test(
        "two thirds of a plane are to the bit what libyuv makes of it, and within one level of exact arithmetic",
        arguments: [(3, 3), (6, 9), (51, 27), (192, 30), (201, 75)], [0, 5])
    func planes(size: (Int, Int), padding: Int) throws {
        var generator = SeededGenerator()
        let library = try YUVLibrary.shared.get()
        let (scratch, stride) = (Scratch(), size.0 + padding)
        var bytes = (0..<stride * size.1).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let (width, height) = (size.0 / 3 * 2, size.1 / 3 * 2)
        let (ours, theirs) = (
            try scratch.plane(width: width, height: height), try scratch.plane(width: width, height: height)
        )
        try bytes.withUnsafeMutableBytes { memory in
            let base = try #require(memory.baseAddress)
            let source = Plane(base, stride: stride, width: size.0, height: size.1)
            try TwoThirdsScaler(library: library, scratch: scratch).scale(source, to: ours)
            library.scale(source, to: theirs)
        }
        func sample(_ x: Int, _ y: Int) -> Double { Double(bytes[y * stride + x]) }
        for y in 0..<height {
            for x in 0..<width {
                #expect(ours.row(y)[x] == theirs.row(y)[x], "\(x), \(y)")
                let (column, row) = (x / 2 * 3, y / 2 * 3)
                let (nearX, nearY) = (column + x % 2 * 2, row + y % 2 * 2)
                let near = 0.75 * sample(nearX, nearY) + 0.25 * sample(column + 1, nearY)
                let far = 0.75 * sample(nearX, row + 1) + 0.25 * sample(column + 1, row + 1)
                #expect(abs(Double(ours.row(y)[x]) - (0.75 * near + 0.25 * far)) <= 1, "\(x), \(y)")
            }
        }
    }
}
