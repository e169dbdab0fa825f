// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization
import Testing

@Suite struct PixelBufferTests {
    @Test("planes of odd pictures have the chroma of the last column and row", arguments: PixelFormat.fourTwoZero)
    func oddSizes(format: PixelFormat) throws {
        let bytes = format.bytesPerSample
        #expect(format.byteCount(width: 5, height: 3) == (15 + 2 * 3 * 2) * bytes)
        var buffer = try MutablePixelBuffer(format: format, width: 5, height: 3)
        let chroma = buffer.withMutablePlane(1) { plane, stride in plane.count - stride }
        #expect(chroma == 3 * bytes * (format.isBiplanar ? 2 : 1))
    }

    @Test("wrapped memory is read in place and released once, when the last holder lets go")
    func wrapping() throws {
        // Unsafe: the release callback is the last to touch the memory.
        nonisolated(unsafe) let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 600, alignment: 1)
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
        let releases = Mutex(0)
        var buffer: PixelBuffer? = try PixelBuffer(
            wrapping: [
                .init(bytes: UnsafeRawBufferPointer(rebasing: bytes[0..<400]), bytesPerRow: 25),
                .init(bytes: UnsafeRawBufferPointer(rebasing: bytes[400...]), bytesPerRow: 16),
            ], format: .nv12, width: 16, height: 16
        ) {
            releases.withLock { $0 += 1 }
            bytes.deallocate()
        }
        let first = buffer?.withPlane(0) { plane, stride in (plane.count, stride, plane[25]) }
        #expect(first?.0 == 15 * 25 + 16 && first?.1 == 25 && first?.2 == 25)
        #expect(buffer?.withPlane(1) { plane, _ in plane[16] } == UInt8(truncatingIfNeeded: 416))
        #expect(releases.withLock { $0 } == 0)
        buffer = nil
        #expect(releases.withLock { $0 } == 1)
    }

    @Test("planes that do not fit are refused by number, value and legal range")
    func refusals() {
        let bytes = [UInt8](repeating: 0, count: 300)
        bytes.withUnsafeBytes { bytes in
            let rows: [(count: Int, bytesPerRow: Int, width: Int, says: String)] = [
                (300, 15, 16, "plane 0 has 15 bytes per row, expected 16...2147483647"),
                (255, 16, 16, "plane 0 has 255 bytes, expected 256 or more"),
                (300, 16, 0, "width 0, expected 1...65535"), (300, 16, 65536, "width 65536, expected 1...65535"),
                (300, .max, 16, "bytes per row"), (300, -16, 16, "bytes per row"),
            ]
            for row in rows {
                let plane = PixelBuffer.WrappedPlane(
                    bytes: UnsafeRawBufferPointer(rebasing: bytes[..<row.count]), bytesPerRow: row.bytesPerRow)
                let error = #expect(throws: EncoderError.self) {
                    try PixelBuffer(
                        wrapping: [plane, plane, plane], format: .i420, width: row.width, height: 16, onRelease: {})
                }
                #expect(error?.reason.contains(row.says) == true)
                #expect(error?.code == .invalidPixelBuffer)
            }
        }
        #expect(throws: EncoderError.self) {
            try PixelBuffer(wrapping: [], format: .i420, width: 16, height: 16, onRelease: {})
        }
    }

    @Test("a picture in memory that an object owns holds the object as long as somebody holds the picture")
    func owner() throws {
        /// A camera's frame.
        final class Frame: Sendable {
            nonisolated(unsafe) let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 384, alignment: 64)
            deinit { bytes.deallocate() }
        }
        weak var witness: Frame?
        var picture: PixelBuffer?
        do {
            let frame = Frame()
            _ = frame.bytes.initializeMemory(as: UInt8.self, repeating: 77)
            witness = frame
            let planes = [0..<256, 256..<384].map { range in
                PixelBuffer.WrappedPlane(
                    bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(frame.bytes)[range]), bytesPerRow: 16
                )
            }
            picture = try PixelBuffer(wrapping: planes, format: .nv12, width: 16, height: 16, owner: frame)
        }
        #expect(witness != nil)
        picture?.withPlane(1) { bytes, _ in #expect(bytes.allSatisfy { $0 == 77 }) }
        picture = nil
        #expect(witness == nil)
    }

    @Test("a pool hands the same memory out again once its picture is gone")
    func recycling() throws {
        let pool = try PixelBufferPool(format: .i420, width: 64, height: 64)
        func address(_ buffer: borrowing PixelBuffer) -> UnsafeRawPointer { buffer.unsafeAddress(plane: 0) }
        let first = address(PixelBuffer(try pool.makeMutablePixelBuffer()))
        let again = PixelBuffer(try pool.makeMutablePixelBuffer())
        let other = PixelBuffer(try pool.makeMutablePixelBuffer())
        #expect(address(again) == first && address(other) != first)
    }
}
