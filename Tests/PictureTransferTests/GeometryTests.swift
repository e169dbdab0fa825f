// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureTransfer
import TestSupport
import Testing

/// Sizes, directions and parts of pictures.
@Suite struct GeometryTests {
    typealias Options = PixelTransferOptions

    /// All turns, mirrored and not.
    private static let turns = Options.Rotation.allCases.flatMap { [($0, false), ($0, true)] }

    /// A picture in RGB turned pixel by pixel.
    private static func turned(
        _ picture: PixelBuffer, _ rotation: Options.Rotation, _ isMirrored: Bool
    ) throws -> PixelBuffer {
        let swaps = rotation == .degrees90 || rotation == .degrees270
        let (width, height) = swaps ? (picture.height, picture.width) : (picture.width, picture.height)
        var target = try MutablePixelBuffer(format: picture.format, width: width, height: height)
        let size = picture.format == .rgb24 ? 3 : 4
        target.withMutablePlane(0) { bytes, stride in
            picture.withPlane(0) { source, sourceStride in
                for y in 0..<height {
                    for x in 0..<width {
                        let column = isMirrored ? width - 1 - x : x
                        let (fromX, fromY): (Int, Int) =
                            switch rotation {
                            case .none: (column, y)
                            case .degrees90: (y, picture.height - 1 - column)
                            case .degrees180: (picture.width - 1 - column, picture.height - 1 - y)
                            case .degrees270: (picture.width - 1 - y, column)
                            }
                        for byte in 0..<size {
                            bytes[y * stride + x * size + byte] = source[fromY * sourceStride + fromX * size + byte]
                        }
                    }
                }
            }
        }
        return PixelBuffer(target)
    }

    private static func options(_ rotation: Options.Rotation, _ isMirrored: Bool) -> Options {
        var options = Options()
        (options.rotation, options.isMirrored) = (rotation, isMirrored)
        return options
    }

