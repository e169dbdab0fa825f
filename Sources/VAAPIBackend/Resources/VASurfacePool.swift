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

    // Surfaces hold the pool, so that all are idle here.
    deinit {
        var made = surfaces.withLock { $0.made }
        if !made.isEmpty { _ = display.library.call.vaDestroySurfaces(display.raw, &made, Int32(made.count)) }
    }

    /// The fourcc code of the surfaces' format.
    var fourcc: UInt32 { UInt32(bitDepth == 10 ? VA_FOURCC_P010 : VA_FOURCC_NV12) }

    /// Takes a surface that nobody uses; what it shows is not defined.
    ///
    /// - Throws: ``EncoderError`` when all are in use, or the driver makes no more.
    func take() throws(EncoderError) -> VASurface {
        if let idle = surfaces.withLock({ $0.idle.popLast() }) { return VASurface(id: idle, pool: self) }
        let count = surfaces.withLock { $0.made.count }
        guard count < capacity else {
            throw EncoderError(.backendFailure, reason: "all \(capacity) surfaces are in use")
        }
        let id = try make()
        surfaces.withLock { $0.made.append(id) }
        return VASurface(id: id, pool: self)
    }

    private func make() throws(EncoderError) -> VASurfaceID {
        var format = VASurfaceAttrib()
        format.type = VASurfaceAttribPixelFormat
        format.flags = UInt32(VA_SURFACE_ATTRIB_SETTABLE)
        format.value.type = VAGenericValueTypeInteger
        format.value.value.i = Int32(bitPattern: fourcc)
        let kind = UInt32(bitDepth == 10 ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420)
        var id = VASurfaceID(VA_INVALID_ID)
        let status = display.library.call.vaCreateSurfaces(
            display.raw, kind, UInt32(width), UInt32(height), &id, 1, &format, 1)
        try display.library.check(status, "vaCreateSurfaces of \(width)x\(height)")
        return id
    }

    fileprivate func giveBack(_ id: VASurfaceID) { surfaces.withLock { $0.idle.append(id) } }
}

/// One surface in use; it goes back to its pool when nobody holds it any more.
final class VASurface: Sendable {
    let id: VASurfaceID
    let pool: VASurfacePool

    fileprivate init(id: VASurfaceID, pool: VASurfacePool) {
        self.id = id
        self.pool = pool
    }

    deinit { pool.giveBack(id) }
}
