// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Synchronization

/// Memory for pictures, used again when their last holders let go.
///
/// Without padding between rows and planes, as files store them, a picture is read with one system call and wrapped as
/// it is. Libraries that write pictures want aligned rows.
final class PictureMemory: Sendable {
    let format: PixelFormat
    let width: Int
    let height: Int
    /// Bytes of one picture.
    let byteCount: Int
    private let rowAlignment: Int
    private let idle = Mutex<[Block]>([])

    /// The memory of one picture.
    struct Block: @unchecked Sendable {
        // Unchecked: whoever takes a block from the pool is its only user until it goes into a picture or back.
        let bytes: UnsafeMutableRawBufferPointer
    }

    /// Makes an empty pool.
    ///
    /// - Parameters:
    ///   - format: How the samples of the pictures lie.
    ///   - width: Luma samples in a row, 1...65535.
    ///   - height: Luma rows, 1...65535.
    ///   - rowAlignment: Rows take a multiple of this many bytes.
    init(format: PixelFormat, width: Int, height: Int, rowAlignment: Int = 1) {
        self.format = format
        self.width = width
        self.height = height
        self.rowAlignment = rowAlignment
        byteCount = (0..<format.planeCount).reduce(0) { sum, plane in
            let rowBytes = Self.bytesPerRow(format: format, plane: plane, width: width, alignment: rowAlignment)
            return sum + rowBytes * format.rows(plane: plane, height: height)
        }
    }

    deinit {
        // Pictures that are out hold the pool, so all memory is here.
        idle.withLock { $0.forEach { free($0.bytes.baseAddress) } }
    }

    /// Memory with undefined contents.
    func take() throws(MediaFileError) -> Block {
        if let memory = idle.withLock({ $0.popLast() }) { return memory }
        var base: UnsafeMutableRawPointer?
        guard posix_memalign(&base, 64, byteCount) == 0 else {
            throw MediaFileError(.outOfMemory, reason: "no memory for a picture of \(width)x\(height)")
        }
        return Block(bytes: UnsafeMutableRawBufferPointer(start: base, count: byteCount))
    }

    /// Takes back memory that did not become a picture.
    func giveBack(_ memory: Block) { idle.withLock { $0.append(memory) } }

    private static func bytesPerRow(format: PixelFormat, plane: Int, width: Int, alignment: Int) -> Int {
        (format.rowBytes(plane: plane, width: width) + alignment - 1) / alignment * alignment
    }

    /// Where the planes of a picture lie in a block.
    func planes(of memory: Block) -> [PixelBuffer.WrappedPlane] {
        var planes: [PixelBuffer.WrappedPlane] = []
        planes.reserveCapacity(format.planeCount)
        var offset = 0
        for plane in 0..<format.planeCount {
            let bytesPerRow = Self.bytesPerRow(format: format, plane: plane, width: width, alignment: rowAlignment)
            let end = offset + bytesPerRow * format.rows(plane: plane, height: height)
            let bytes = UnsafeRawBufferPointer(rebasing: memory.bytes[offset..<end])
            planes.append(.init(bytes: bytes, bytesPerRow: bytesPerRow))
            offset = end
        }
        return planes
    }

    /// Makes a picture of filled memory.
    func picture(_ memory: Block) throws(MediaFileError) -> PixelBuffer {
        do throws(EncoderError) {
            return try PixelBuffer(wrapping: planes(of: memory), format: format, width: width, height: height) {
                [self] in giveBack(memory)
            }
        } catch {
            giveBack(memory)
            throw MediaFileError(.invalidValue, reason: error.reason)
        }
    }
}
