// SPDX-License-Identifier: MIT

import Glibc

/// The memory of one picture; goes back to its pool, to its device, or is freed, when the last holder lets go.
final class PixelStorage: @unchecked Sendable {
    // Unchecked: a MutablePixelBuffer is the only writer and cannot be copied; a PixelBuffer only reads.

    let base: UnsafeMutableRawPointer
    private let owner: Owner

    private enum Owner {
        case heap
        case pool(PixelBufferPool)
        case device(any DeviceSurface)
    }

    /// Allocates memory that belongs to no pool; nil when there is none to be had.
    init?(byteCount: Int) {
        guard let base = Self.allocate(byteCount: byteCount) else { return nil }
        self.base = base
        owner = .heap
    }

    /// Wraps memory that goes back to `pool`.
    init(recycling base: UnsafeMutableRawPointer, to pool: PixelBufferPool) {
        self.base = base
        owner = .pool(pool)
    }

    /// Wraps memory through which a device's surface is written.
    init(of surface: any DeviceSurface, at base: UnsafeMutableRawPointer) {
        self.base = base
        owner = .device(surface)
    }

    deinit {
        switch owner {
        case .heap: Self.free(base)
        case .pool(let pool): pool.recycle(base)
        case .device: break
        }
    }

    /// The surface that is written through the memory; nil for memory of its own.
    var surface: (any DeviceSurface)? { if case .device(let surface) = owner { surface } else { nil } }

    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        var base: UnsafeMutableRawPointer?
        return posix_memalign(&base, PlaneLayout.alignment, max(byteCount, 1)) == 0 ? base : nil
    }

    static func free(_ base: UnsafeMutableRawPointer) { Glibc.free(base) }
}
