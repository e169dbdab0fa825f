// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Hands out pictures of one format, size and color and takes their memory back when nobody holds them any more.
public final class PixelBufferPool: Sendable {
    /// How the samples lie in memory.
    public let format: PixelFormat
    /// Luma samples in a row.
    public let width: Int
    /// Luma rows.
    public let height: Int
    /// What the samples of its pictures mean, which each carries; nil for pictures that do not tell.
    public let color: ColorDescription?
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
        try self.init(format: format, width: width, height: height, color: color, making: nil)
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
        try self.init(format: format, width: width, height: height, color: nil, making: make)
    }

    private init(
        format: PixelFormat, width: Int, height: Int, color: ColorDescription?, base: PixelBufferPool? = nil,
        making make: (@Sendable () throws(EncoderError) -> MutablePixelBuffer)?
    ) throws(EncoderError) {
        try PixelBuffer.check(width: width, height: height)
        self.format = format
        self.width = width
        self.height = height
        self.color = color
        self.base = base
        self.make = make
        layout = PlaneLayout(format: format, width: width, height: height)
    }

    convenience init(_ source: SourceFormat) throws(EncoderError) {
        try self.init(format: source.pixelFormat, width: source.width, height: source.height, color: source.color)
    }

    /// The pictures of another pool with another color.
    convenience init(_ base: PixelBufferPool, color: ColorDescription?) throws(EncoderError) {
        try self.init(
            format: base.format, width: base.width, height: base.height, color: color, base: base, making: nil)
    }

    /// What its pictures are like.
    var source: SourceFormat { SourceFormat(width: width, height: height, pixelFormat: format, color: color) }

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
        return MutablePixelBuffer(format: format, width: width, height: height, layout: layout, storage: storage)
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
