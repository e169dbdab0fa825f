// SPDX-License-Identifier: MIT

package import CLibAV
package import EncoderAPI

/// Sole owner of one AVFrame and of its reference to the decoder's memory.
package final class LibAVFrame: @unchecked Sendable {
    // Unchecked: the decoder fills it once; from then on it is only read, and freed when the last holder lets go.

    package let pointer: UnsafeMutablePointer<AVFrame>
    private let av: CLibAV

    package init(_ av: CLibAV) throws(LibAVError) {
        guard let pointer = av.av_frame_alloc() else {
            throw LibAVError(.outOfMemory, reason: "no memory for a decoded picture")
        }
        self.av = av
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av.av_frame_free(&pointer)
    }

    package var width: Int { Int(pointer.pointee.width) }
    package var height: Int { Int(pointer.pointee.height) }
    package var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// FFmpeg's name of the pixel format, such as "yuv422p10le".
    package var pixelFormatName: String {
        av.av_get_pix_fmt_name(pixelFormat).map { String(cString: $0) } ?? "unknown (\(pixelFormat.rawValue))"
    }

    /// What the video itself says of something beside its samples, as `Value` in libavutil's memory.
    package func sideData<Value>(_ type: AVFrameSideDataType, as _: Value.Type) -> Value? {
        for index in 0..<Int(pointer.pointee.nb_side_data) {
            guard let data = pointer.pointee.side_data[index]?.pointee, data.type == type,
                data.size >= MemoryLayout<Value>.size, let bytes = data.data
            else { continue }
            return UnsafeRawPointer(bytes).loadUnaligned(as: Value.self)
        }
        return nil
    }

    /// Whether the video says something of a kind beside its samples.
    package func hasSideData(_ types: AVFrameSideDataType...) -> Bool {
        (0..<Int(pointer.pointee.nb_side_data)).contains { index in
            pointer.pointee.side_data[index].map { types.contains($0.pointee.type) } ?? false
        }
    }

    /// Where its data lies in the file; nil where the demuxer did not say.
    package var byteOffset: Int64? { pointer.pointee.pkt_pos >= 0 ? pointer.pointee.pkt_pos : nil }

    /// The number of the packet that it was decoded from, from 0 on in decode order.
    package var packetNumber: Int { Int(clibav_number(pointer)) }

    /// Whether the decoder gave the picture at the end of its data: such pictures have no packet's decode time.
    package var isGivenAtEnd: Bool { pointer.pointee.pkt_dts == clibav_no_time() }

    /// Whether what the picture refers to comes before the place where decoding started.
    package var isUndecodable: Bool { pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }

    /// Whether the decoder marked errors that it concealed before it gave the picture: with several threads, by chance.
    package var isDamaged: Bool { pointer.pointee.decode_error_flags != 0 }

    /// What the sample values mean.
    package var color: ColorDescription {
        let frame = pointer.pointee
        return ColorDescription(
            primaries: Int(frame.color_primaries.rawValue), transfer: Int(frame.color_trc.rawValue),
            matrix: Int(frame.colorspace.rawValue), isFullRange: isFullRange)
    }

    package var isFullRange: Bool {
        let fullRangeFormats = [
            AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
        ]
        return pointer.pointee.color_range == AVCOL_RANGE_JPEG || fullRangeFormats.contains(pixelFormat)
    }

    /// The format in which the planes can be used as they are; nil for all others.
    package var nativeFormat: PixelFormat? {
        switch pixelFormat {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: .i420
        case AV_PIX_FMT_NV12: .nv12
        case AV_PIX_FMT_YUV420P10LE: .i010
        case AV_PIX_FMT_P010LE: .p010
        case AV_PIX_FMT_YUV420P12LE: .i012
        default: nil
        }
    }

    /// The format of eight bits that is not 4:2:0, but that PictureTransfer makes into that; nil for all others.
    package var transferredFormat: PixelFormat? {
        switch pixelFormat {
        case AV_PIX_FMT_BGRA: .bgra
        case AV_PIX_FMT_RGBA: .rgba
        case AV_PIX_FMT_ARGB: .argb
        case AV_PIX_FMT_RGB24: .rgb24
        case AV_PIX_FMT_YUYV422: .yuyv
        case AV_PIX_FMT_UYVY422: .uyvy
        case AV_PIX_FMT_NV16: .nv16
        case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: .i444
        default: nil
        }
    }

    /// The planes as a picture, without a copy; nil when the format or layout needs a conversion.
    package func picture() throws(LibAVError) -> PixelBuffer? {
        guard let format = nativeFormat, let (picture, isFlipped) = try picture(in: format, color: nil), !isFlipped
        else { return nil }
        return picture
    }

    /// The planes as a picture of a format, without a copy, and whether its rows go from the last to the first; nil
    /// when they are no such picture.
    package func picture(
        in format: PixelFormat, color: ColorDescription?
    ) throws(LibAVError) -> (picture: PixelBuffer, isFlipped: Bool)? {
        guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
        let data = [pointer.pointee.data.0, pointer.pointee.data.1, pointer.pointee.data.2]
        let strides = [pointer.pointee.linesize.0, pointer.pointee.linesize.1, pointer.pointee.linesize.2].map {
            Int($0)
        }
        let isFlipped = strides[0] < 0
        var planes: [PixelBuffer.WrappedPlane] = []
        for plane in 0..<format.planeCount {
            let rowBytes = format.rowBytes(plane: plane, width: width)
            let distance = isFlipped ? -strides[plane] : strides[plane]
            guard let base = data[plane], distance >= rowBytes else { return nil }
            let rest = (format.rows(plane: plane, height: height) - 1) * distance
            let bytes = UnsafeRawBufferPointer(start: isFlipped ? base - rest : base, count: rest + rowBytes)
            planes.append(.init(bytes: bytes, bytesPerRow: distance))
        }
        do throws(EncoderError) {
            let picture = try PixelBuffer(
                wrapping: planes, format: format, width: width, height: height, color: color
            ) { [self] in
                withExtendedLifetime(self) {}
            }
            return (picture, isFlipped)
        } catch {
            throw LibAVError(.failure, reason: error.reason)
        }
    }
}
