// SPDX-License-Identifier: MIT

/// A picture being filled: it has one holder, who turns it into a shareable ``PixelBuffer`` when done.
public struct MutablePixelBuffer: ~Copyable, Sendable {
    /// How the samples lie in memory.
    public var format: PixelFormat { source.pixelFormat }
    /// Luma samples in a row.
    public var width: Int { source.width }
    /// Luma rows.
    public var height: Int { source.height }
    /// What the samples mean, which ``PixelBuffer/color`` takes over.
    ///
    /// nil tells nothing; a pool sets its own color.
    public var color: ColorDescription? {
        get { source.color }
        set { source = source.with(newValue) }
    }
    /// All four.
    private(set) var source: SourceFormat
    let layout: PlaneLayout
    let storage: PixelStorage

    /// Allocates a picture with undefined samples; rows start at multiples of 64 bytes.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a side outside 1...65535, `.outOfMemory`.
    public init(format: PixelFormat, width: Int, height: Int) throws(EncoderError) {
        let source = SourceFormat(width: width, height: height, pixelFormat: format, color: nil)
        let layout = try PlaneLayout(source)
        guard let storage = PixelStorage(byteCount: layout.byteCount) else {
            throw EncoderError(.outOfMemory, reason: "no memory for a picture of \(width)x\(height)")
        }
        self.init(source, layout, storage)
    }

    /// One plane of memory through which a surface is written.
    public struct SurfacePlane: Sendable, Hashable {
        /// Bytes from the start of the memory to the first row.
        public var offset: Int
        /// Bytes from the start of a row to the start of the next.
        public var bytesPerRow: Int

        /// Describes a plane.
        public init(offset: Int, bytesPerRow: Int) {
            self.offset = offset
            self.bytesPerRow = bytesPerRow
        }
    }

    /// Opens a surface for writing: for back ends, whose pools hand out pictures that their encoder reads without a
    /// copy.
    ///
    /// - Parameters:
    ///   - surface: Ends the writing when the buffer becomes a ``PixelBuffer``; it is let go when the buffer is thrown
    ///     away.
    ///   - memory: Stays where it is as long as somebody holds the surface, or until ``DeviceSurface/finishWriting()``.
    ///   - planes: Where Y, Cb, Cr or Y, CbCr begin in the memory.
    ///   - format: How the samples lie in memory.
    ///   - width: Luma samples in a row, 1 to 65535.
    ///   - height: Luma rows, 1 to 65535.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a size that cannot be, or a plane that is not in the
    ///   memory.
    public init(
        writing surface: any DeviceSurface, memory: UnsafeMutableRawBufferPointer, planes: [SurfacePlane],
        format: PixelFormat, width: Int, height: Int
    ) throws(EncoderError) {
        let source = SourceFormat(width: width, height: height, pixelFormat: format, color: nil)
        var layout = try PlaneLayout(source, planeCount: planes.count)
        guard let base = memory.baseAddress else {
            throw EncoderError(.invalidPixelBuffer, reason: "memory of 0 bytes, expected 1 or more")
        }
        for (index, plane) in planes.enumerated() {
            try layout.place(index, at: plane.offset, bytesPerRow: plane.bytesPerRow, of: memory.count)
        }
        self.init(source, layout, PixelStorage(of: surface, at: base))
    }

    init(_ source: SourceFormat, _ layout: PlaneLayout, _ storage: PixelStorage) {
        (self.source, self.layout, self.storage) = (source, layout, storage)
    }

    /// Gives `body` the bytes of one plane to write, and its stride.
    ///
    /// - Parameters:
    ///   - index: 0 for luma, 1 for Cb or CbCr, 2 for Cr. Traps when the format has no such plane.
    ///   - body: Must not let the pointer escape.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public mutating func withMutablePlane<R, E: Error>(
        _ index: Int, _ body: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(E) -> R
    ) throws(E) -> R {
        let plane = layout[checked: index]
        let bytes = UnsafeMutableRawBufferPointer(start: storage.base + plane.offset, count: plane.byteCount)
        return try body(bytes, plane.bytesPerRow)
    }
}
