// SPDX-License-Identifier: MIT

/// A picture that nobody writes to any more: several sessions may encode the same one at once, without a copy.
///
/// Make one by filling a ``MutablePixelBuffer``, or by wrapping memory or a DMA-BUF you own. The counterpart of a
/// CVPixelBuffer whose base address is locked read-only.
public final class PixelBuffer: @unchecked Sendable {
    // Unchecked: the addresses are set once in init, the memory behind them is not written to until deinit gives it
    // back.

    /// Where the samples of a picture are.
    @nonexhaustive
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// In this process's memory.
        case memory
        /// In memory that devices share.
        case dmaBuf
        /// In a device's own memory.
        case surface
    }

    /// How the samples lie in memory.
    public var format: PixelFormat { source.pixelFormat }
    /// Luma samples in a row, 1 to 65535.
    public var width: Int { source.width }
    /// Luma rows, 1 to 65535.
    public var height: Int { source.height }
    /// What the samples mean; nil where the picture does not tell.
    ///
    /// A session takes a picture that tells none as one of the color it signals, and refuses one of another: see
    /// ``CompressionSession/changePictures(width:height:pixelFormat:color:)``. A ``format`` of full range says for
    /// itself that the range is full.
    public var color: ColorDescription? { source.color }
    /// All four.
    let source: SourceFormat
    /// Where the planes start; nil unless they are in memory.
    private let addresses: (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer)?
    let layout: PlaneLayout
    private let owner: Owner

    private enum Owner {
        case storage(PixelStorage)
        case caller(release: @Sendable () -> Void)
        case sharer(DMABuf, release: @Sendable () -> Void)
        case device(any DeviceSurface)
    }

    /// One plane of memory that a caller wraps.
    public struct WrappedPlane {
        /// From the first byte of the first row to at least the last used byte of the last row.
        public var bytes: UnsafeRawBufferPointer
        /// Bytes from the start of a row to the start of the next, from the used bytes of a row to 2^31 - 1.
        public var bytesPerRow: Int

        /// Describes a plane.
        public init(bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
            self.bytes = bytes
            self.bytesPerRow = bytesPerRow
        }
    }

    /// Wraps planes in memory of the caller's, without a copy.
    ///
    /// 16-bit samples at odd addresses or strides are copied once before they are encoded. So is a picture with a plane
    /// whose last row, lengthened to a multiple of 64 bytes, goes beyond the page that it ends on, where no other plane
    /// follows: encoders read it in whole vectors. A picture with samples above the format's bit depth comes out as a
    /// dropped frame that names the value, unless they do the encoder no harm
    /// (``EncoderCapabilities/needsLegalSamples``).
    ///
    /// - Parameters:
    ///   - planes: Y, Cb, Cr or Y, CbCr or all in one, as `format` says. The memory must stay valid and unchanged
    ///     until `onRelease`.
    ///   - format: How the samples lie in memory.
    ///   - width: Luma samples in a row, 1 to 65535.
    ///   - height: Luma rows, 1 to 65535.
    ///   - color: What the samples mean; nil, the default, does not tell.
    ///   - onRelease: Called once, on any thread, when neither you nor a session holds the buffer any more. It is not
    ///     called when this initializer throws.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when a size, stride or plane does not fit.
    public init(
        wrapping planes: [WrappedPlane], format: PixelFormat, width: Int, height: Int, color: ColorDescription? = nil,
        onRelease: @escaping @Sendable () -> Void
    ) throws(EncoderError) {
        source = SourceFormat(width: width, height: height, pixelFormat: format, color: color)
        var layout = try PlaneLayout(source, planeCount: planes.count)
        var bases: [UnsafeRawPointer] = []
        for (index, plane) in planes.enumerated() {
            try layout.setBytesPerRow(plane.bytesPerRow, of: index)
            bases.append(try Self.base(of: plane, index: index, byteCount: layout[index].byteCount))
        }
        self.layout = layout
        addresses = (bases[0], bases[min(1, bases.count - 1)], bases[bases.count - 1])
        owner = .caller(release: onRelease)
    }

    /// Wraps planes in memory of the caller's that an object owns: a camera's frame, a decoder's picture.
    ///
    /// - Parameters:
    ///   - planes: As for ``init(wrapping:format:width:height:color:onRelease:)``.
    ///   - format: How the samples lie in memory.
    ///   - width: Luma samples in a row, 1 to 65535.
    ///   - height: Luma rows, 1 to 65535.
    ///   - color: What the samples mean; nil, the default, does not tell.
    ///   - owner: Keeps the memory valid and unchanged; let go of when neither you nor a session holds the buffer any
    ///     more.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when a size, stride or plane does not fit.
    public convenience init(
        wrapping planes: [WrappedPlane], format: PixelFormat, width: Int, height: Int, color: ColorDescription? = nil,
        owner: any AnyObject & Sendable
    ) throws(EncoderError) {
        try self.init(wrapping: planes, format: format, width: width, height: height, color: color) {
            withExtendedLifetime(owner) {}
        }
    }

    /// Wraps a DMA-BUF, without a copy where the encoder reads DMA-BUFs; others get the samples mapped into memory.
    ///
    /// What cannot be mapped, because its modifier is not ``DMABuf/linear`` or the system refuses, comes out as a
    /// dropped frame that says so. Samples above the format's bit depth are found only in mapped pictures.
    ///
    /// - Parameters:
    ///   - dmaBuf: Its descriptors must stay open, and what is behind them unchanged and no shorter, until `onRelease`.
    ///   - format: How the samples lie in each plane.
    ///   - width: Luma samples in a row, 1 to 65535.
    ///   - height: Luma rows, 1 to 65535.
    ///   - color: What the samples mean; nil, the default, does not tell.
    ///   - onRelease: As for ``init(wrapping:format:width:height:color:onRelease:)``.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when a size, descriptor or plane does not fit.
    public init(
        dmaBuf: DMABuf, format: PixelFormat, width: Int, height: Int, color: ColorDescription? = nil,
        onRelease: @escaping @Sendable () -> Void
    ) throws(EncoderError) {
        source = SourceFormat(width: width, height: height, pixelFormat: format, color: color)
        layout = try dmaBuf.layout(of: source)
        addresses = nil
        owner = .sharer(dmaBuf, release: onRelease)
    }

    /// Makes a picture of a surface: for back ends, which recognise their own.
    ///
    /// - Parameters:
    ///   - surface: Complete, and not written to while somebody holds the picture; the picture holds it.
    ///   - format: How samples of this kind are given to the encoder.
    ///   - width: Luma samples in a row, 1 to 65535.
    ///   - height: Luma rows, 1 to 65535.
    ///   - color: What the samples mean; nil, the default, does not tell.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a size that cannot be.
    public init(
        surface: any DeviceSurface, format: PixelFormat, width: Int, height: Int, color: ColorDescription? = nil
    ) throws(EncoderError) {
        source = SourceFormat(width: width, height: height, pixelFormat: format, color: color)
        layout = try PlaneLayout(source)
        addresses = nil
        owner = .device(surface)
    }

    /// Takes over a filled buffer; it can be shared from here on.
    public init(_ buffer: consuming MutablePixelBuffer) {
        source = buffer.source
        layout = buffer.layout
        if let surface = buffer.storage.surface {
            surface.finishWriting()
            addresses = nil
            owner = .device(surface)
        } else {
            let base = UnsafeRawPointer(buffer.storage.base)
            addresses = (base, base + buffer.layout[1].offset, base + buffer.layout[2].offset)
            owner = .storage(buffer.storage)
        }
    }

    /// The samples of a picture in memory as those of a color.
    private init(_ picture: PixelBuffer, color: ColorDescription?) {
        source = picture.source.with(color)
        layout = picture.layout
        addresses = picture.addresses
        owner = .caller { withExtendedLifetime(picture) {} }
    }

    deinit {
        switch owner {
        case .caller(let release), .sharer(_, let release): release()
        case .storage, .device: break
        }
    }

    /// Sizes a picture may have before any encoder is asked.
    static let legalSides = 1...65535

    private static func base(
        of plane: WrappedPlane, index: Int, byteCount: Int
    ) throws(EncoderError) -> UnsafeRawPointer {
        guard let base = plane.bytes.baseAddress, plane.bytes.count >= byteCount else {
            throw EncoderError(
                .invalidPixelBuffer,
                reason: "plane \(index) has \(plane.bytes.count) bytes, expected \(byteCount) or more")
        }
        return base
    }
}

