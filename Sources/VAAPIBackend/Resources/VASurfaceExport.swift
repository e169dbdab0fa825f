// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Glibc

/// What a driver exports of one of its surfaces: DMA-BUF descriptors, which are the caller's.
struct VASurfaceExport: ~Copyable {
    private let descriptor: VADRMPRIMESurfaceDescriptor

    /// Exports a surface for reading, as one layer.
    ///
    /// - Parameters:
    ///   - id: The surface.
    ///   - display: Where it was made.
    /// - Throws: ``EncoderError`` with `.unsupported` where libva is too old; else as the driver refuses.
    init(_ id: VASurfaceID, on display: VADisplayHandle) throws(EncoderError) {
        guard let export = display.library.call.vaExportSurfaceHandle else {
            throw EncoderError(.unsupported, reason: "libva exports no surfaces; it takes libva 2.1 or later")
        }
        var raw = VADRMPRIMESurfaceDescriptor()
        let status = display.library.status { _ in
            export(
                display.raw, id, UInt32(VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2),
                UInt32(VA_EXPORT_SURFACE_READ_ONLY | VA_EXPORT_SURFACE_COMPOSED_LAYERS), &raw)
        }
        try display.library.check(status, "vaExportSurfaceHandle")
        descriptor = raw
    }

    deinit { for object in objects { close(object.descriptor) } }

    private var objects: [DMABuf.Object] {
        (0..<Int32(min(descriptor.num_objects, 4))).map { index in
            DMABuf.Object(
                descriptor: cva_object_descriptor(descriptor, index),
                byteCount: Int(cva_object_size(descriptor, index)))
        }
    }

    /// How the surface is arranged; nil where the driver tells it not, or has another number of planes than luma and
    /// chroma, as compression has.
    var modifier: UInt64? {
        let modifier = cva_object_modifier(descriptor, 0)
        return descriptor.num_objects > 0 && descriptor.num_layers == 1 && cva_plane_count(descriptor) == 2
            && modifier != Self.unknownModifier ? modifier : nil
    }

    /// `DRM_FORMAT_MOD_INVALID`.
    private static let unknownModifier: UInt64 = 0x00ff_ffff_ffff_ffff

    /// The surface as a picture takes it, whose descriptors stay open as long as this value; nil as ``modifier``.
    var dmaBuf: DMABuf? {
        modifier.map { modifier in
            let planes = (0..<Int32(2)).map { index in
                DMABuf.Plane(
                    object: Int(cva_plane_object(descriptor, index)), offset: Int(cva_plane_offset(descriptor, index)),
                    bytesPerRow: Int(cva_plane_pitch(descriptor, index)))
            }
            return DMABuf(objects: objects, planes: planes, modifier: modifier)
        }
    }
}

extension VAPicture {
    /// The same picture as a DMA-BUF, which holds this one.
    ///
    /// - Throws: ``EncoderError`` as the driver refuses, or with `.unsupported` where it does not say how its surfaces
    ///   are arranged.
    func exported() throws(EncoderError) -> PixelBuffer {
        let display = surface.display
        let status = display.library.status { $0.vaSyncSurface(display.raw, surface.id) }
        try display.library.check(status, "vaSyncSurface")
        let export = Shared(try VASurfaceExport(surface.id, on: display))
        guard let dmaBuf = export.value.dmaBuf else {
            throw EncoderError(.unsupported, reason: "the driver does not say how its surfaces are arranged")
        }
        return try PixelBuffer(dmaBuf: dmaBuf, format: format, width: width, height: height) {
            withExtendedLifetime((self, export)) {}
        }
    }

    /// Holds an export for a closure.
    private final class Shared: @unchecked Sendable {
        // Unchecked: nothing changes after init.
        let value: VASurfaceExport
        init(_ value: consuming VASurfaceExport) { self.value = value }
    }
}
