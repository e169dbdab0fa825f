// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// Makes surfaces of DMA-BUFs, whose memory the device then reads.
struct VASurfaceImport {
    let display: VADisplayHandle
    /// Whether the driver imports at all.
    let isOffered: Bool
    /// The fourcc code of the pictures' format.
    let fourcc: UInt32
    /// How the driver arranges surfaces of its own; asked when a picture that is not in rows comes first.
    private lazy var ownModifier = modifierOfOwnSurface()

    init(_ display: VADisplayHandle, isOffered: Bool, fourcc: UInt32) {
        (self.display, self.isOffered, self.fourcc) = (display, isOffered, fourcc)
    }

    /// Whether a picture's arrangement is one that the driver reads: rows, or that of its own surfaces.
    ///
    /// No attribute lists modifiers: `VASurfaceAttribDRMFormatModifiers` can only be set, and iHD ignores it. What the
    /// driver makes by itself it reads: Y tiles up to Alder Lake, 4 tiles on DG2.
    mutating func takes(_ dmaBuf: DMABuf) -> Bool {
        isOffered && (dmaBuf.modifier == DMABuf.linear || dmaBuf.modifier == ownModifier)
    }

    /// Nil where the driver makes no surface, or tells no modifier.
    private func modifierOfOwnSurface() -> UInt64? {
        guard let id = try? VASurface.make(on: display, format: fourcc, width: Self.side, height: Self.side) else {
            return nil
        }
        defer { VASurface.destroy([id], on: display) }
        return (try? VASurfaceExport(id, on: display))?.modifier
    }

    /// A side that every encoder codes and that tiles.
    private static let side = 256

    /// Makes a surface of a picture in a DMA-BUF.
    ///
    /// - Parameters:
    ///   - picture: Held by the surface.
    ///   - dmaBuf: The picture's, which is taken.
    /// - Returns: The surface.
    /// - Throws: ``EncoderError`` as the driver refuses.
    func surface(of picture: PixelBuffer, _ dmaBuf: DMABuf) throws(EncoderError) -> VASurface {
        var descriptor = VADRMPRIMESurfaceDescriptor()
        descriptor.fourcc = picture.format.fourcc
        (descriptor.width, descriptor.height) = (UInt32(picture.width), UInt32(picture.height))
        descriptor.num_objects = UInt32(dmaBuf.objects.count)
        for (index, object) in dmaBuf.objects.enumerated() {
            cva_set_object(
                &descriptor, Int32(index), object.descriptor, UInt32(clamping: object.byteCount), dmaBuf.modifier)
        }
        // One layer of both planes: more drivers take it than two. DRM's codes of these formats are VA-API's.
        cva_set_layer(&descriptor, picture.format.fourcc, UInt32(dmaBuf.planes.count))
        for (index, plane) in dmaBuf.planes.enumerated() {
            cva_set_plane(
                &descriptor, Int32(index), UInt32(plane.object), UInt32(clamping: plane.offset),
                UInt32(clamping: plane.bytesPerRow))
        }
        let id = try make(picture, &descriptor)
        let display = display
        return VASurface(id: id, display: display) { id in
            VASurface.destroy([id], on: display)
            withExtendedLifetime(picture) {}
        }
    }

    private func make(
        _ picture: PixelBuffer, _ descriptor: inout VADRMPRIMESurfaceDescriptor
    ) throws(EncoderError) -> VASurfaceID {
        var memory = VASurfaceAttrib()
        memory.type = VASurfaceAttribMemoryType
        memory.flags = UInt32(VA_SURFACE_ATTRIB_SETTABLE)
        memory.value.type = VAGenericValueTypeInteger
        memory.value.value.i = Int32(bitPattern: UInt32(VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2))
        var buffer = VASurfaceAttrib()
        buffer.type = VASurfaceAttribExternalBufferDescriptor
        buffer.flags = UInt32(VA_SURFACE_ATTRIB_SETTABLE)
        buffer.value.type = VAGenericValueTypePointer
        return try withUnsafeMutablePointer(to: &descriptor) { pointer throws(EncoderError) in
            buffer.value.value.p = UnsafeMutableRawPointer(pointer)
            return try VASurface.make(
                on: display, format: picture.format.fourcc, width: picture.width, height: picture.height,
                attributes: [memory, buffer])
        }
    }
}
