// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// Sole owner of one `VAImage`: a picture as memory of the driver's.
struct VAImageHandle: ~Copyable {
    private let raw: VAImage
    private let display: VADisplayHandle
    private var isMapped = false

    /// Makes an image that stands beside any surface.
    init(of pool: VASurfacePool) throws(EncoderError) {
        try self.init(pool.display, width: pool.width, height: pool.height, fourcc: pool.fourcc)
    }

    /// Makes an image whose memory is the surface's own.
    init(deriving surface: VASurface) throws(EncoderError) {
        let display = surface.display
        var raw = VAImage()
        try display.library.check(
            display.library.status { $0.vaDeriveImage(display.raw, surface.id, &raw) }, "vaDeriveImage")
        self.init(raw, display)
    }

    /// Makes an image that has what a surface shows.
    static func copying(
        _ surface: VASurface, width: Int, height: Int, format: UInt32
    ) throws(EncoderError) -> VAImageHandle {
        let display = surface.display
        let image = try VAImageHandle(display, width: width, height: height, fourcc: format)
        let status = display.library.status {
            $0.vaGetImage(
                display.raw, surface.id, 0, 0, UInt32(width), UInt32(height), image.id)
        }
        try display.library.check(status, "vaGetImage of \(width)x\(height)")
        return image
    }

    private init(_ display: VADisplayHandle, width: Int, height: Int, fourcc: UInt32) throws(EncoderError) {
        var format = VAImageFormat()
        format.fourcc = fourcc
        format.byte_order = UInt32(VA_LSB_FIRST)
        format.bits_per_pixel = fourcc == UInt32(VA_FOURCC_P010) ? 24 : 12
        var raw = VAImage()
        let status = display.library.status {
            $0.vaCreateImage(display.raw, &format, Int32(width), Int32(height), &raw)
        }
        try display.library.check(status, "vaCreateImage of \(width)x\(height)")
        self.init(raw, display)
    }

    private init(_ raw: VAImage, _ display: VADisplayHandle) {
        self.raw = raw
        self.display = display
    }

    deinit {
        if isMapped { _ = display.library.status { $0.vaUnmapBuffer(display.raw, raw.buf) } }
        _ = display.library.status { $0.vaDestroyImage(display.raw, raw.image_id) }
    }

    /// The image for libva's calls.
    var id: VAImageID { raw.image_id }

    /// Where luma and chroma lie.
    var planes: [MutablePixelBuffer.SurfacePlane] {
        [
            .init(offset: Int(raw.offsets.0), bytesPerRow: Int(raw.pitches.0)),
            .init(offset: Int(raw.offsets.1), bytesPerRow: Int(raw.pitches.1)),
        ]
    }

    /// Whether rows of a pool's format and size lie in it.
    func fits(_ pool: VASurfacePool) -> Bool { fits(width: pool.width, height: pool.height, fourcc: pool.fourcc) }

    private func fits(width: Int, height: Int, fourcc: UInt32) -> Bool {
        let rowBytes = (width + 1) / 2 * 2 * (fourcc == UInt32(VA_FOURCC_P010) ? 2 : 1)
        return raw.format.fourcc == fourcc && raw.num_planes == 2
            && zip(planes, [height, (height + 1) / 2]).allSatisfy { plane, rows in
                plane.bytesPerRow >= rowBytes
                    && plane.offset + plane.bytesPerRow * (rows - 1) + rowBytes <= Int(raw.data_size)
            }
    }

    /// Maps the image until it goes; once.
    mutating func map() throws(EncoderError) -> UnsafeMutableRawBufferPointer {
        var start: UnsafeMutableRawPointer?
        let library = display.library
        try library.check(library.status { $0.vaMapBuffer(display.raw, raw.buf, &start) }, "vaMapBuffer of an image")
        isMapped = true
        guard let start else {
            throw EncoderError(.backendFailure, reason: "vaMapBuffer of an image returned no address")
        }
        return UnsafeMutableRawBufferPointer(start: start, count: Int(raw.data_size))
    }

    /// Maps the two planes of an image that ``fits(_:)`` while `body` runs.
    mutating func withPlanes(
        _ body: ([(start: UnsafeMutableRawPointer, bytesPerRow: Int)]) -> Void
    ) throws(EncoderError) {
        let memory = try map()
        if let base = memory.baseAddress { body(planes.map { (base + $0.offset, $0.bytesPerRow) }) }
        isMapped = false
        let library = display.library
        try library.check(library.status { $0.vaUnmapBuffer(display.raw, raw.buf) }, "vaUnmapBuffer of an image")
    }

    /// Copies the image's rows.
    consuming func read(into buffer: inout MutablePixelBuffer) throws(EncoderError) {
        guard fits(width: buffer.width, height: buffer.height, fourcc: buffer.format.fourcc) else {
            throw EncoderError(.backendFailure, reason: "vaCreateImage returned an image of another format or size")
        }
        let memory = UnsafeRawBufferPointer(try map())
        let (width, height, sampleBytes) = (buffer.width, buffer.height, buffer.format.bytesPerSample)
        for (index, plane) in planes.enumerated() {
            let isChroma = index == 1
            let rowBytes = (isChroma ? (width + 1) / 2 * 2 : width) * sampleBytes
            buffer.withMutablePlane(index) { target, stride in
                for row in 0..<(isChroma ? (height + 1) / 2 : height) {
                    let start = plane.offset + row * plane.bytesPerRow
                    UnsafeMutableRawBufferPointer(rebasing: target[(row * stride)...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: memory[start..<start + rowBytes]))
                }
            }
        }
    }
}
