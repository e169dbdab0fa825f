// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import TestSupport
import Testing

@testable import PictureTransfer

/// Memory between two pages that nobody may touch.
private final class GuardedMemory: Sendable {
    private static let page = 4096
    private let byteCount: Int
    // Unsafe: the mapping is made once, and written by the test that owns it before anybody reads.
    nonisolated(unsafe) private let base: UnsafeMutableRawPointer

    init(pages: Int) throws {
        byteCount = pages * Self.page
        base = try #require(
            mmap(nil, byteCount + 2 * Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(mprotect(base, Self.page, PROT_NONE) == 0)
        try #require(mprotect(base + Self.page + byteCount, Self.page, PROT_NONE) == 0)
    }

    deinit { munmap(base, byteCount + 2 * Self.page) }

    /// The first or the last bytes before what nobody may touch.
    func bytes(_ count: Int, atEnd: Bool) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + Self.page + (atEnd ? byteCount - count : 0), count: count)
    }
}

/// What a transfer reads, and what it takes.
@Suite(.serialized) struct MemoryTests {
    @Test(
        "nothing is read beside planes that lie at the ends of pages", arguments: PixelFormat.transferable,
        [false, true])
    func pageEnds(format: PixelFormat, atEnd: Bool) throws {
        let memory = try (0..<format.planeCount).map { _ in try GuardedMemory(pages: 8) }
        var turned = PixelTransferOptions()
        turned.rotation = .degrees90
        for width in Array(1...34) + [63, 64, 65, 127, 130] {
            let height = 1 + width % 5
            let planes = memory.indices.map { plane in
                let rowBytes = format.rowBytes(plane: plane, width: width)
                let stride = rowBytes + (width % 3)
                let count = (format.rows(plane: plane, height: height) - 1) * stride + rowBytes
                let bytes = memory[plane].bytes(count, atEnd: atEnd)
                _ = bytes.initializeMemory(as: UInt8.self, repeating: 77)
                return PixelBuffer.WrappedPlane(bytes: UnsafeRawBufferPointer(bytes), bytesPerRow: stride)
            }
            let picture = try PixelBuffer(wrapping: planes, format: format, width: width, height: height) { [memory] in
                withExtendedLifetime(memory) {}
            }
            for target in [PixelFormat.i420, .nv12] {
                let same = try TestPicture.transferred(picture, to: target)
                let other = try TestPicture.transferred(picture, to: target, height, width, turned)
                let scaled = try TestPicture.transferred(picture, to: target, 2 * width + 1, 7)
                let small = try TestPicture.transferred(picture, to: target, (width + 2) / 3, 1)
                let value = same.samples(0)[0][0]
                for made in [same, other, scaled, small] {
                    #expect(made.samples(0).allSatisfy { $0.allSatisfy { $0 == value } }, "\(width)x\(height)")
                }
            }
        }
    }

    @Test(
        "nothing is written beside a target at the end of its memory",
        arguments: [PixelFormat.i420, .nv12], PixelFormat.transferable)
    func targetEnds(target: PixelFormat, format: PixelFormat) throws {
        for width in [1, 2, 7, 15, 16, 17, 31, 33, 66] {
            let height = 1 + width % 4
            let picture = try TestPicture.picture(format, width, height) { _ in 77 }
            for (toWidth, toHeight) in [(width, height), (width + 3, height + 1)] {
                let surface = try SurfaceMemory(format: target, width: toWidth, height: toHeight)
                var buffer = try surface.open()
                buffer.color = .bt709
                try PixelTransferSession().transfer(picture, to: &buffer)
                #expect(surface.isIntact, "\(toWidth)x\(toHeight)")
            }
        }
    }

