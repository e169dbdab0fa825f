// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// Sole owner of one `VAImage`: a picture as memory of the driver's.
struct VAImageHandle: ~Copyable {
    private let raw: VAImage
    private let display: VADisplayHandle

    /// Makes an image that stands beside any surface.
    init(of pool: VASurfacePool) throws(EncoderError) {
        let display = pool.display
        var format = VAImageFormat()
        format.fourcc = pool.fourcc
        format.byte_order = UInt32(VA_LSB_FIRST)
        format.bits_per_pixel = pool.fourcc == UInt32(VA_FOURCC_P010) ? 24 : 12
        var raw = VAImage()
        let status = display.library.call.vaCreateImage(
            display.raw, &format, Int32(pool.width), Int32(pool.height), &raw)
        try display.library.check(status, "vaCreateImage of \(pool.width)x\(pool.height)")
        self.init(raw, display)
    }

    /// Makes an image whose memory is the surface's own.
    init(deriving surface: VASurface) throws(EncoderError) {
        let display = surface.pool.display
        var raw = VAImage()
        try display.library.check(display.library.call.vaDeriveImage(display.raw, surface.id, &raw), "vaDeriveImage")
        self.init(raw, display)
    }

    private init(_ raw: VAImage, _ display: VADisplayHandle) {
        self.raw = raw
        self.display = display
    }

    deinit { _ = display.library.call.vaDestroyImage(display.raw, raw.image_id) }

    /// The image for libva's calls.
    var id: VAImageID { raw.image_id }

    /// Whether rows of a pool's format and size lie in it.
    func fits(_ pool: VASurfacePool) -> Bool {
        let rowBytes = pool.width * (pool.fourcc == UInt32(VA_FOURCC_P010) ? 2 : 1)
        let planes = [(raw.pitches.0, raw.offsets.0, pool.height), (raw.pitches.1, raw.offsets.1, pool.height / 2)]
        return raw.format.fourcc == pool.fourcc && raw.num_planes == 2
            && planes.allSatisfy { pitch, offset, rows in
                Int(pitch) >= rowBytes && Int(offset) + Int(pitch) * (rows - 1) + rowBytes <= Int(raw.data_size)
            }
    }

    /// Maps the two planes of an image that ``fits(_:)`` while `body` runs.
    func withPlanes(_ body: ([(start: UnsafeMutableRawPointer, bytesPerRow: Int)]) -> Void) throws(EncoderError) {
        var start: UnsafeMutableRawPointer?
        let library = display.library
        try library.check(library.call.vaMapBuffer(display.raw, raw.buf, &start), "vaMapBuffer of an image")
        if let start {
            body([
                (start + Int(raw.offsets.0), Int(raw.pitches.0)), (start + Int(raw.offsets.1), Int(raw.pitches.1)),
            ])
        }
        try library.check(library.call.vaUnmapBuffer(display.raw, raw.buf), "vaUnmapBuffer of an image")
        guard start != nil else {
            throw EncoderError(.backendFailure, reason: "vaMapBuffer of an image returned no address")
        }
    }
}
