// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import LibAV
import PictureTransfer

/// How frames of a device's format become pictures of a pool: pure.
enum PicturePath: Sendable, Hashable {
    /// The planes are those of a format that sessions take.
    case taken(PixelFormat)
    /// PictureTransfer makes them into 4:2:0.
    case transferred(PixelFormat)
    /// 4:2:2 in three planes: Cb and Cr are put into one, then as ``transferred(_:)``.
    case interleaved

    /// Chooses; nil for a format that nothing here takes.
    ///
    /// - Parameter name: FFmpeg's name of the format.
    init?(_ name: String) {
        let formats: [String: PicturePath] = [
            "yuv420p": .taken(.i420), "yuvj420p": .taken(.i420), "nv12": .taken(.nv12), "yuv420p10le": .taken(.i010),
            "p010le": .taken(.p010), "yuv420p12le": .taken(.i012),
            "bgra": .transferred(.bgra), "bgr0": .transferred(.bgra), "rgba": .transferred(.rgba),
            "rgb0": .transferred(.rgba), "argb": .transferred(.argb), "0rgb": .transferred(.argb),
            "rgb24": .transferred(.rgb24), "yuyv422": .transferred(.yuyv), "uyvy422": .transferred(.uyvy),
            "nv16": .transferred(.nv16), "yuv444p": .transferred(.i444), "yuvj444p": .transferred(.i444),
            "yuv422p": .interleaved, "yuvj422p": .interleaved,
        ]
        guard let path = formats[name] else { return nil }
        self = path
    }

    /// The formats that are taken, for errors.
    static let names =
        "yuv420p, nv12, yuv420p10le, p010le, yuv420p12le, yuyv422, uyvy422, nv16, yuv422p, yuv444p, rgb24, bgr0, rgb0 or "
        + "0rgb, with alpha or without"

    /// What pictures are afterwards.
    var format: PixelFormat { if case .taken(let format) = self { format } else { .i420 } }

    /// What sample values mean afterwards, where frames say what theirs do.
    func color(_ color: ColorDescription) -> ColorDescription {
        switch self {
        case .taken: return color
        case .transferred(let format) where format.isRGB: return .bt709
        case .transferred, .interleaved:
            var limited = color
            limited.isFullRange = false
            return limited
        }
    }
}

/// Fills pictures of a pool with a device's frames, on one thread.
final class PictureMaker {
    /// What becomes of the frames.
    let path: PicturePath
    private let pixelFormat: AVPixelFormat
    private let width: Int
    private let height: Int
    private let transfer: PixelTransferSession
    private let interleaved: PixelBufferPool?

    /// - Throws: ``CaptureError`` with `.unsupported` for frames of a format or size that no session takes.
    init(_ frame: LibAVFrame, _ source: CaptureSource) throws(CaptureError) {
        guard let path = PicturePath(frame.pixelFormatName) else {
            throw CaptureError(
                .unsupported, reason: "pictures of \(frame.pixelFormatName), expected \(PicturePath.names)",
                source: source.description)
        }
        guard (1...65535).contains(frame.width), (1...65535).contains(frame.height) else {
            throw CaptureError(
                .unsupported, reason: "pictures of \(frame.width)x\(frame.height), expected sides of 1...65535",
                source: source.description)
        }
        guard !clibav_is_interlaced(frame.pointer) else {
            throw CaptureError(
                .unsupported, reason: "its pictures are interlaced, expected progressive ones",
                source: source.description)
        }
        self.path = path
        (pixelFormat, width, height) = (frame.pixelFormat, frame.width, frame.height)
        var options = PixelTransferOptions()
        options.scaling = .letterbox
        transfer = PixelTransferSession(options)
        if case .taken = path {
        } else if let missing = transfer.missingLibrary {
            throw CaptureError(
                .libraryMissing, reason: "pictures of \(frame.pixelFormatName): \(missing.reason)",
                source: source.description)
        }
        do throws(EncoderError) {
            interleaved =
                path == .interleaved ? try PixelBufferPool(format: .nv16, width: width, height: height) : nil
        } catch {
            throw CaptureError(.unsupported, reason: error.reason, source: source.description)
        }
    }

    /// Fills a picture; also looks at its luma where that is asked for.
    ///
    /// - Returns: The picture and the mean of its luma in levels of eight bits; 0 where it is not asked for.
    /// - Throws: ``CaptureError`` for a frame that is not like the first, and with `.outOfMemory`.
    func make(
        _ frame: LibAVFrame, in pool: PixelBufferPool, needsMean: Bool, _ source: CaptureSource
    ) throws(CaptureError) -> (picture: PixelBuffer, mean: Double) {
        guard frame.pixelFormat == pixelFormat, frame.width == width, frame.height == height else {
            throw CaptureError(
                .lost,
                reason: "a picture of \(frame.width)x\(frame.height) in \(frame.pixelFormatName) came, expected "
                    + "\(width)x\(height) as before", source: source.description)
        }
        do throws(EncoderError) {
            var target = try pool.makeMutablePixelBuffer()
            try fill(&target, with: frame, color: pool.color ?? ColorDescription())
            let mean = needsMean ? MeanLuma.of(&target) : 0
            return (PixelBuffer(target), mean)
        } catch {
            let code: CaptureError.Code = error.code == .outOfMemory ? .outOfMemory : .unsupported
            throw CaptureError(code, reason: error.reason, source: source.description)
        }
    }