// MARK: - Kinds

extension PixelBuffer {
    /// Where the samples are.
    public var kind: Kind {
        switch owner {
        case .storage, .caller: .memory
        case .sharer: .dmaBuf
        case .device: .surface
        }
    }

    /// The DMA-BUF; nil for the other kinds.
    public var dmaBuf: DMABuf? { if case .sharer(let dmaBuf, _) = owner { dmaBuf } else { nil } }

    /// The surface; nil for the other kinds.
    public var surface: (any DeviceSurface)? { if case .device(let surface) = owner { surface } else { nil } }

    /// The same picture in memory: itself, one that maps a DMA-BUF and holds this one, or what the back end makes of
    /// its surface.
    ///
    /// On any thread. Not for every frame of a live stream: reading a device's memory is slow.
    ///
    /// - Returns: A picture of kind ``Kind/memory``, of the same format, size and color.
    /// - Throws: ``EncoderError`` with `.unsupportedPixelFormat` for a modifier other than ``DMABuf/linear``,
    ///   `.invalidPixelBuffer` when the system does not map the memory, `.backendFailure` when a surface gives another
    ///   picture than it should, or what the surface throws.
    public func mapped() throws(EncoderError) -> PixelBuffer {
        switch owner {
        case .storage, .caller: return self
        case .sharer(let dmaBuf, _): return try dmaBuf.mapped(self, layout: layout)
        case .device(let surface):
            let picture = try surface.mapped()
            guard picture.kind == .memory, picture.format == format, picture.width == width, picture.height == height
            else {
                throw EncoderError(
                    .backendFailure,
                    reason: "a surface of \(width)x\(height) in \(format) was mapped as \(picture.kind) of "
                        + "\(picture.width)x\(picture.height) in \(picture.format)")
            }
            return picture.color == color ? picture : PixelBuffer(picture, color: color)
        }
    }
}

