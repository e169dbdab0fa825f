// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import LibAV

/// Converts pictures of any format to 4:2:0 through libswscale.
final class LibSwscaleConverter: FrameConverter {
    /// What it does to every picture, a sentence.
    let summary: String
    /// What the sample values mean afterwards.
    let color: ColorDescription
    /// What the pictures are afterwards.
    var format: PixelFormat { pictures.format }
    private let scaling: CLibAVScaling
    private let context: OpaquePointer  // <SwsContext>, owned
    private let pictures: PictureMemory

    /// Makes a converter for pictures such as `frame`.
    ///
    /// The bit depth is kept where 4:2:0 has it, else the next larger of 8, 10 and 12 is taken; the range is kept;
    /// RGB becomes BT.709 in limited range.
    ///
    /// - Throws: ``MediaFileError`` with `.unsupported`, `.libraryMissing`.
    init(_ av: CLibAV, for frame: LibAVFrame, path: String) throws(MediaFileError) {
        let name = frame.pixelFormatName
        guard let description = av.av_pix_fmt_desc_get(frame.pixelFormat)?.pointee,
            description.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
        else {
            throw MediaFileError(.unsupported, reason: "pictures of \(name) cannot be converted", path: path)
        }
        let scaling = try MediaFileError.wrapping(path: path, LibAV.loadScaling)
        let depth = Int(description.comp.0.depth)
        let (format, target) =
            depth <= 8
            ? (PixelFormat.i420, AV_PIX_FMT_YUV420P)
            : depth <= 10 ? (.i010, AV_PIX_FMT_YUV420P10LE) : (.i012, AV_PIX_FMT_YUV420P12LE)
        let (width, height) = (CInt(frame.width), CInt(frame.height))
        guard
            let context = scaling.sws_getContext(
                width, height, frame.pixelFormat, width, height, target, SWS_BICUBIC | SWS_ACCURATE_RND, nil, nil, nil)
        else {
            throw MediaFileError(.unsupported, reason: "pictures of \(name) cannot be converted", path: path)
        }
        self.scaling = scaling
        self.context = context
        pictures = PictureMemory(format: format, width: frame.width, height: frame.height, rowAlignment: 64)
        let isRGB = description.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        color = isRGB ? .bt709 : frame.color
        let range: CInt = color.isFullRange ? 1 : 0
        let coefficients = scaling.sws_getCoefficients(isRGB ? SWS_CS_ITU709 : CInt(color.matrix))
        // Negative where there is nothing to set, as between formats of the same kind.
        _ = scaling.sws_setColorspaceDetails(
            context, coefficients, isRGB ? 1 : range, coefficients, range, 0, 1 << 16, 1 << 16)
        var summary = "converted from \(name) to 4:2:0 of \(format.bitDepth) bits"
        if isRGB { summary += ", BT.709 limited range" }
        if description.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 { summary += ", without its alpha channel" }
        self.summary = summary
    }

    deinit { scaling.sws_freeContext(context) }

    /// Converts a picture of the size and format the converter was made for.
    func convert(_ frame: LibAVFrame) throws(MediaFileError) -> PixelBuffer {
        let memory = try pictures.take()
        let planes = pictures.planes(of: memory)
        // The block is ours to write to until it becomes a picture.
        var targets = planes.map {
            $0.bytes.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self)) }
        }
        var targetStrides = planes.map { CInt($0.bytesPerRow) }
        let data = frame.pointer.pointee.data
        let sources = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer<UInt8>($0) } }
        let lines = frame.pointer.pointee.linesize
        let strides = [lines.0, lines.1, lines.2, lines.3]
        let rows = scaling.sws_scale(context, sources, strides, 0, CInt(frame.height), &targets, &targetStrides)
        guard rows == CInt(frame.height) else {
            pictures.giveBack(memory)
            throw MediaFileError(.libraryFailure, reason: "libswscale converted \(rows) of \(frame.height) rows")
        }
        return try pictures.picture(memory)
    }
}
