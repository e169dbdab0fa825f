// SPDX-License-Identifier: MIT

/// Appends bits, most significant first, to bytes without emulation prevention.
public struct BitWriter: Sendable {
    /// Groups of eight bytes that are complete.
    @usableFromInline var whole: [UInt8] = []
    /// The bits behind them, the last one lowest.
    @usableFromInline var pending: UInt64 = 0
    @usableFromInline var pendingCount = 0

    /// Makes an empty writer.
    public init() {}

    /// The bytes so far; bits of the last byte that are not written yet are zero.
    ///
    /// Each call makes the array anew.
    public var bytes: [UInt8] {
        let count = (pendingCount + 7) / 8
        let left = pending << UInt64(64 - pendingCount)
        return [UInt8](unsafeUninitializedCapacity: whole.count + count) { bytes, initialized in
            initialized = bytes[..<whole.count].initialize(fromContentsOf: whole)
            for index in 0..<count {
                bytes.initializeElement(at: initialized, to: UInt8(truncatingIfNeeded: left >> UInt64(56 - index * 8)))
                initialized += 1
            }
        }
    }

    /// Ends the writing, with the bytes that ``bytes`` would be.
    public consuming func finish() -> [UInt8] {
        let left = pending << UInt64(64 - pendingCount)
        withUnsafeBytes(of: left.bigEndian) { whole.append(contentsOf: $0.prefix((pendingCount + 7) / 8)) }
        return whole
    }

    /// How many bits have been written.
    @inlinable
    public var position: Int { whole.count * 8 + pendingCount }

    /// Whether the next bit starts a byte.
    public var isByteAligned: Bool { pendingCount & 7 == 0 }

    /// Appends the low `count` bits of `value`; `count` is 0...64.
    @inlinable
    public mutating func write(_ value: UInt64, count: Int) {
        // Most fields, in the place where they are written; no shift is by 64.
        guard count >= 0, count < 64 - pendingCount else { return writeAcross(value, count: count) }
        pending = pending &<< UInt64(count) | value & (1 &<< UInt64(count) &- 1)
        pendingCount &+= count
    }

    /// Writes what completes a group.
    @usableFromInline
    mutating func writeAcross(_ value: UInt64, count: Int) {
        precondition((0...64).contains(count), "a field has 0...64 bits, not \(count)")
        // A shift by 64 or more gives zero.
        let bits = value & ~(UInt64.max << UInt64(count))
        let room = 64 - pendingCount
        let complete = pending << UInt64(room) | bits >> UInt64(count - room)
        // Most headers are no longer than this.
        if whole.isEmpty { whole.reserveCapacity(48) }
        withUnsafeBytes(of: complete.bigEndian) { whole.append(contentsOf: $0) }
        pendingCount = count - room
        pending = bits & ~(UInt64.max << UInt64(pendingCount))
    }
}
