// SPDX-License-Identifier: MIT

import Glibc

/// A picture in memory that devices share: Linux DMA-BUF descriptors, and where the planes lie behind them.
///
/// What cameras (V4L2), decoders and GPUs export, and what a hardware encoder reads without a copy.
public struct DMABuf: Sendable, Hashable {
    /// One descriptor.
    public struct Object: Sendable, Hashable {
        /// The file descriptor; it stays the caller's, who keeps it open as long as a picture uses it.
        public var descriptor: Int32
        /// Bytes behind it that may be used, 1 to what the descriptor has; asking that moves the position of a plain
        /// file to its end.
        public var byteCount: Int

        /// Describes a descriptor.
        public init(descriptor: Int32, byteCount: Int) {
            self.descriptor = descriptor
            self.byteCount = byteCount
        }
    }

    /// One plane.
    public struct Plane: Sendable, Hashable {
        /// Which of ``DMABuf/objects`` it lies in.
        public var object: Int
        /// Bytes from the start of the object to the first row; the plane ends within the object.
        public var offset: Int
        /// Bytes from the start of a row to the start of the next, from the used bytes of a row to 2^31 - 1.
        public var bytesPerRow: Int

        /// Describes a plane.
        public init(object: Int = 0, offset: Int, bytesPerRow: Int) {
            self.object = object
            self.offset = offset
            self.bytesPerRow = bytesPerRow
        }
    }

    /// The descriptors, 1 to 4.
    public var objects: [Object]
    /// Y, Cb, Cr or Y, CbCr as the picture's format says.
    public var planes: [Plane]
    /// How the samples are arranged, as `drm_fourcc.h` numbers it; 0, the default, is row by row.
    public var modifier: UInt64

    /// Describes a picture.
    public init(objects: [Object], planes: [Plane], modifier: UInt64 = DMABuf.linear) {
        self.objects = objects
        self.planes = planes
        self.modifier = modifier
    }

    /// `DRM_FORMAT_MOD_LINEAR`: row by row.
    public static let linear: UInt64 = 0
}

extension DMABuf {
    /// Checks that each plane lies within its object, and each object within what its descriptor has.
    ///
    /// - Returns: The planes as the picture has them.
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` that names what does not fit.
    func layout(of source: SourceFormat) throws(EncoderError) -> PlaneLayout {
        func refuse(_ reason: String) -> EncoderError { EncoderError(.invalidPixelBuffer, reason: reason) }
        var layout = try PlaneLayout(source, planeCount: planes.count)
        guard (1...4).contains(objects.count) else { throw refuse("\(objects.count) objects, expected 1...4") }
        for (index, object) in objects.enumerated() {
            let size = lseek(object.descriptor, 0, SEEK_END)
            guard size >= 0 else {
                throw refuse("descriptor \(object.descriptor) of object \(index): \(String(cString: strerror(errno)))")
            }
            guard object.byteCount >= 1, object.byteCount <= size else {
                throw refuse("object \(index) has \(size) bytes, expected the \(object.byteCount) that are named")
            }
        }
        for (index, plane) in planes.enumerated() {
            guard objects.indices.contains(plane.object) else {
                throw refuse("plane \(index) lies in object \(plane.object), expected 0..<\(objects.count)")
            }
            try layout.place(
                index, at: plane.offset, bytesPerRow: plane.bytesPerRow, of: objects[plane.object].byteCount)
        }
        return layout
    }

    /// Maps the planes of a picture for reading, until the one that is returned is let go.
    ///
    /// - Throws: ``EncoderError`` with `.unsupportedPixelFormat` for another arrangement than rows,
    ///   `.invalidPixelBuffer` when the system does not map the memory.
    func mapped(_ picture: PixelBuffer, layout: PlaneLayout) throws(EncoderError) -> PixelBuffer {
        guard modifier == Self.linear else {
            throw EncoderError(
                .unsupportedPixelFormat,
                reason: "a picture with modifier 0x\(String(modifier, radix: 16)) in memory, expected 0 (linear)")
        }
        let mapping = try Mapping(objects)
        let wrapped = planes.indices.map { index in
            PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(
                    start: mapping.bases[planes[index].object] + planes[index].offset, count: layout[index].byteCount),
                bytesPerRow: planes[index].bytesPerRow)
        }
        return try PixelBuffer(
            wrapping: wrapped, format: picture.format, width: picture.width, height: picture.height,
            color: picture.color
        ) {
            mapping.end()
            // The descriptors stay open until here.
            withExtendedLifetime(picture) {}
        }
    }

    /// Objects in this process's memory.
    private final class Mapping: @unchecked Sendable {
        // Unchecked: nothing changes after init.

        private let objects: [Object]
        let bases: [UnsafeRawPointer]

        /// `DMA_BUF_IOCTL_SYNC`, and its flags for reading (linux/dma-buf.h).
        private static let sync: UInt = 0x4008_6200
        private static let read: UInt64 = 1
        private static let end: UInt64 = 4

        init(_ objects: [Object]) throws(EncoderError) {
            var bases: [UnsafeRawPointer] = []
            for object in objects {
                let base = mmap(nil, object.byteCount, PROT_READ, MAP_SHARED, object.descriptor, 0)
                guard let base, base != MAP_FAILED else {
                    let reason = String(cString: strerror(errno))
                    for (mapped, base) in zip(objects, bases) {
                        munmap(UnsafeMutableRawPointer(mutating: base), mapped.byteCount)
                    }
                    throw EncoderError(
                        .invalidPixelBuffer, reason: "descriptor \(object.descriptor) cannot be mapped: \(reason)")
                }
                bases.append(UnsafeRawPointer(base))
            }
            self.objects = objects
            self.bases = bases
            synchronize(Self.read)
        }

        func end() {
            synchronize(Self.read | Self.end)
            for (object, base) in zip(objects, bases) {
                munmap(UnsafeMutableRawPointer(mutating: base), object.byteCount)
            }
        }

        /// Tells the exporter; a file in memory that stands in for a device has nobody to tell.
        private func synchronize(_ flags: UInt64) {
            for object in objects {
                var flags = flags
                _ = ioctl(object.descriptor, Self.sync, &flags)
            }
        }
    }
}
