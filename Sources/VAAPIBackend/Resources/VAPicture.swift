// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Synchronization

/// A surface as a session's picture.
final class VAPicture: DeviceSurface {
    let surface: VASurface
    let width: Int
    let height: Int
    let format: PixelFormat
    /// The image that the surface is written through, until the writing ends.
    private let image: Mutex<VAImageHandle?>

    /// Wraps a surface, which is being written through an image or complete.
    init(_ surface: VASurface, width: Int, height: Int, format: PixelFormat, image: consuming VAImageHandle? = nil) {
        (self.surface, self.width, self.height, self.format) = (surface, width, height, format)
        self.image = Mutex(image)
    }

    // Nobody else may have the surface while it is mapped.
    deinit { finishWriting() }

    /// Makes a picture to be filled where the driver reads it.
    ///
    /// - Throws: ``EncoderError`` where the driver's memory cannot be written in place.
    static func writable(
        of pool: VASurfacePool, format: PixelFormat
    ) throws(EncoderError) -> MutablePixelBuffer {
        let surface = try pool.take()
        var image = try VAImageHandle(deriving: surface)
        guard image.fits(pool) else {
            throw EncoderError(.unsupported, reason: "the driver's surfaces are not rows of samples")
        }
        let memory = try image.map()
        let planes = image.planes
        let picture = VAPicture(surface, width: pool.width, height: pool.height, format: format, image: image)
        return try MutablePixelBuffer(
            writing: picture, memory: memory, planes: planes, format: format, width: pool.width, height: pool.height)
    }

    func finishWriting() { image.withLock { $0 = nil } }

    func mapped() throws(EncoderError) -> PixelBuffer {
        var buffer = try MutablePixelBuffer(format: format, width: width, height: height)
        try VAImageHandle.copying(surface, width: width, height: height, format: format.fourcc).read(into: &buffer)
        return PixelBuffer(buffer)
    }
}

extension PixelFormat {
    /// The format's code in VA-API; 0 for formats that no surface has.
    var fourcc: UInt32 {
        switch layout {
        case .nv12: UInt32(VA_FOURCC_NV12)
        case .p010: UInt32(VA_FOURCC_P010)
        default: 0
        }
    }
}
