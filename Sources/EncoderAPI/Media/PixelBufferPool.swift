// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Hands out pictures of one format and size and takes their memory back when nobody holds them any more.
public final class PixelBufferPool: Sendable {
    /// How the samples lie in memory.
    public let format: PixelFormat
    /// Luma samples in a row.
    public let width: Int
    /// Luma rows.
    public let height: Int
    private let layout: PlaneLayout
    private let idle = Mutex<Idle>(Idle())

    /// Memory that waits for its next use.
    private struct Idle: @unchecked Sendable {
        // Unchecked: only the pool holds these addresses, and only inside its mutex.
        var bases: [UnsafeMutableRawPointer] = []
    }

    /// Makes an empty pool; memory is allocated when the first pictures are asked for.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a side outside 1...65535.
    public init(format: PixelFormat, width: Int, height: Int) throws(EncoderError) {
        try PixelBuffer.check(width: width, height: height)
        self.format = format
        self.width = width
        self.height = height
        layout = PlaneLayout(format: format, width: width, height: height)
    }

    deinit {
        // Pictures that are out hold the pool, so all memory is here.
        idle.withLock { idle in idle.bases.forEach(PixelStorage.free) }
    }

    /// A picture with undefined samples: recycled memory if there is some, else new.
    ///
    /// - Throws: ``EncoderError`` with `.outOfMemory`.
    public func makeMutablePixelBuffer() throws(EncoderError) -> MutablePixelBuffer {
        let recycled = idle.withLock { idle in Idle(bases: idle.bases.popLast().map { [$0] } ?? []) }
        guard let base = recycled.bases.first ?? PixelStorage.allocate(byteCount: layout.byteCount) else {
            throw EncoderError(.outOfMemory, reason: "no memory for a picture of \(width)x\(height)")
        }
        let storage = PixelStorage(recycling: base, to: self)
        return MutablePixelBuffer(format: format, width: width, height: height, layout: layout, storage: storage)
    }

    /// Frees the memory that waits for its next use.
    public func flush() {
        idle.withLock { idle in
            idle.bases.forEach(PixelStorage.free)
            idle.bases.removeAll()
        }
    }

    func recycle(_ base: UnsafeMutableRawPointer) {
        let idleBase = Idle(bases: [base])
        idle.withLock { $0.bases += idleBase.bases }
    }
}
