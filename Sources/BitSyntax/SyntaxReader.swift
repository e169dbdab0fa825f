// SPDX-License-Identifier: MIT

/// Sets a structure's values from bits.
public struct SyntaxReader: SyntaxCoder, Sendable {
    @usableFromInline var bits: BitReader

    /// Reads from bytes without emulation prevention.
    public init(_ bytes: some ByteView & ~Escapable) {
        bits = BitReader(bytes)
    }

    /// Reads from bytes that emulation prevention is passed over in.
    package init(_ bytes: PlainBytes) {
        bits = BitReader(bytes)
    }

    /// True: values come from bits.
    @inlinable public static var isReading: Bool { true }

    /// The next element's first bit, counted from the first bit of the data.
    @inlinable public var bitPosition: Int { bits.position }

    /// How many bits are left before the end of the data or the limit set.
    public var remainingBits: Int { bits.remaining }

    /// How many bits come before the last one bit, the RBSP's stop bit.
    public var remainingDataBits: Int {
        guard let stop = bits.lastOneBit() else { return 0 }
        return stop - bits.position
    }

    /// Reads one number and checks its range.
    @inlinable
    public mutating func element(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) throws(SyntaxError) {
        // Inlined so that callers put names together for errors only.
        let start = bits.position
        let read: Int
        do {
            read = try readNumber(coding)
        } catch {
            throw failure(error, name)
        }
        guard range.contains(read) else { throw outOfRange(name, read, range, at: start) }
        value = read
    }

    @inlinable
    mutating func readNumber(_ coding: SyntaxCoding) throws(BitReader.Failure) -> Int {
        switch coding {
        case .unsigned(let count):
            return Int(try bits.read(count))
        case .signed(let count):
            let unsigned = Int(try bits.read(count))
            return unsigned < 1 << (count - 1) ? unsigned : unsigned - 1 << count
        case .expGolomb:
            return Int(try bits.readExpGolomb())
        case .signedExpGolomb:
            return ExpGolomb.signed(try bits.readExpGolomb())
        }
    }

    @usableFromInline @inline(never)
    func outOfRange(_ name: () -> SyntaxName, _ read: Int, _ range: ClosedRange<Int>, at start: Int) -> SyntaxError {
        SyntaxError(
            .outOfRange, field: name().description, bitOffset: start,
            reason: "is \(read), expected \(range.lowerBound)...\(range.upperBound)")
    }

    @usableFromInline @inline(never)
    func failure(_ error: BitReader.Failure, _ name: () -> SyntaxName) -> SyntaxError {
        switch error {
        case .codeTooLong:
            failure(.outOfRange, name(), "has a prefix of more than 32 zero bits")
        case .endOfData:
            failure(.endOfData, name(), "the data ends after \(bits.remaining) more bits, inside this field")
        }
    }

    /// Reads `count` bits as they are.
    public mutating func opaque(
        _ name: @autoclosure () -> SyntaxName, _ value: inout OpaqueBits, count: Int
    ) throws(SyntaxError) {
        guard count <= bits.remaining else {
            throw failure(.endOfData, name(), "has \(count) bits, but the data ends after \(bits.remaining)")
        }
        value = OpaqueBits(bits.copyBits(count), count: count)
    }

    /// The next bits without moving on; nil when fewer are left.
    public func nextBits(_ count: Int) -> Int? {
        var copy = bits
        return (try? copy.read(count)).map { Int(truncatingIfNeeded: $0) }
    }

    /// Makes `count` bits from here on the only ones that can be read.
    public mutating func beginLimit(bits count: Int) -> Int {
        bits.limit(to: bits.position + max(0, min(count, bits.remaining)))
    }

    /// Lifts a limit.
    public mutating func endLimit(_ previous: Int) {
        _ = bits.limit(to: previous)
    }
}