// MARK: - Reading

extension PixelBuffer {
    /// Gives `body` the bytes of one plane, from its first row to the last used byte of its last, and its stride.
    ///
    /// Traps when the picture is not in memory; ``mapped()`` gives one that is.
    ///
    /// - Parameters:
    ///   - index: 0 for luma, or all samples where the format has one plane; 1 for Cb or CbCr, 2 for Cr. Traps when the
    ///     format has no such plane.
    ///   - body: Must not let the pointer escape.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withPlane<R, E: Error>(
        _ index: Int, _ body: (_ bytes: UnsafeRawBufferPointer, _ bytesPerRow: Int) throws(E) -> R
    ) throws(E) -> R {
        let plane = layout[checked: index]
        return try body(UnsafeRawBufferPointer(start: address(index), count: plane.byteCount), plane.bytesPerRow)
    }

    /// Bytes from the start of one row of a plane to the start of the next; traps when there is no such plane.
    ///
    /// Of a surface: what memory of the pool's would have, whatever the device has.
    public func bytesPerRow(plane index: Int) -> Int { layout[checked: index].bytesPerRow }

    /// Where a plane starts; valid while somebody holds the buffer.
    ///
    /// For back ends, which hand planes to a library. Traps when the picture is not in memory.
    public func unsafeAddress(plane index: Int) -> UnsafeRawPointer {
        precondition(0..<layout.count ~= index, "plane \(index), expected 0..<\(layout.count)")
        return address(index)
    }

    private func address(_ index: Int) -> UnsafeRawPointer {
        guard let addresses else { preconditionFailure("the picture is no memory but a \(kind); map it first") }
        return switch index {
        case 0: addresses.0
        case 1: addresses.1
        default: addresses.2
        }
    }
}

extension PlaneLayout {
    /// The plane at `index`; traps when there is none, as an array would.
    subscript(checked index: Int) -> Plane {
        precondition((0..<count).contains(index), "plane \(index), expected 0..<\(count)")
        return self[index]
    }
}
