// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// One surface in use; what becomes of it when nobody holds it any more is its maker's business.
final class VASurface: Sendable {
    let id: VASurfaceID
    let display: VADisplayHandle
    private let release: @Sendable (VASurfaceID) -> Void

    /// Takes a surface.
    ///
    /// - Parameters:
    ///   - id: The surface.
    ///   - display: Where it was made; held as long as the surface.
    ///   - release: Called once, on any thread.
    init(id: VASurfaceID, display: VADisplayHandle, release: @escaping @Sendable (VASurfaceID) -> Void) {
        (self.id, self.display, self.release) = (id, display, release)
    }

    deinit { release(id) }

    /// Makes a surface that no pool has.
    ///
    /// - Parameters:
    ///   - display: Where.
    ///   - format: The fourcc code of its format.
    ///   - width: Luma samples in a row.
    ///   - height: Luma rows.
    ///   - attributes: What else it is.
    /// - Returns: The surface, which nobody frees but ``destroy(_:on:)``.
    /// - Throws: ``EncoderError`` as the driver refuses.
    static func make(
        on display: VADisplayHandle, format: UInt32, width: Int, height: Int, attributes: [VASurfaceAttrib] = []
    ) throws(EncoderError) -> VASurfaceID {
        var pixelFormat = VASurfaceAttrib()
        pixelFormat.type = VASurfaceAttribPixelFormat
        pixelFormat.flags = UInt32(VA_SURFACE_ATTRIB_SETTABLE)
        pixelFormat.value.type = VAGenericValueTypeInteger
        pixelFormat.value.value.i = Int32(bitPattern: format)
        var all = [pixelFormat] + attributes
        let kind = UInt32(format == UInt32(VA_FOURCC_P010) ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420)
        var id = VASurfaceID(VA_INVALID_ID)
        let status = display.library.status {
            $0.vaCreateSurfaces(
                display.raw, kind, UInt32(width), UInt32(height), &id, 1, &all, UInt32(all.count))
        }
        try display.library.check(status, "vaCreateSurfaces of \(width)x\(height)")
        return id
    }

    /// Frees surfaces.
    static func destroy(_ ids: [VASurfaceID], on display: VADisplayHandle) {
        var ids = ids
        if !ids.isEmpty { _ = display.library.status { $0.vaDestroySurfaces(display.raw, &ids, Int32(ids.count)) } }
    }
}