    @Test(
        "a turned picture in RGB has the samples of one that was turned before, to the bit",
        arguments: turns, [(37, 23), (64, 50), (1, 9), (9, 1)])
    func turnedRGB(turn: (Options.Rotation, Bool), size: (Int, Int)) throws {
        var generator = SeededGenerator()
        for format in [PixelFormat.bgra, .argb, .rgb24] {
            for target in [PixelFormat.nv12, .i420] {
                let picture = try TestPicture.random(format, size.0, size.1, padding: 3, using: &generator)
                let before = try Self.turned(picture, turn.0, turn.1)
                let expected = try TestPicture.transferred(before, to: target)
                let made = try TestPicture.transferred(
                    picture, to: target, before.width, before.height, Self.options(turn.0, turn.1))
                for component in 0..<3 { #expect(made.samples(component) == expected.samples(component)) }
            }
        }
    }

    @Test("planes of 4:2:0 and 4:4:4 are turned sample by sample", arguments: turns)
    func turnedPlanes(turn: (Options.Rotation, Bool)) throws {
        var generator = SeededGenerator()
        for format in [PixelFormat.i420, .nv12, .i444, .yuyv, .nv16] {
            let picture = try TestPicture.random(format, 38, 22, padding: 1, using: &generator)
            let straight = try TestPicture.transferred(picture, to: .i420)
            let swaps = turn.0 == .degrees90 || turn.0 == .degrees270
            let made = try TestPicture.transferred(
                picture, to: .nv12, swaps ? 22 : 38, swaps ? 38 : 22, Self.options(turn.0, turn.1))
            for component in 0..<3 {
                var rows = straight.samples(component)
                for _ in 0..<turn.0.rawValue / 90 {
                    rows = rows[0].indices.map { column in rows.reversed().map { $0[column] } }
                }
                if turn.1 { rows = rows.map { $0.reversed() } }
                #expect(made.samples(component) == rows, "\(format) component \(component)")
            }
        }
    }

    @Test(
        "a letterboxed picture is black around an evenly placed middle",
        arguments: [(100, 50, 100, 100), (50, 100, 100, 100), (64, 64, 65, 33), (33, 65, 64, 64), (2, 2, 1, 9)],
        [false, true])
    func letterbox(sizes: (Int, Int, Int, Int), isFullRange: Bool) throws {
        var options = Options()
        options.scaling = .letterbox
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: isFullRange)
        let white = try TestPicture.picture(.bgra, sizes.0, sizes.1) { _ in 255 }
        let made = try TestPicture.transferred(white, to: .nv12, sizes.2, sizes.3, color: color, options)
        let rows = made.samples(0)
        let (black, bright): (UInt8, UInt8) = isFullRange ? (0, 255) : (16, 235)
        let lit = rows.indices.filter { rows[$0].contains(bright) }
        let columns = rows[0].indices.filter { column in rows.contains { $0[column] == bright } }
        let (first, left) = (try #require(lit.first), try #require(columns.first))
        #expect(first % 2 == 0 && left % 2 == 0)
        for (y, row) in rows.enumerated() {
            for (x, sample) in row.enumerated() {
                #expect(sample == (lit.contains(y) && columns.contains(x) ? bright : black), "\(x), \(y)")
            }
        }
        for component in 1...2 { #expect(made.samples(component).allSatisfy { $0.allSatisfy { $0 == 128 } }) }
        // As large as the ratio of the sides allows, but for a step of two.
        let scale = min(Double(sizes.2) / Double(sizes.0), Double(sizes.3) / Double(sizes.1))
        #expect(abs(Double(columns.count) - Double(sizes.0) * scale) <= 2)
        #expect(abs(Double(lit.count) - Double(sizes.1) * scale) <= 2)
    }

    @Test("what trimming cuts off leaves no trace, in whatever direction")
    func trim() throws {
        // The middle 40 of 80 columns are white.
        let width = 80
        let picture = try TestPicture.picture(.bgra, width, 40) { index in
            (20..<60).contains((index - 1) / 4 % width) ? 255 : 0
        }
        for rotation in Options.Rotation.allCases {
            var options = Self.options(rotation, false)
            options.scaling = .trim
            let made = try TestPicture.transferred(picture, to: .i420, 40, 40, options)
            #expect(made.samples(0).allSatisfy { $0.allSatisfy { $0 == 235 } }, "\(rotation)")
            options.scaling = .normal
            let whole = try TestPicture.transferred(picture, to: .i420, 40, 40, options)
            #expect(whole.samples(0).contains { $0.contains(16) })
        }
    }

    @Test("what is left of a clean aperture is what a picture of that part gives", arguments: PixelFormat.transferable)
    func cleanAperture(format: PixelFormat) throws {
        var generator = SeededGenerator()
        let picture = try TestPicture.random(format, 33, 21, padding: 2, using: &generator)
        var options = Options()
        options.cleanAperture = .init(x: 6, y: 4, width: 27, height: 17)
        let made = try TestPicture.transferred(picture, to: .i420, 27, 17, options)
        // The part as a picture of its own, in the same memory.
        let planes = (0..<format.planeCount).map { plane in
            picture.withPlane(plane) { bytes, stride in
                let start =
                    format.rowBytes(plane: plane, width: 6) + format.rows(plane: plane, height: 4) * stride
                return PixelBuffer.WrappedPlane(
                    bytes: UnsafeRawBufferPointer(rebasing: bytes[start...]), bytesPerRow: stride)
            }
        }
        let part = try PixelBuffer(wrapping: planes, format: format, width: 27, height: 17, owner: picture)
        let expected = try TestPicture.transferred(part, to: .i420)
        for component in 0..<3 { #expect(made.samples(component) == expected.samples(component)) }
    }

    @Test("scaling keeps a flat picture flat, and a ramp a ramp, up and down", arguments: PixelFormat.transferable)
    func scaling(format: PixelFormat) throws {
        for (width, height) in [(20, 10), (61, 33), (9, 200), (1, 1), (2, 3)] {
            let flat = try TestPicture.picture(format, 40, 24) { _ in 90 }
            let straight = try TestPicture.transferred(flat, to: .nv12)
            let made = try TestPicture.transferred(flat, to: .nv12, width, height)
            for component in 0..<3 {
                let value = straight.samples(component)[0][0]
                #expect(made.samples(component).allSatisfy { $0.allSatisfy { $0 == value } }, "\(width)x\(height)")
            }
        }
        let ramp = try TestPicture.picture(.i420, 128, 4) { index in
            (1...512).contains(index) ? UInt8((index - 1) % 128) + 50 : 128
        }
        for width in [64, 96, 192, 43] {
            let row = try TestPicture.transferred(ramp, to: .i420, width, 4).samples(0)[1]
            for (column, sample) in row.enumerated() {
                let exact = 50 + min(max((Double(column) + 0.5) * 128 / Double(width) - 0.5, 0), 127)
                #expect(abs(Double(sample) - exact) <= 1.5, "column \(column) of \(width)")
            }
        }
    }
}

extension PixelFormat {
    /// What a transfer takes.
    static let transferable = allCases.filter { $0.bitDepth == 8 }
}
