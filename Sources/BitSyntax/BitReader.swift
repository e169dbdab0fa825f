// SPDX-License-Identifier: MIT

/// Reads bits, most significant first, from bytes without emulation prevention (H.264 and HEVC 7.2).
public struct BitReader: Sendable {
    /// Why no value could be read; the position has not moved.
    public enum Failure: Error, Hashable, Sendable {
        /// The value needs more bits than there are.
        case endOfData
        /// An Exp-Golomb prefix is longer than 32 zeros; no field of either standard has more than 31.
        case codeTooLong
    }

    private var bytes: PlainBytes
    /// The next bit, counted from the first bit of the bytes.
    public private(set) var position: Int
    /// The bit after the last one that may be read.
    public private(set) var end: Int

    /// Reads from the first bit of `bytes`, up to the last.
    public init(_ bytes: some ByteView & ~Escapable) {
        self.init(PlainBytes(bytes))
    }

    /// Reads from the first bit of `bytes`, up to the last.
    package init(_ bytes: PlainBytes) {
        self.bytes = bytes
        position = 0
        end = bytes.count * 8
    }

    /// How many bits are left.
    public var remaining: Int { end - position }

    /// Whether the next bit starts a byte.
    public var isByteAligned: Bool { position & 7 == 0 }

    /// Makes bit `newEnd` the first that cannot be read.
    ///
    /// - Parameter newEnd: Clamped to what lies between the position and the last bit of the bytes.
    /// - Returns: The limit before.
    public mutating func limit(to newEnd: Int) -> Int {
        defer { end = max(position, min(newEnd, bytes.count * 8)) }
        return end
    }

    /// Reads `count` bits, 0...64, as an unsigned number.
    public mutating func read(_ count: Int) throws(Failure) -> UInt64 {
        precondition(UInt(bitPattern: count) <= 64, "a field has 0...64 bits, not \(count)")
        guard count <= remaining else { throw .endOfData }
        let passed = position & 7
        guard count &+ passed > 8 || count == 0 else {
            // Most fields lie inside of one byte.
            let ahead = bytes[position >> 3] &<< passed
            position &+= count
            return UInt64(ahead &>> (8 &- count))
        }
        var value: UInt64 = 0
        var needed = count
        while needed > 0 {
            let passed = position & 7
            let taken = min(8 &- passed, needed)
            let ahead = bytes[position >> 3] &<< passed
            value = value &<< taken | UInt64(ahead &>> (8 &- taken))
            position &+= taken
            needed &-= taken
        }
        return value
    }

    /// Copies `count` bits that are known to be there, most significant first; the last byte is filled with zeros.
    mutating func copyBits(_ count: Int) -> [UInt8] {
        precondition((0...remaining).contains(count), "copying \(count) of \(remaining) bits")
        let (first, shift) = (position >> 3, UInt8(position & 7))
        let byteCount = (count + 7) / 8
        var copy: [UInt8] = []
        copy.reserveCapacity(byteCount)
        bytes.append(first..<first + byteCount, to: &copy)
        position += count
        if shift > 0 {
            let behind = Int(shift) + count > byteCount * 8 ? bytes[first + byteCount] : 0
            for index in copy.indices {
                let next = index + 1 < byteCount ? copy[index + 1] : behind
                copy[index] = copy[index] << shift | next >> (8 - shift)
            }
        }
        if count & 7 != 0 {
            copy[byteCount - 1] &= 0xFF << UInt8(8 - count & 7)
        }
        return copy
    }

    /// How many zero bits come before the next one bit, which may be at most the 33rd.
    mutating func leadingZeros() throws(Failure) -> Int {
        var zeros = 0
        while zeros <= 32 {
            let next = position + zeros
            guard next < end else { throw .endOfData }
            let available = min(8 - (next & 7), end - next)
            let found = (bytes[next >> 3] &<< UInt8(next & 7)).leadingZeroBitCount
            if found < available {
                zeros += found
                break
            }
            zeros += available
        }
        guard zeros <= 32 else { throw .codeTooLong }
        return zeros
    }

    /// Skips `count` bits that are known to be there.
    mutating func skip(_ count: Int) {
        precondition((0...remaining).contains(count), "skipping \(count) of \(remaining) bits")
        position += count
    }

    /// The position of the last one bit at or after the position and before the end, the stop bit of an RBSP.
    func lastOneBit() -> Int? {
        guard end > position else { return nil }
        let (first, last) = (position >> 3, (end - 1) >> 3)
        var (index, bits) = (last, bytes.lastByte)
        if end < bytes.count * 8 {
            var ahead = bytes
            bits = ahead[last] & (0xFF << UInt8(7 - (end - 1) & 7))
        }
        if bits == 0 {
            var ahead = bytes
            guard let found = ahead.lastNonZero(in: first..<last) else { return nil }
            index = found
            ahead = bytes
            bits = ahead[found]
        }
        let bit = index * 8 + 7 - bits.trailingZeroBitCount
        return bit >= position ? bit : nil
    }
}
