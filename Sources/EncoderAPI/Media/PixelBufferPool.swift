// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Hands out pictures of one format, size and color and takes their memory back when nobody holds them any more.
public final class PixelBufferPool: Sendable {
    /// How the samples lie in memory.
    public var format: PixelFormat { source.pixelFormat }
    /// Luma samples in a row.
    public var width: Int { source.width }
    /// Luma rows.
    public var height: Int { source.height }
    /// What the samples of its pictures mean, which each carries; nil for pictures that do not tell.
    public var color: ColorDescription? { source.color }
    /// What its pictures are like.
    let source: SourceFormat
    private let layout: PlaneLayout
    /// Makes the pictures of a pool that is an encoder's; nil for one that allocates.
    private let make: (@Sendable () throws(EncoderError) -> MutablePixelBuffer)?
    /// The pool that makes the pictures, to which this one gives its color; nil where this one makes them.
    private let base: PixelBufferPool?
    private let idle = Mutex<Idle>(Idle())

    /// Memory that waits for its next use.
    private struct Idle: @unchecked Sendable {
        // Unchecked: only the pool holds these addresses, and only inside its mutex.
        var bases: [UnsafeMutableRawPointer] = []
    }

    /// Makes an empty pool; memory is allocated when the first pictures are asked for.
    ///
    /// - Parameters:
    ///   - format: How the samples lie in memory.
    ///   - width: Luma samples in a row, 1 to 65535.
    ///   - height: Luma rows, 1 to 65535.
    ///   - color: What the samples mean; nil, the default, for pictures that do not tell.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a side outside 1...65535.
    public convenience init(
        format: PixelFormat, width: Int, height: Int, color: ColorDescription? = nil
    ) throws(EncoderError) {
        try self.init(SourceFormat(width: width, height: height, pixelFormat: format, color: color))
    }

    /// Makes a pool of an encoder's: for back ends, whose pictures lie where the device reads them.
    ///
    /// - Parameters:
    ///   - format: How the samples lie in memory.
    ///   - width: Luma samples in a row, as the pictures are given to the session.
    ///   - height: Luma rows, likewise.
    ///   - make: Makes a picture of this format and size, on any thread; see
    ///     ``MutablePixelBuffer/init(writing:memory:planes:format:width:height:)``.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a side outside 1...65535.
    public convenience init(
        format: PixelFormat, width: Int, height: Int,
        makingPictures make: @escaping @Sendable () throws(EncoderError) -> MutablePixelBuffer
    ) throws(EncoderError) {
        try self.init(SourceFormat(width: width, height: height, pixelFormat: format, color: nil), making: make)
    }

    init(
        _ source: SourceFormat, base: PixelBufferPool? = nil,
        making make: (@Sendable () throws(EncoderError) -> MutablePixelBuffer)? = nil
    ) throws(EncoderError) {
        (self.source, self.base, self.make) = (source, base, make)
        layout = try PlaneLayout(source)
    }

    /// The pictures of another pool with another color.
    convenience init(_ base: PixelBufferPool, color: ColorDescription?) throws(EncoderError) {
        try self.init(base.source.with(color), base: base)
    }

    deinit {
        // Pictures that are out hold the pool, so all memory is here.
        idle.withLock { idle in idle.bases.forEach(PixelStorage.free) }
    }

    /// A picture with undefined samples: recycled memory if there is some, else new.
    ///
    /// On any thread. A pool has as much memory as was ever out at once, until ``flush()``; an encoder's has what the
    /// encoder gives it.
    ///
    /// - Throws: ``EncoderError`` with `.outOfMemory`, or what an encoder's pool throws.
    public func makeMutablePixelBuffer() throws(EncoderError) -> MutablePixelBuffer {
        var buffer = try makeColorless()
        buffer.color = color
        return buffer
    }

    private func makeColorless() throws(EncoderError) -> MutablePixelBuffer {
        if let base { return try base.makeMutablePixelBuffer() }
        if let make { return try make() }
        return try allocate()
    }

    private func allocate() throws(EncoderError) -> MutablePixelBuffer {
        let recycled = idle.withLock { idle in Idle(bases: idle.bases.popLast().map { [$0] } ?? []) }
        guard let base = recycled.bases.first ?? PixelStorage.allocate(byteCount: layout.byteCount) else {
            throw EncoderError(.outOfMemory, reason: "no memory for a picture of \(width)x\(height)")
        }
        let storage = PixelStorage(recycling: base, to: self)
        return MutablePixelBuffer(source, layout, storage)
    }

    /// Frees the memory that waits for its next use.
    public func flush() {
        base?.flush()
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
