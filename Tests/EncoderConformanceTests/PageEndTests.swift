// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Memory in front of a page without access: what reads past its end stops the process.
private final class GuardedMemory: Sendable {
    private let base: UInt
    private let byteCount: Int
    private static let pageBytes = 4096

    init(pages: Int) {
        byteCount = (pages + 1) * Self.pageBytes
        let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        self.base = UInt(bitPattern: base)
        let guardPage = base?.advanced(by: pages * Self.pageBytes)
        precondition(base != MAP_FAILED && mprotect(guardPage, Self.pageBytes, PROT_NONE) == 0)
    }

    deinit { munmap(UnsafeMutableRawPointer(bitPattern: base), byteCount) }

    /// The last `count` bytes.
    func suffix(_ count: Int) -> UnsafeRawBufferPointer {
        let end = base + UInt(byteCount - Self.pageBytes)
        return UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: end - UInt(count)), count: count)
    }
}

/// One back end with a format.
struct PageEndRow: Sendable, CustomTestStringConvertible {
    let backend: any ImmediateBackend
    let codec: VideoCodec
    let format: PixelFormat

    var testDescription: String { "\(backend.identifier) \(format)" }

    static let all = PixelFormat.fourTwoZero.flatMap { format in
        (format == .i012 ? [] : [PageEndRow(backend: X264Backend(), codec: .h264, format: format)])
            + [PageEndRow(backend: X265Backend(), codec: .hevc, format: format)]
    }
}

@Suite("Planes that end at a page", .serialized) struct PageEndTests {
    /// Every width that a vector of 64 bytes can end at, and what follows it in wider pictures.
    private static let widths = Array(1...66) + [127, 128, 129, 130, 176, 272, 720, 854, 1288]

    /// Where in a vector of 16 bytes a width ends, and how many vectors there are.
    private static func labels(_ width: Int) -> [String] {
        ["\(width % 16) of 16", width < 16 ? "none" : width < 67 ? "few" : "many"]
    }

    private let planes = (0..<3).map { _ in GuardedMemory(pages: 32) }

    @Test(
        "a wrapped picture is encoded although nothing behind its planes can be read", arguments: PageEndRow.all,
        [false, true])
    func sampledEncodes(row: PageEndRow, adjoining: Bool) async throws {
        for width in Sample.of(Self.widths, labels: Self.labels) {
            let height = 16 + width % 3
            var configuration = SessionConfiguration(codec: row.codec, width: width, height: height)
            configuration.pixelFormat = row.format
            configuration.preset = "ultrafast"
            configuration.threadCount = 1
            let session = try CompressionSession(configuration, encoder: row.backend)
            let picture = try picture(row.format, width: width, height: height, adjoining: adjoining)
            try await session.encode(picture, at: .zero)
            try await session.finish()
            var count = 0
            for try await frame in session.encodedFrames where frame.accessUnit != nil { count += 1 }
            #expect(count == 1, "\(width)x\(height)")
        }
    }

    /// A black picture whose planes all end at the page, or the last does and the others lie in front of it; rows
    /// without padding in pictures of odd height.
    private func picture(_ format: PixelFormat, width: Int, height: Int, adjoining: Bool) throws -> PixelBuffer {
        var behind = 0
        let wrapped = (0..<format.planeCount).reversed().map { plane in
            let rowBytes = format.rowBytes(plane: plane, width: width)
            let stride = height % 2 == 0 ? rowBytes + 2 * (width % 9) : rowBytes
            let count = (format.rows(plane: plane, height: height) - 1) * stride + rowBytes
            let memory = planes[adjoining ? 0 : plane].suffix(count + behind)
            if adjoining { behind += count }
            return PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(rebasing: memory.prefix(count)), bytesPerRow: stride)
        }
        return try PixelBuffer(wrapping: wrapped.reversed(), format: format, width: width, height: height) { [planes] in
            withExtendedLifetime(planes) {}
        }
    }
}
