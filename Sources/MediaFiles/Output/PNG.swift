// SPDX-License-Identifier: MIT

import CLibAV
package import EncoderAPI
import LibAV

/// A rectangle of a picture, in luma samples.
package struct PictureRegion: Hashable, Sendable {
    /// The left column, even.
    package var x: Int
    /// The upper row, even.
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// Still pictures as PNG files, written by libavcodec.
package enum PNG {
    /// A part of a picture in 8-bit RGB.
    ///
    /// - Parameters:
    ///   - picture: Of any format.
    ///   - region: Within the picture.
    ///   - color: What the samples mean; without a matrix, BT.709 from 720 rows on and BT.601 below.
    /// - Returns: The file.
    /// - Throws: ``MediaFileError`` when the library is missing or refuses.
    package static func bytes(
        of picture: PixelBuffer, region: PictureRegion, color: ColorDescription
    ) throws(MediaFileError) -> [UInt8] {
        let av = try MediaFileError.wrapping(LibAV.load)
        let scaling = try MediaFileError.wrapping(LibAV.loadScaling)
        let source = try frame(av, width: region.width, height: region.height, format: picture.format.libAVFormat)
        copy(region, of: picture, to: source)
        let target = try frame(av, width: region.width, height: region.height, format: AV_PIX_FMT_RGB24)
        let (width, height) = (CInt(region.width), CInt(region.height))
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
        guard
            let context = scaling.sws_getContext(
                width, height, source.pixelFormat, width, height, AV_PIX_FMT_RGB24, flags, nil, nil, nil)
        else { throw MediaFileError(.unsupported, reason: "\(picture.format) pictures cannot be converted to RGB") }
        defer { scaling.sws_freeContext(context) }
        let unspecified = 2
        let matrix = color.matrix != unspecified ? color.matrix : (picture.height >= 720 ? 1 : 5)
        let coefficients = scaling.sws_getCoefficients(CInt(matrix))
        let isFullRange = color.isFullRange || picture.format.isFullRange
        _ = scaling.sws_setColorspaceDetails(
            context, coefficients, isFullRange ? 1 : 0, coefficients, 1, 0, 1 << 16, 1 << 16)
        let data = source.pointer.pointee.data
        let planes = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer<UInt8>($0) } }
        let lines = source.pointer.pointee.linesize
        var targets = [target.pointer.pointee.data.0]
        var targetStrides = [target.pointer.pointee.linesize.0]
        let rows = scaling.sws_scale(
            context, planes, [lines.0, lines.1, lines.2, lines.3], 0, height, &targets, &targetStrides)
        guard rows == height else {
            throw MediaFileError(.libraryFailure, reason: "libswscale converted \(rows) of \(height) rows")
        }
        return try encode(av, target)
    }

    /// Samples of one byte as a gray picture.
    ///
    /// - Parameters:
    ///   - gray: `width` x `height` samples, row after row; 0 is black.
    ///   - width: Samples in a row.
    ///   - height: Rows.
    /// - Returns: The file.
    /// - Throws: ``MediaFileError`` when the library is missing or refuses.
    package static func bytes(gray: [UInt8], width: Int, height: Int) throws(MediaFileError) -> [UInt8] {
        precondition(gray.count == width * height)
        let av = try MediaFileError.wrapping(LibAV.load)
        let frame = try frame(av, width: width, height: height, format: AV_PIX_FMT_GRAY8)
        guard let base = frame.pointer.pointee.data.0 else { throw noMemory }
        let stride = Int(frame.pointer.pointee.linesize.0)
        gray.withUnsafeBytes { samples in
            for row in 0..<height {
                UnsafeMutableRawBufferPointer(start: base + row * stride, count: width)
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: samples[(row * width)...].prefix(width)))
            }
        }
        return try encode(av, frame)
    }

    private static var noMemory: MediaFileError { MediaFileError(.outOfMemory, reason: "no memory for a picture") }

    /// A frame with memory whose rows are aligned and padded as the libraries want it.
    private static func frame(
        _ av: CLibAV, width: Int, height: Int, format: AVPixelFormat
    ) throws(MediaFileError) -> LibAVFrame {
        let frame = try MediaFileError.wrapping { () throws(LibAVError) in try LibAVFrame(av) }
        frame.pointer.pointee.width = CInt(width)
        frame.pointer.pointee.height = CInt(height)
        frame.pointer.pointee.format = format.rawValue
        guard av.av_frame_get_buffer(frame.pointer, 0) >= 0 else { throw noMemory }
        return frame
    }

    private static func copy(_ region: PictureRegion, of picture: PixelBuffer, to frame: LibAVFrame) {
        let format = picture.format
        let planes = [frame.pointer.pointee.data.0, frame.pointer.pointee.data.1, frame.pointer.pointee.data.2]
        let lines = frame.pointer.pointee.linesize
        let strides = [lines.0, lines.1, lines.2].map { Int($0) }
        for plane in 0..<format.planeCount {
            guard let target = planes[plane] else { continue }
            let rowBytes = format.rowBytes(plane: plane, width: region.width)
            let left = format.rowBytes(plane: plane, width: region.x)
            let top = format.rows(plane: plane, height: region.y)
            let source = UnsafeRawPointer(picture.unsafeAddress(plane: plane))
            for row in 0..<format.rows(plane: plane, height: region.height) {
                let start = source + (top + row) * picture.bytesPerRow(plane: plane) + left
                UnsafeMutableRawPointer(target + row * strides[plane]).copyMemory(from: start, byteCount: rowBytes)
            }
        }
    }

    /// Encodes a frame as small as the library can.
    private static func encode(_ av: CLibAV, _ frame: LibAVFrame) throws(MediaFileError) -> [UInt8] {
        guard let encoder = av.avcodec_find_encoder(AV_CODEC_ID_PNG) else {
            throw MediaFileError(.unsupported, reason: "libavcodec has no encoder for png")
        }
        guard let context = av.avcodec_alloc_context3(encoder) else { throw noMemory }
        defer {
            var context: UnsafeMutablePointer<AVCodecContext>? = context
            av.avcodec_free_context(&context)
        }
        context.pointee.width = frame.pointer.pointee.width
        context.pointee.height = frame.pointer.pointee.height
        context.pointee.pix_fmt = frame.pixelFormat
        context.pointee.time_base = AVRational(num: 1, den: 1)
        context.pointee.thread_count = 1
        context.pointee.compression_level = 9
        var options: OpaquePointer?
        defer { av.av_dict_free(&options) }
        _ = av.av_dict_set(&options, "pred", "mixed", 0)
        let packet = try MediaFileError.wrapping { () throws(LibAVError) in try LibAVPacket(av) }
        var status = av.avcodec_open2(context, encoder, &options)
        if status >= 0 { status = av.avcodec_send_frame(context, frame.pointer) }
        if status >= 0 { status = av.avcodec_receive_packet(context, packet.pointer) }
        guard status >= 0 else {
            throw MediaFileError(
                .libraryFailure, reason: "cannot write a PNG: \(av.message(status))", status: Int(status))
        }
        return packet.bytes
    }
}

extension PixelFormat {
    fileprivate var libAVFormat: AVPixelFormat {
        switch self {
        case .i420, .i420FullRange: AV_PIX_FMT_YUV420P
        case .nv12, .nv12FullRange: AV_PIX_FMT_NV12
        case .i010: AV_PIX_FMT_YUV420P10LE
        case .p010, .p010FullRange: AV_PIX_FMT_P010LE
        case .i012: AV_PIX_FMT_YUV420P12LE
        case .bgra: AV_PIX_FMT_BGRA
        case .rgba: AV_PIX_FMT_RGBA
        case .argb: AV_PIX_FMT_ARGB
        case .rgb24: AV_PIX_FMT_RGB24
        case .yuyv: AV_PIX_FMT_YUYV422
        case .uyvy: AV_PIX_FMT_UYVY422
        case .nv16: AV_PIX_FMT_NV16
        case .i444: AV_PIX_FMT_YUV444P
        }
    }
}
