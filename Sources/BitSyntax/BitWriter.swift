// SPDX-License-Identifier: MIT

/// Appends bits, most significant first, to bytes without emulation prevention.
public struct BitWriter: Sendable {
    /// The bytes so far; bits of the last byte that are not written yet are zero.
    public private(set) var bytes: [UInt8] = []
    private var freeBits = 0

    /// Makes an empty writer.
    public init() {}

    /// How many bits have been written.
    public var position: Int { bytes.count * 8 - freeBits }

    /// Whether the next bit starts a byte.
    public var isByteAligned: Bool { freeBits == 0 }

    /// Appends the low `count` bits of `value`; `count` is 0...64.
    public mutating func write(_ value: UInt64, count: Int) {
        precondition((0...64).contains(count), "a field has 0...64 bits, not \(count)")
        var left = count
        while left > 0 {
            if freeBits == 0 {
                bytes.append(0)
                freeBits = 8
            }
            let taken = min(freeBits, left)
            freeBits &-= taken
            left &-= taken
            let chunk = UInt8(truncatingIfNeeded: value &>> UInt64(left)) & (0xFF &>> UInt8(8 &- taken))
            bytes[bytes.count - 1] |= chunk &<< UInt8(freeBits)
        }
    }
}