    @Test(
        "a transfer takes as much memory as the larger picture, twice that to turn and scale, rows where neither",
        arguments: Sample.of(PixelFormat.transferable, least: 4))
    func sampledMemory(format: PixelFormat) throws {
        for target in [PixelFormat.i420, .nv12] {
            for rotation in PixelTransferOptions.Rotation.allCases {
                for (toWidth, toHeight) in [(640, 384), (384, 640), (1280, 768), (320, 192)] {
                    var options = PixelTransferOptions()
                    options.rotation = rotation
                    let picture = try TestPicture.flat(format, 640, 384, 9)
                    let session = PixelTransferSession(options)
                    var buffer = try MutablePixelBuffer(format: target, width: toWidth, height: toHeight)
                    buffer.color = .bt709
                    try session.transfer(picture, to: &buffer)
                    let once = session.scratchByteCount
                    try session.transfer(picture, to: &buffer)
                    #expect(session.scratchByteCount == once)
                    let larger = max(
                        format.byteCount(width: 640, height: 384),
                        target.byteCount(width: toWidth, height: toHeight))
                    let label: Comment = "\(format) to \(target) of \(toWidth)x\(toHeight), \(rotation): \(once)"
                    let isTurnedAndScaled =
                        rotation != .none && rotation != .degrees180 ? toWidth != 384 : toWidth != 640
                    #expect(once <= (rotation != .none && isTurnedAndScaled ? 2 * larger : larger), label)
                    if toWidth == 640, rotation == .none, format.isRGB || format.isFourTwoZero {
                        // A few rows of pixels with four bytes, and one of Cb and Cr in turn.
                        #expect(once <= 17 * 4 * 640 + 704, label)
                    }
                }
            }
        }
    }

    @Test("a picture of 8192x4320 is transferred and scaled, from BGRA and NV12", .inTurn())
    func largest() throws {
        let picture = try TestPicture.flat(.bgra, 8192, 4320, 200)
        let small = try TestPicture.transferred(picture, to: .nv12, 64, 36)
        let value = try TestPicture.transferred(try TestPicture.flat(.bgra, 8, 8, 200), to: .nv12).samples(0)[0][0]
        #expect(small.samples(0).allSatisfy { $0.allSatisfy { $0 == value } })
        let planes = try TestPicture.flat(.nv12, 8192, 4320, 99)
        let other = try TestPicture.transferred(planes, to: .i420, 512, 270)
        for component in 0..<3 { #expect(other.samples(component).allSatisfy { $0.allSatisfy { $0 == 99 } }) }
    }
}

/// A picture's memory with a margin that shows what was written there.
private final class SurfaceMemory: DeviceSurface {
    // Unsafe: the memory is allocated once and freed by the last holder; one test uses it.
    nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer
    private let format: PixelFormat
    private let width: Int
    private let height: Int
    private static let margin = 128

    init(format: PixelFormat, width: Int, height: Int) throws {
        (self.format, self.width, self.height) = (format, width, height)
        memory = .allocate(
            byteCount: format.byteCount(width: width, height: height) + (format.planeCount + 1) * Self.margin,
            alignment: 64)
        _ = memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
    }

    deinit { memory.deallocate() }

    private func offset(_ plane: Int) -> Int {
        (0..<plane).reduce(Self.margin) { place, plane in
            place + Self.margin
                + format.rowBytes(plane: plane, width: width) * format.rows(plane: plane, height: height)
        }
    }

    func open() throws -> MutablePixelBuffer {
        let planes = (0..<format.planeCount).map {
            MutablePixelBuffer.SurfacePlane(offset: offset($0), bytesPerRow: format.rowBytes(plane: $0, width: width))
        }
        return try MutablePixelBuffer(
            writing: self, memory: memory, planes: planes, format: format, width: width, height: height)
    }

    /// Whether the margins are as they were.
    var isIntact: Bool {
        (0...format.planeCount).allSatisfy { plane in
            let end = offset(plane)
            return memory[end - Self.margin..<end].allSatisfy { $0 == 0xA5 }
        }
    }

    func finishWriting() {}

    func mapped() throws(EncoderError) -> PixelBuffer {
        throw EncoderError(.unsupported, reason: "no test maps the surface")
    }
}

extension TestPicture {
    /// A picture whose bytes are all the same, made without a closure for each.
    fileprivate static func flat(_ format: PixelFormat, _ width: Int, _ height: Int, _ byte: UInt8) throws
        -> PixelBuffer
    {
        var picture = try MutablePixelBuffer(format: format, width: width, height: height)
        for plane in 0..<format.planeCount {
            picture.withMutablePlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: byte) }
        }
        return PixelBuffer(picture)
    }
}
