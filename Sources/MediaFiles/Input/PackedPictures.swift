// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Synchronization

/// Memory for pictures whose rows and planes follow each other without padding, as files store them.
///
/// A picture is read with one system call and wrapped as it is; nothing is copied, and the memory comes back when the
/// picture's last holder lets go.
final class PackedPictures: Sendable {
    let format: PixelFormat
    let width: Int
    let height: Int
    /// Bytes of one picture.
    let byteCount: Int
    private let idle = Mutex<[Memory]>([])

    /// The memory of one picture.
    struct Memory: @unchecked Sendable {
        // Unchecked: whoever takes a block from the pool is its only user until it goes into a picture or back.
        let bytes: UnsafeMutableRawBufferPointer
    }

    init(format: PixelFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
        byteCount = format.byteCount(width: width, height: height)
    }

    deinit {
        // Pictures that are out hold the pool, so all memory is here.
        idle.withLock { $0.forEach { free($0.bytes.baseAddress) } }
    }

    /// Memory with undefined contents.
    func take() throws(MediaFileError) -> Memory {
        if let memory = idle.withLock({ $0.popLast() }) { return memory }
        var base: UnsafeMutableRawPointer?
        guard posix_memalign(&base, 64, byteCount) == 0 else {
            throw MediaFileError(.outOfMemory, reason: "no memory for a picture of \(width)x\(height)")
        }
        return Memory(bytes: UnsafeMutableRawBufferPointer(start: base, count: byteCount))
    }

    /// Takes back memory that did not become a picture.
    func giveBack(_ memory: Memory) { idle.withLock { $0.append(memory) } }

    /// Makes a picture of filled memory.
    func picture(_ memory: Memory) throws(MediaFileError) -> PixelBuffer {
        var planes: [PixelBuffer.WrappedPlane] = []
        planes.reserveCapacity(format.planeCount)
        var offset = 0
        for plane in 0..<format.planeCount {
            let rowBytes = format.rowBytes(plane: plane, width: width)
            let end = offset + rowBytes * format.rows(plane: plane, height: height)
            let bytes = UnsafeRawBufferPointer(rebasing: memory.bytes[offset..<end])
            planes.append(.init(bytes: bytes, bytesPerRow: rowBytes))
            offset = end
        }
        do throws(EncoderError) {
            return try PixelBuffer(wrapping: planes, format: format, width: width, height: height) { [self] in
                giveBack(memory)
            }
        } catch {
            giveBack(memory)
            throw MediaFileError(.invalidValue, reason: error.reason)
        }
    }
}