    private func fill(
        _ target: inout MutablePixelBuffer, with frame: LibAVFrame, color: ColorDescription
    ) throws(EncoderError) {
        let isFull = target.format.isFullRange || color.isFullRange
        switch path {
        case .taken(let format):
            let fits = target.format.layout == format && target.width == width && target.height == height
            if fits, frame.isFullRange == isFull { return copy(frame, to: &target) }
            try transfer.transfer(try wrapped(frame, format, told(frame, color)), to: &target)
        case .transferred(let format) where format.isRGB:
            // Where the session says nothing of its matrix, the values become those of BT.709 all the same.
            if !Self.matrices.contains(color.matrix) { target.color = Self.bt709(isFullRange: isFull) }
            try transfer.transfer(try wrapped(frame, format, nil), to: &target)
            target.color = color == ColorDescription() ? nil : color
        case .transferred(let format):
            try transfer.transfer(try wrapped(frame, format, told(frame, color)), to: &target)
        case .interleaved:
            guard let interleaved else { return }
            var scratch = try interleaved.makeMutablePixelBuffer()
            scratch.color = told(frame, color)
            interleave(frame, into: &scratch)
            try transfer.transfer(PixelBuffer(scratch), to: &target)
        }
    }

    private static let matrices: Set<Int> = [1, 4, 5, 6, 7, 9]

    private static func bt709(isFullRange: Bool) -> ColorDescription {
        var color = ColorDescription.bt709
        color.isFullRange = isFullRange
        return color
    }

    /// What the samples mean: what the session says, but for the range, which is the frame's.
    private func told(_ frame: LibAVFrame, _ color: ColorDescription) -> ColorDescription {
        var told = color
        told.isFullRange = frame.isFullRange
        return told
    }

    private func wrapped(
        _ frame: LibAVFrame, _ format: PixelFormat, _ color: ColorDescription?
    ) throws(EncoderError) -> PixelBuffer {
        let picture: (picture: PixelBuffer, isFlipped: Bool)?
        do throws(LibAVError) {
            picture = try frame.picture(in: format, color: color)
        } catch {
            throw EncoderError(.invalidPixelBuffer, reason: error.reason)
        }
        guard let picture, !picture.isFlipped else {
            throw EncoderError(.invalidPixelBuffer, reason: "a picture whose rows lie in an unusual order")
        }
        return picture.picture
    }
}

// MARK: - Planes

extension PictureMaker {
    /// A plane of a frame; its rows may go from the last to the first.
    private static func plane(_ frame: LibAVFrame, _ index: Int) -> (base: UnsafePointer<UInt8>, stride: Int)? {
        let (data, lines) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        let planes = [(data.0, lines.0), (data.1, lines.1), (data.2, lines.2)]
        guard planes.indices.contains(index), let base = planes[index].0 else { return nil }
        return (UnsafePointer(base), Int(planes[index].1))
    }

    private func copy(_ frame: LibAVFrame, to target: inout MutablePixelBuffer) {
        let format = target.format
        for index in 0..<format.planeCount {
            guard let plane = Self.plane(frame, index) else { continue }
            let (bytes, rows) = (format.rowBytes(plane: index, width: width), format.rows(plane: index, height: height))
            target.withMutablePlane(index) { memory, bytesPerRow in
                guard let base = memory.baseAddress else { return }
                for row in 0..<rows {
                    (base + row * bytesPerRow).copyMemory(from: plane.base + row * plane.stride, byteCount: bytes)
                }
            }
        }
    }

    private func interleave(_ frame: LibAVFrame, into target: inout MutablePixelBuffer) {
        guard let luma = Self.plane(frame, 0), let first = Self.plane(frame, 1), let second = Self.plane(frame, 2)
        else {
            return
        }
        let (width, height) = (width, height)
        target.withMutablePlane(0) { memory, bytesPerRow in
            guard let base = memory.baseAddress else { return }
            for row in 0..<height {
                (base + row * bytesPerRow).copyMemory(from: luma.base + row * luma.stride, byteCount: width)
            }
        }
        target.withMutablePlane(1) { memory, bytesPerRow in
            guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for row in 0..<height {
                let (line, from, other) = (
                    base + row * bytesPerRow, first.base + row * first.stride, second.base + row * second.stride
                )
                for column in 0..<(width + 1) / 2 {
                    line[column * 2] = from[column]
                    line[column * 2 + 1] = other[column]
                }
            }
        }
    }
}

/// The mean of a picture's luma.
enum MeanLuma {
    /// Rows and columns from one sample that is looked at to the next.
    private static let stride = 4

    /// The mean in levels of eight bits, of one sample in sixteen.
    static func of(_ picture: inout MutablePixelBuffer) -> Double {
        let (width, height, format) = (picture.width, picture.height, picture.format)
        let isWide = format.bytesPerSample == 2
        let isHigh = format.layout == .p010
        return picture.withMutablePlane(0) { memory, bytesPerRow in
            var (sum, count) = (0, 0)
            for row in Swift.stride(from: 0, to: height, by: stride) {
                for column in Swift.stride(from: 0, to: width, by: stride) {
                    let place = row * bytesPerRow + column * (isWide ? 2 : 1)
                    sum += isWide ? Int(memory[place]) | Int(memory[place + 1]) << 8 : Int(memory[place])
                    count += 1
                }
            }
            let scale = isHigh ? 256 : 1 << (format.bitDepth - 8)
            return count == 0 ? 0 : Double(sum) / Double(count * scale)
        }
    }
}
