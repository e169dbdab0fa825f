// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import LibraryBackends

/// The one input picture of an encoder: its planes are the pixel buffer's own, nothing is copied on the way in.
///
/// libx264 copies the samples into a frame of its own before `x264_encoder_encode` returns. Its vector code, measured with
/// 0.164, reads rows up to the next multiple of 64 bytes, the last row of a plane too; a sample above the bit depth makes it
/// stop the process.
struct X264Picture {
    private(set) var raw = x264_picture_t()
    private let format: PictureFormat

    init(_ picture: PictureFormat) {
        format = picture
        x264_picture_init(&raw)
        raw.img.i_csp = Self.colorspace(of: format.pixelFormat)
        raw.img.i_plane = Int32(format.pixelFormat.planeCount)
    }

    /// libx264's name for a format it takes directly.
    static func colorspace(of format: PixelFormat) -> Int32 {
        let layout = format.isBiplanar ? X264_CSP_NV12 : X264_CSP_I420
        return format.bitDepth > 8 ? layout | X264_CSP_HIGH_DEPTH : layout
    }

    /// Points the library's picture at `picture`.
    mutating func show(_ picture: SourcePicture) throws(EncoderError) {
        let buffer = picture.pixelBuffer
        try format.check(buffer)
        raw.i_type = picture.options.forceKeyFrame ? X264_TYPE_IDR : X264_TYPE_AUTO
        raw.i_pts = picture.ticks
        // Carries an integer id in the library's void pointer, which comes back with the output and is never followed.
        raw.opaque = UnsafeMutableRawPointer(bitPattern: picture.id)
        raw.img.plane.0 = Self.plane(0, of: buffer)
        raw.img.plane.1 = Self.plane(1, of: buffer)
        raw.img.i_stride.0 = try Self.stride(0, of: buffer)
        raw.img.i_stride.1 = try Self.stride(1, of: buffer)
        if !format.pixelFormat.isBiplanar {
            raw.img.plane.2 = Self.plane(2, of: buffer)
            raw.img.i_stride.2 = try Self.stride(2, of: buffer)
        }
    }

    /// Runs `body` with the picture where the library can read it.
    mutating func withUnsafePicture<Result>(
        _ body: (UnsafeMutablePointer<x264_picture_t>) throws(EncoderError) -> Result
    ) throws(EncoderError) -> Result {
        try body(&raw)
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
}
