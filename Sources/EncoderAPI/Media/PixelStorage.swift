// SPDX-License-Identifier: MIT

import Glibc

/// The memory of one picture; goes back to its pool, or is freed, when the last holder lets go.
final class PixelStorage: @unchecked Sendable {
    // Unchecked: a MutablePixelBuffer is the only writer and cannot be copied; a PixelBuffer only reads.

    let base: UnsafeMutableRawPointer
    private let pool: PixelBufferPool?

    /// Allocates memory that belongs to no pool; nil when there is none to be had.
    init?(byteCount: Int) {
        guard let base = Self.allocate(byteCount: byteCount) else { return nil }
        self.base = base
        pool = nil
    }

    /// Wraps memory that goes back to `pool`.
    init(recycling base: UnsafeMutableRawPointer, to pool: PixelBufferPool) {
        self.base = base
        self.pool = pool
    }

    deinit {
        if let pool {
            pool.recycle(base)
        } else {
            Self.free(base)
        }
    }

    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        var base: UnsafeMutableRawPointer?
        return posix_memalign(&base, PlaneLayout.alignment, max(byteCount, 1)) == 0 ? base : nil
    }

    static func free(_ base: UnsafeMutableRawPointer) { Glibc.free(base) }
}
