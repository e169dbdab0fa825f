// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Glibc

/// Brings pictures from memory into surfaces of one pool, with one copy where the driver lets surfaces be written.
///
/// A surface larger than the picture is filled by repeating the picture's last column and row.
struct VAImageUpload: ~Copyable {
    private let pool: VASurfacePool
    /// Whether surfaces are written as derived images; cleared for good when that does not work.
    private(set) var derives: Bool
    /// What is put into surfaces that cannot be written.
    private var staging: VAImageHandle?

    /// Makes an upload that tries derived images first, unless a quirk advises against them.
    init(to pool: VASurfacePool, quirks: VAQuirks) {
        self.pool = pool
        derives = !quirks.contains(.derivesTiledImages)
        staging = nil
    }

    /// Copies a picture into a surface.
    ///
    /// - Parameters:
    ///   - picture: NV12 or P010 as the pool is, in memory, no larger than its surfaces.
    ///   - surface: Of the pool, and in use by nobody else.
    /// - Throws: ``EncoderError`` when the picture does not fit or the driver fails.
    mutating func copy(_ picture: PixelBuffer, to surface: VASurface) throws(EncoderError) {
        try check(picture)
        if derives, try writeDerived(picture, surface) { return }
        derives = false
        try put(picture, surface)
    }

    private func check(_ picture: PixelBuffer) throws(EncoderError) {
        let expected: PixelFormat = pool.fourcc == UInt32(VA_FOURCC_P010) ? .p010 : .nv12
        guard picture.format.layout == expected, picture.width <= pool.width, picture.height <= pool.height else {
            throw EncoderError(
                .invalidPixelBuffer,
                reason:
                    "a picture of \(picture.width)x\(picture.height) in \(picture.format), expected \(expected) of at "
                    + "most \(pool.width)x\(pool.height)")
        }
    }

    /// Whether the surface could be written.
    private func writeDerived(_ picture: PixelBuffer, _ surface: VASurface) throws(EncoderError) -> Bool {
        do throws(EncoderError) {
            var image = try VAImageHandle(deriving: surface)
            guard image.fits(pool) else { return false }
            try write(picture, into: &image)
            return true
        } catch {
            // Drivers whose surfaces are tiled refuse; what else may be wrong shows when the picture is put.
            return false
        }
    }

    private mutating func put(_ picture: PixelBuffer, _ surface: VASurface) throws(EncoderError) {
        var image = if let kept = staging.take() { kept } else { try VAImageHandle(of: pool) }
        guard image.fits(pool) else {
            throw EncoderError(.backendFailure, reason: "vaCreateImage returned an image of another format or size")
        }
        try write(picture, into: &image)
        let (display, width, height) = (pool.display, UInt32(pool.width), UInt32(pool.height))
        let status = display.library.status {
            $0.vaPutImage(
                display.raw, surface.id, image.id, 0, 0, width, height, 0, 0, width, height)
        }
        try display.library.check(status, "vaPutImage")
        staging = consume image
    }

    private func write(_ picture: PixelBuffer, into image: inout VAImageHandle) throws(EncoderError) {
        let sampleBytes = pool.fourcc == UInt32(VA_FOURCC_P010) ? 2 : 1
        let (width, height) = (pool.width, pool.height)
        try image.withPlanes { planes in
            for (index, plane) in planes.enumerated() {
                let isChroma = index == 1
                let columns = isChroma ? (picture.width + 1) / 2 : picture.width
                let unit = isChroma ? 2 * sampleBytes : sampleBytes
                let source = PaddedPlane(
                    start: picture.unsafeAddress(plane: index), bytesPerRow: picture.bytesPerRow(plane: index),
                    columns: columns, rows: isChroma ? (picture.height + 1) / 2 : picture.height, unit: unit)
                source.copy(
                    to: plane.start, bytesPerRow: plane.bytesPerRow, columns: isChroma ? width / 2 : width,
                    rows: isChroma ? height / 2 : height)
            }
        }
        withExtendedLifetime(picture) {}
    }
}

/// A plane whose last column and row are repeated where it is copied into a larger one.
private struct PaddedPlane {
    let start: UnsafeRawPointer
    let bytesPerRow: Int
    let columns: Int
    let rows: Int
    /// Bytes of one column: a sample, or a pair of interleaved ones.
    let unit: Int

    /// Writes each row once and in order, as memory that is slow to read wants it.
    func copy(to target: UnsafeMutableRawPointer, bytesPerRow targetBytesPerRow: Int, columns all: Int, rows: Int) {
        let byteCount = columns * unit
        var (source, line) = (start, target)
        for _ in 0..<min(rows, self.rows) {
            memcpy(line, source, byteCount)
            source += bytesPerRow
            line += targetBytesPerRow
        }
        for _ in self.rows..<max(rows, self.rows) {
            memcpy(line, source - bytesPerRow, byteCount)
            line += targetBytesPerRow
        }
        guard all > columns else { return }
        for row in 0..<rows {
            let (line, source) = (target + row * targetBytesPerRow, start + min(row, self.rows - 1) * bytesPerRow)
            for column in columns..<all { memcpy(line + column * unit, source + byteCount - unit, unit) }
        }
    }
}
