// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Synchronization

/// Surfaces of one format and size, made as they are needed, up to a number, and used again.
final class VASurfacePool: Sendable {
    let display: VADisplayHandle
    /// Luma samples in a row of each surface; even.
    let width: Int
    /// Luma rows of each surface; even.
    let height: Int
    private let bitDepth: Int
    private let capacity: Int
    private let surfaces = Mutex(Surfaces())

    private struct Surfaces {
        var made: [VASurfaceID] = []
        var idle: [VASurfaceID] = []
    }

    /// Makes an empty pool.
    ///
    /// - Parameters:
    ///   - display: Where the surfaces are made; held as long as the pool.
    ///   - width: Luma samples in a row of each surface; even.
    ///   - height: Luma rows of each surface; even.
    ///   - bitDepth: 8 for NV12, 10 for P010.
    ///   - capacity: Most surfaces that may be in use at once.
    init(_ display: VADisplayHandle, width: Int, height: Int, bitDepth: Int, capacity: Int) {
        self.display = display
        self.width = width
        self.height = height
        self.bitDepth = bitDepth
        self.capacity = capacity
    }

    /// Makes an empty pool of the same kind on another connection.
    convenience init(like other: VASurfacePool, on display: VADisplayHandle) {
        self.init(
            display, width: other.width, height: other.height, bitDepth: other.bitDepth, capacity: other.capacity)
    }

    // Surfaces hold the pool, so that all are idle here.
    deinit { VASurface.destroy(surfaces.withLock { $0.made }, on: display) }

    /// The fourcc code of the surfaces' format.
    var fourcc: UInt32 { UInt32(bitDepth == 10 ? VA_FOURCC_P010 : VA_FOURCC_NV12) }

    /// Takes a surface that nobody uses; what it shows is not defined.
    ///
    /// - Throws: ``EncoderError`` when all are in use, or the driver makes no more.
    func take() throws(EncoderError) -> VASurface {
        if let idle = surfaces.withLock({ $0.idle.popLast() }) { return surface(idle) }
        let count = surfaces.withLock { $0.made.count }
        guard count < capacity else {
            throw EncoderError(.backendFailure, reason: "all \(capacity) surfaces are in use")
        }
        let id = try makeSurface()
        surfaces.withLock { $0.made.append(id) }
        return surface(id)
    }

    /// Makes a surface of the same kind that is not the pool's.
    ///
    /// - Throws: ``EncoderError`` as the driver refuses.
    func makeSurface() throws(EncoderError) -> VASurfaceID {
        try VASurface.make(on: display, format: fourcc, width: width, height: height)
    }

    private func surface(_ id: VASurfaceID) -> VASurface {
        VASurface(id: id, display: display) { id in self.surfaces.withLock { $0.idle.append(id) } }
    }
}
