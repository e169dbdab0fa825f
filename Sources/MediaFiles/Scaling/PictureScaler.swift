// SPDX-License-Identifier: MIT

import CLibAV
package import EncoderAPI
import LibAV

/// Makes 4:2:0 pictures of one format and size into pictures of another size, with libswscale's bicubic filter; used by
/// one task or thread at a time.
///
/// Each sample is what `ffmpeg -vf scale=WIDTH:HEIGHT:flags=bicubic+accurate_rnd+bitexact` of the same libswscale
/// gives, in whatever direction pictures are scaled.
package final class PictureScaler {
    private let scaling: CLibAVScaling
    private let context: OpaquePointer  // <SwsContext>, owned
    private let format: PixelFormat
    private let width: Int
    private let height: Int
    private let pictures: PictureMemory
    /// Room for a picture as libswscale may read it: vector code reads past the ends of rows.
    private let staging: [Staging]

    private struct Staging {
        var bytes: UnsafeMutablePointer<UInt8>
        var bytesPerRow: Int
    }

    /// What scales here: "libswscale 6.7.100, bicubic"; other texts may mean other samples.
    ///
    /// - Throws: ``MediaFileError`` with `.libraryMissing`.
    package static func maker() throws(MediaFileError) -> String {
        let version = try MediaFileError.wrapping(LibAV.loadScaling).swscale_version()
        return "libswscale \(version >> 16).\(version >> 8 & 255).\(version & 255), bicubic"
    }

    /// Makes a scaler.
    ///
    /// - Parameters:
    ///   - format: Of the pictures on both sides; one of 4:2:0.
    ///   - width: Luma samples in a row of what is scaled, 1...65535.
    ///   - height: Luma rows of what is scaled, 1...65535.
    ///   - toWidth: Luma samples in a row of what comes out, 1...65535.
    ///   - toHeight: Luma rows of what comes out, 1...65535.
    /// - Throws: ``MediaFileError`` with `.unsupported` for sizes that libswscale refuses, `.libraryMissing`.
    package init(format: PixelFormat, width: Int, height: Int, toWidth: Int, toHeight: Int) throws(MediaFileError) {
        let scaling = try MediaFileError.wrapping(LibAV.loadScaling)
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT
        guard let pixels = format.scaledFormat,
            let context = scaling.sws_getContext(
                CInt(width), CInt(height), pixels, CInt(toWidth), CInt(toHeight), pixels, flags, nil, nil, nil)
        else {
            throw MediaFileError(
                .unsupported,
                reason: "pictures of \(format) cannot be scaled from \(width)x\(height) to \(toWidth)x\(toHeight)")
        }
        (self.scaling, self.context, self.format, self.width, self.height) = (scaling, context, format, width, height)
        pictures = PictureMemory(format: format, width: toWidth, height: toHeight, rowAlignment: 64)
        staging = (0..<format.planeCount).map { plane in
            let bytesPerRow = (format.rowBytes(plane: plane, width: width) + 63) / 64 * 64 + 64
            let count = bytesPerRow * format.rows(plane: plane, height: height)
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
            bytes.initialize(repeating: 0, count: count)
            return Staging(bytes: bytes, bytesPerRow: bytesPerRow)
        }
    }

    deinit {
        staging.forEach { $0.bytes.deallocate() }
        scaling.sws_freeContext(context)
    }

    /// Scales a picture; blocks while it works.
    ///
    /// - Parameter picture: Of the format and size that the scaler was made for.
    /// - Returns: A picture of the other size, whose memory is used again when nobody holds it any more.
    /// - Throws: ``MediaFileError`` with `.invalidValue` for another picture, `.outOfMemory`, `.libraryFailure`.
    package func scale(_ picture: PixelBuffer) throws(MediaFileError) -> PixelBuffer {
        guard picture.format == format, picture.width == width, picture.height == height else {
            throw MediaFileError(
                .invalidValue,
                reason: "a picture of \(picture.format), \(picture.width)x\(picture.height), expected \(format), "
                    + "\(width)x\(height)")
        }
        stage(picture)
        let memory = try pictures.take()
        // The block is ours to write to until it becomes a picture.
        let targets = pictures.planes(of: memory)
        var bytes = targets.map {
            $0.bytes.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self)) }
        }
        var strides = targets.map { CInt($0.bytesPerRow) }
        // libswscale reads four entries, whatever the format has.
        let missing = 4 - staging.count
        bytes += [UnsafeMutablePointer<UInt8>?](repeating: nil, count: missing)
        strides += [CInt](repeating: 0, count: missing)
        let sources = (0..<4).map { $0 < staging.count ? UnsafePointer(staging[$0].bytes) : nil }
        let sourceStrides = (0..<4).map { $0 < staging.count ? CInt(staging[$0].bytesPerRow) : 0 }
        let rows = scaling.sws_scale(context, sources, sourceStrides, 0, CInt(height), &bytes, &strides)
        guard rows == CInt(pictures.height) else {
            pictures.giveBack(memory)
            throw MediaFileError(.libraryFailure, reason: "libswscale made \(rows) of \(pictures.height) rows")
        }
        return try pictures.picture(memory)
    }

    private func stage(_ picture: PixelBuffer) {
        for (plane, target) in staging.enumerated() {
            let rowBytes = format.rowBytes(plane: plane, width: width)
            picture.withPlane(plane) { bytes, bytesPerRow in
                guard let start = bytes.baseAddress else { return }
                for row in 0..<format.rows(plane: plane, height: height) {
                    UnsafeMutableRawPointer(target.bytes + row * target.bytesPerRow)
                        .copyMemory(from: start + row * bytesPerRow, byteCount: rowBytes)
                }
            }
        }
    }
}

extension PixelFormat {
    /// The format as libswscale names it; nil for what is not 4:2:0.
    ///
    /// The range is the same on both sides, so that it need not know it.
    fileprivate var scaledFormat: AVPixelFormat? {
        switch layout {
        case .i420: AV_PIX_FMT_YUV420P
        case .nv12: AV_PIX_FMT_NV12
        case .i010: AV_PIX_FMT_YUV420P10LE
        case .p010: AV_PIX_FMT_P010LE
        case .i012: AV_PIX_FMT_YUV420P12LE
        default: nil
        }
    }
}
