// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import LibAV
import PictureTransfer

/// Converts eight-bit pictures in RGB, 4:2:2 and 4:4:4 to 4:2:0 through PictureTransfer.
///
/// RGB becomes BT.709 in limited range; all others keep what their samples mean.
final class FrameTransfer: FrameConverter {
    let summary: String
    let color: ColorDescription
    let format = PixelFormat.i420
    private let source: PixelFormat
    private let pool: PixelBufferPool
    private let upright = PixelTransferSession()
    /// For pictures whose rows lie in memory from the last to the first.
    private let flipped: PixelTransferSession

    /// Makes a converter for pictures such as `frame`; nil where their planes are no picture of `source`.
    ///
    /// - Throws: ``MediaFileError`` with `.unsupported` without libyuv.
    init?(_ av: CLibAV, _ source: PixelFormat, for frame: LibAVFrame, path: String) throws(MediaFileError) {
        let isWrapped = try MediaFileError.wrapping { () throws(LibAVError) in
            try frame.picture(in: source, color: nil) != nil
        }
        guard isWrapped else { return nil }
        if let error = upright.missingLibrary {
            throw MediaFileError(
                .unsupported, reason: "pictures of \(frame.pixelFormatName): \(error.reason)", path: path)
        }
        self.source = source
        color = source.isRGB ? .bt709 : frame.color
        var options = PixelTransferOptions()
        (options.rotation, options.isMirrored) = (.degrees180, true)
        flipped = PixelTransferSession(options)
        do throws(EncoderError) {
            pool = try PixelBufferPool(format: format, width: frame.width, height: frame.height, color: color)
        } catch {
            throw MediaFileError(.unsupported, reason: error.reason, path: path)
        }
        var summary = "converted from \(frame.pixelFormatName) to 4:2:0 of 8 bits"
        if source.isRGB { summary += ", BT.709 limited range" }
        let flags = av.av_pix_fmt_desc_get(frame.pixelFormat)?.pointee.flags ?? 0
        if flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 { summary += ", without its alpha channel" }
        self.summary = summary
    }

    func convert(_ frame: LibAVFrame) throws(MediaFileError) -> PixelBuffer {
        let told = source.isRGB ? nil : color
        let given = try MediaFileError.wrapping { () throws(LibAVError) in
            try frame.picture(in: source, color: told)
        }
        guard let given else {
            throw MediaFileError(.unsupported, reason: "a picture of \(source) has rows that lie in an unusual order")
        }
        do throws(EncoderError) {
            var target = try pool.makeMutablePixelBuffer()
            try (given.isFlipped ? flipped : upright).transfer(given.picture, to: &target)
            // What the samples mean is told with the video.
            target.color = nil
            return PixelBuffer(target)
        } catch {
            throw MediaFileError(error.code == .outOfMemory ? .outOfMemory : .unsupported, reason: error.reason)
        }
    }
}
