// SPDX-License-Identifier: MIT

public import EncoderAPI
import Synchronization

/// Makes pictures of any eight-bit format and size into i420 and nv12, and 4:2:0 of more bits into other sizes, with
/// libyuv and a kernel of its own: for a session of EncoderAPI, or alone.
///
/// Takes `PixelFormat.bgra`, `PixelFormat.rgba`, `PixelFormat.argb`, `PixelFormat.rgb24`,
/// `PixelFormat.yuyv`, `PixelFormat.uyvy`, `PixelFormat.nv16`, `PixelFormat.i444` and the 4:2:0 of eight bits.
/// RGB becomes YCbCr by the matrix and in the range of the target's color, which must name one of BT.601, BT.709,
/// BT.2020, FCC or SMPTE 240M; other pictures keep their matrix, and are brought into the target's range. Primaries and
/// transfer are never changed: a picture that tells others is refused. 4:2:0 of 10 and 12 bits keeps format and range,
/// and is not turned. libyuv is opened when the first one is made;
/// without it each picture is refused. Any thread may use it, and any number of sessions share it.
public final class PixelTransferSession: PixelTransfer {
    /// What it does to each picture.
    public let options: PixelTransferOptions
    private let library: Result<YUVLibrary, EncoderError>
    /// Memory of transfers that ended, for the next.
    private let idle = Mutex<[Scratch]>([])

    /// Makes a transfer; does not fail without libyuv, see ``missingLibrary``.
    public init(_ options: PixelTransferOptions = PixelTransferOptions()) {
        self.options = options
        library = YUVLibrary.shared
    }

    /// One with another library, or without one.
    init(_ options: PixelTransferOptions, library: Result<YUVLibrary, EncoderError>) {
        self.options = options
        self.library = library
    }

    /// Bytes of memory that it keeps for the next picture.
    var scratchByteCount: Int { idle.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

    /// Whether ``options`` turn, mirror or cut pictures, so that a session gives it those of its own format and size
    /// too.
    public var changesEveryPicture: Bool {
        options.rotation != .none || options.isMirrored || options.cleanAperture != nil
    }

    /// Why every picture is refused; nil where libyuv was found.
    public var missingLibrary: EncoderError? {
        if case .failure(let error) = library { error } else { nil }
    }

    /// Refuses a picture that cannot be made into one of these.
    ///
    /// - Parameters:
    ///   - picture: Of any kind; not read.
    ///   - format: `PixelFormat.i420`, `PixelFormat.nv12`, or one of them of full range; for a picture of more than
    ///     eight bits its own.
    ///   - width: Luma samples in a row, 1 to 65535; to 32768 where the size changes.
    ///   - height: Luma rows, likewise.
    ///   - color: What the samples mean afterwards; RGB needs its matrix. nil says nothing, which is limited range.
    /// - Throws: `EncoderError` with `.unsupported` without libyuv, `.unsupportedPixelFormat` or `.invalidPixelBuffer`;
    ///   it names what would do.
    public func check(
        _ picture: PixelBuffer, format: PixelFormat, width: Int, height: Int, color: ColorDescription?
    ) throws(EncoderError) {
        _ = try library.get()
        _ = try ColorPlan(from: picture, to: format, color)
        if picture.format.bitDepth > 8 { try DeepTransfer.check(options, picture.format) }
        _ = try GeometryPlan(
            options, from: picture.format, width: picture.width, height: picture.height, toWidth: width,
            height: height)
    }

    /// Fills a picture with what another one shows; blocks while it works.
    ///
    /// Takes memory of its own, and keeps it for the next: a few rows for RGB whose size stays, at most as much as the
    /// larger of the two pictures where the size or the direction changes, and twice that where both do.
    ///
    /// - Parameters:
    ///   - picture: In memory, or the call traps.
    ///   - target: Its format, size and color say what comes out. All its samples are written.
    /// - Throws: `EncoderError` as ``check(_:format:width:height:color:)`` throws, and with `.outOfMemory`; the target
    ///   is undefined then.
    public func transfer(_ picture: PixelBuffer, to target: inout MutablePixelBuffer) throws(EncoderError) {
        let library = try library.get()
        let color = try ColorPlan(from: picture, to: target.format, target.color)
        let geometry = try GeometryPlan(
            options, from: picture.format, width: picture.width, height: picture.height, toWidth: target.width,
            height: target.height)
        let scratch = idle.withLock { $0.popLast() } ?? Scratch()
        defer { idle.withLock { $0.append(scratch) } }
        scratch.reset()
        if picture.format.bitDepth > 8 {
            try DeepTransfer.check(options, picture.format)
            let work = DeepTransfer(library: library, scratch: scratch, geometry: geometry, format: picture.format)
            return try work.run(picture, to: &target, blackLuma: color.blackLuma)
        }
        let work = PlaneTransfer(library: library, scratch: scratch, geometry: geometry)
        let whole = FourTwoZero(writing: &target)
        // The pointers are used while `target` is held by this call and nothing else touches it.
        defer { withExtendedLifetime(picture) {} }
        if geometry.hasBars { whole.fillBars(around: geometry.content, luma: color.blackLuma) }
        let content = whole.part(geometry.content)
        switch color.conversion {
        case .matrix(let matrix):
            let source = RGBSource(picture, crop: geometry.crop)
            let kernel = RGBKernel(matrix, source.order, options.chromaLocation)
            try RGBTransfer(planes: work, kernel: kernel, source: source).run(to: content)
        case .range(let range):
            try work.run(picture, options.chromaLocation, to: content)
            if let range { content.apply(range) }
        }
    }
}
