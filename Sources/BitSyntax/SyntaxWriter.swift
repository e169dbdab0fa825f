// SPDX-License-Identifier: MIT

/// Makes bits from a structure's values.
public struct SyntaxWriter: SyntaxCoder, Sendable {
    @usableFromInline var bits = BitWriter()

    /// Makes a writer without bits.
    public init() {}

    /// The bytes so far, without emulation prevention; bits of the last byte that are not written yet are zero.
    public var bytes: [UInt8] { bits.bytes }

    /// Ends the writing, with the bytes that ``bytes`` would be.
    public consuming func finish() -> [UInt8] { bits.finish() }

    /// What has been written, to the bit.
    public var written: OpaqueBits { OpaqueBits(bits) }

    /// False: bits come from values.
    @inlinable public static var isReading: Bool { false }

    /// The next element's first bit, counted from the first bit written.
    @inlinable public var bitPosition: Int { bits.position }

    /// Zero: a writer has nothing left to read.
    @inlinable public var remainingBits: Int { 0 }

    /// Zero: a writer has nothing left to read.
    @inlinable public var remainingDataBits: Int { 0 }

    /// Checks a number's range and writes it.
    @inlinable
    public mutating func element(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) throws(SyntaxError) {
        guard range.contains(value) else { throw outOfRange(name, value, range) }
        switch coding {
        case .unsigned(let count), .signed(let count):
            bits.write(UInt64(bitPattern: Int64(value)), count: count)
        case .expGolomb:
            bits.writeExpGolomb(UInt64(value))
        case .signedExpGolomb:
            bits.writeExpGolomb(ExpGolomb.codeNumber(value))
        }
    }

    @usableFromInline @inline(never)
    func outOfRange(_ name: () -> SyntaxName, _ value: Int, _ range: ClosedRange<Int>) -> SyntaxError {
        failure(.outOfRange, name(), "is \(value), expected \(range.lowerBound)...\(range.upperBound)")
    }

    /// Writes bits as they are.
    public mutating func opaque(
        _ name: @autoclosure () -> SyntaxName, _ value: inout OpaqueBits, count: Int
    ) throws(SyntaxError) {
        var left = value.count
        for byte in value.bytes {
            let taken = min(left, 8)
            bits.write(UInt64(byte) >> UInt64(8 - taken), count: taken)
            left -= taken
        }
    }

    /// Nil: a writer has nothing to read.
    public func nextBits(_ count: Int) -> Int? { nil }

    /// Does nothing: a writer has no limits.
    public mutating func beginLimit(bits count: Int) -> Int { 0 }

    /// Does nothing: a writer has no limits.
    public mutating func endLimit(_ previous: Int) {}
}
