// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

/// The memory of a pretended device: surfaces with rows that are longer than they must be.
final class SurfacePool: Sendable {
    /// Where one surface lies; valid as long as the pool.
    struct Place: @unchecked Sendable {
        // Unchecked: the pool gives each place to one surface at a time.
        let bytes: UnsafeMutableRawBufferPointer
    }

    private let source: SessionConfiguration
    private let planes: [MutablePixelBuffer.SurfacePlane]
    private let byteCount: Int
    private let all = Mutex<(places: [Place], idle: [Place])>(([], []))

    /// Makes surfaces for the pictures of a session.
    init(_ settings: ResolvedSettings) {
        source = settings.request
        var planes: [MutablePixelBuffer.SurfacePlane] = []
        var end = 0
        for plane in 0..<source.pixelFormat.planeCount {
            let isChroma = plane > 0
            let columns = isChroma && !source.pixelFormat.isBiplanar ? (source.width + 1) / 2 : source.width + 1
            let bytesPerRow = (columns * source.pixelFormat.bytesPerSample + 127) / 64 * 64
            planes.append(.init(offset: end, bytesPerRow: bytesPerRow))
            end += bytesPerRow * (isChroma ? (source.height + 1) / 2 : source.height + 3)
        }
        self.planes = planes
        byteCount = end
    }

    deinit {
        all.withLock { all in all.places.forEach { $0.bytes.deallocate() } }
    }

    /// Surfaces as a session hands them out.
    var pictures: PixelBufferPool {
        get throws(EncoderError) {
            try PixelBufferPool(format: source.pixelFormat, width: source.width, height: source.height) {
                [self] () throws(EncoderError) in
                let surface = PretendedSurface(self, at: takePlace())
                return try MutablePixelBuffer(
                    writing: surface, memory: surface.place.bytes, planes: planes, format: source.pixelFormat,
                    width: source.width, height: source.height)
            }
        }
    }

    /// What lies at a place now.
    func picture(at place: Place, onRelease: @escaping @Sendable () -> Void = {}) throws(EncoderError) -> PixelBuffer {
        let wrapped = planes.map { plane in
            PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(rebasing: place.bytes[plane.offset...]), bytesPerRow: plane.bytesPerRow)
        }
        return try PixelBuffer(
            wrapping: wrapped, format: source.pixelFormat, width: source.width, height: source.height,
            onRelease: onRelease)
    }

    private func takePlace() -> Place {
        all.withLock { all in
            if let place = all.idle.popLast() { return place }
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            all.places.append(Place(bytes: bytes))
            return Place(bytes: bytes)
        }
    }

    fileprivate func giveBack(_ place: Place) { all.withLock { $0.idle.append(place) } }
}

/// A picture in the memory of a pretended device.
final class PretendedSurface: DeviceSurface {
    let place: SurfacePool.Place
    private let pool: SurfacePool

    fileprivate init(_ pool: SurfacePool, at place: SurfacePool.Place) {
        self.pool = pool
        self.place = place
    }

    deinit { pool.giveBack(place) }

    func mapped() throws(EncoderError) -> PixelBuffer {
        try pool.picture(at: place) { withExtendedLifetime(self) {} }
    }

    func finishWriting() {}
}
