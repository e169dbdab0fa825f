// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport

/// Sole owner of one `x264_picture_t`: a description of planes that stay where they are, or of a picture that came out.
///
/// libx264 copies the samples into a frame of its own before `x264_encoder_encode` returns. Its vector code, measured
/// with 0.164, reads rows up to the next multiple of 64 bytes, the last row of a plane too; a sample above the bit
/// depth makes it stop the process.
struct X264Picture: ~Copyable {
    /// The description; valid while this value lives.
    let pointer: UnsafeMutablePointer<x264_picture_t>
    private let format: PictureFormat

    /// Allocates a picture of the format that an encoder was opened for.
    init(_ format: PictureFormat) {
        self.format = format
        pointer = .allocate(capacity: 1)
        x264_picture_init(pointer)
        pointer.pointee.img.i_csp = Self.colorspace(of: format.pixelFormat)
        pointer.pointee.img.i_plane = Int32(format.pixelFormat.planeCount)
    }

    deinit { pointer.deallocate() }

    /// libx264's name for a format it takes directly.
    static func colorspace(of format: PixelFormat) -> Int32 {
        let layout = format.isBiplanar ? X264_CSP_NV12 : X264_CSP_I420
        return format.bitDepth > 8 ? layout | X264_CSP_HIGH_DEPTH : layout
    }

    /// Describes `source`, whose planes nothing is copied from here, at a time for rate control.
    func describe(_ source: SourcePicture, ticks: Int64) throws(EncoderError) {
        let buffer = source.pixelBuffer
        try format.check(buffer)
        pointer.pointee.i_type = source.options.forceKeyFrame ? X264_TYPE_IDR : X264_TYPE_AUTO
        pointer.pointee.i_qpplus1 = Self.qpPlus1(source.quantizer, bitDepth: format.pixelFormat.bitDepth)
        pointer.pointee.i_pts = ticks
        // Carries an integer id in the library's void pointer, which comes back with the output and is never followed.
        pointer.pointee.opaque = UnsafeMutableRawPointer(bitPattern: source.id)
        pointer.pointee.img.plane.0 = Self.plane(0, of: buffer)
        pointer.pointee.img.plane.1 = Self.plane(1, of: buffer)
        pointer.pointee.img.i_stride.0 = try Self.stride(0, of: buffer)
        pointer.pointee.img.i_stride.1 = try Self.stride(1, of: buffer)
        if !format.pixelFormat.isBiplanar {
            pointer.pointee.img.plane.2 = Self.plane(2, of: buffer)
            pointer.pointee.img.i_stride.2 = try Self.stride(2, of: buffer)
        }
    }

    /// The quantizer on the library's scale, plus 1: 0 stands for what the library chooses.
    ///
    /// The largest that a session asks for stands for the fewest bytes. The library reckons with quantizers up to 69:
    /// it codes what is above 51 with 51 and leaves out detail. Measured on 0.164 with a texture of 64x64 that moves,
    /// preset ultrafast: 201 bytes a P picture with 51, 10 with 69.
    private static func qpPlus1(_ quantizer: Int?, bitDepth: Int) -> Int32 {
        guard let quantizer else { return X264_QP_AUTO }
        let used = quantizer < X264Family.quantizers.upperBound ? quantizer : 69
        return Int32(clamping: used + 6 * (bitDepth - 8) + 1)
    }

    private static func plane(_ index: Int, of buffer: PixelBuffer) -> UnsafeMutablePointer<UInt8> {
        // The library only reads through it.
        UnsafeMutablePointer(mutating: buffer.unsafeAddress(plane: index).assumingMemoryBound(to: UInt8.self))
    }

    private static func stride(_ index: Int, of buffer: PixelBuffer) throws(EncoderError) -> Int32 {
        let bytesPerRow = buffer.bytesPerRow(plane: index)
        guard let stride = Int32(exactly: bytesPerRow) else {
            throw EncoderError(
                .invalidPixelBuffer, reason: "\(bytesPerRow) bytes per row, expected at most \(Int32.max)")
        }
        return stride
    }

    // MARK: - A picture that came out

    /// The ``SourcePicture/id`` of the picture.
    var id: Int { Int(bitPattern: pointer.pointee.opaque) }

    /// How the picture is predicted.
    var pictureType: AccessUnit.PictureType {
        switch pointer.pointee.i_type {
        case X264_TYPE_IDR, X264_TYPE_I, X264_TYPE_KEYFRAME: .i
        case X264_TYPE_P: .p
        default: .b
        }
    }

    /// Whether decoding can start here.
    var isKeyFrame: Bool { pointer.pointee.b_keyframe != 0 }

    /// Whether decoding can start here although the picture is no IDR.
    var isRecoveryPoint: Bool { isKeyFrame && pointer.pointee.i_type != X264_TYPE_IDR }
}
