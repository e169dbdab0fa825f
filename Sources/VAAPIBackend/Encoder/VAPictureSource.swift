// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Synchronization

/// Gives out pictures for the session's input in surfaces of the connection that is open.
final class VAPictureSource: Sendable {
    private let format: PixelFormat
    private let surfaces: Mutex<VASurfacePool>

    /// Makes one; nil where the driver's surfaces cannot be written in place, or the session's pictures are converted
    /// before they are encoded.
    init?(_ display: VADisplayHandle, _ settings: ResolvedSettings) {
        let (request, picture) = (settings.request, settings.picture)
        guard request.pixelFormat.layout == picture.pixelFormat.layout, request.width == picture.codedWidth,
            request.height == picture.codedHeight, !VAQuirks(ofDriver: display.driver).contains(.derivesTiledImages)
        else { return nil }
        format = request.pixelFormat
        let pool = VASurfacePool(
            display, width: request.width, height: request.height, bitDepth: picture.bitDepth, capacity: .max)
        surfaces = Mutex(pool)
        // The first shows whether the driver's surfaces can be written.
        guard (try? VAPicture.writable(of: pool, format: format)) != nil else { return nil }
    }

    /// A pool for the session; nil for a format that has none.
    var pool: PixelBufferPool? {
        let current = surfaces.withLock { $0 }
        return try? PixelBufferPool(format: format, width: current.width, height: current.height) {
            () throws(EncoderError) in
            try VAPicture.writable(of: self.surfaces.withLock { $0 }, format: self.format)
        }
    }

    /// Makes pictures on another connection from now on; those of the old one hold it until nobody has them.
    func move(to display: VADisplayHandle) {
        surfaces.withLock { $0 = VASurfacePool(like: $0, on: display) }
    }
}
