// SPDX-License-Identifier: MIT

/// Reads like ``SyntaxReader`` and records each element.
public struct SyntaxTracer: SyntaxCoder, Sendable {
    private var reader: SyntaxReader
    /// What has been read, in decode order; after an error, all elements before it, and the failing one
    /// itself where it could be read but is not what the standard fixes.
    public private(set) var elements: [SyntaxElement] = []

    /// Reads from bytes without emulation prevention.
    public init(_ bytes: some ByteView & ~Escapable) {
        reader = SyntaxReader(bytes)
    }

    /// Reads from bytes that emulation prevention is passed over in.
    package init(_ bytes: PlainBytes) {
        reader = SyntaxReader(bytes)
    }

    /// True: values come from bits.
    public static var isReading: Bool { true }

    /// The next element's first bit, counted from the first bit of the data.
    public var bitPosition: Int { reader.bitPosition }

    /// How many bits are left before the end of the data or the limit set.
    public var remainingBits: Int { reader.remainingBits }

    /// How many bits come before the last one bit, the RBSP's stop bit.
    public var remainingDataBits: Int { reader.remainingDataBits }

    /// Reads and records one number.
    public mutating func element(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) throws(SyntaxError) {
        let start = bitPosition
        try reader.element(name(), &value, coding, range)
        record(name(), from: start, .number(value))
    }

    /// Reads and records bits as they are.
    public mutating func opaque(
        _ name: @autoclosure () -> SyntaxName, _ value: inout OpaqueBits, count: Int
    ) throws(SyntaxError) {
        let start = bitPosition
        try reader.opaque(name(), &value, count: count)
        record(name(), from: start, .opaque(value))
    }

    private mutating func record(_ name: SyntaxName, from start: Int, _ value: SyntaxElement.Value) {
        elements.append(
            SyntaxElement(name: name, bitPosition: start, bitLength: bitPosition - start, value: value))
    }

    /// The next bits without moving on; nil when fewer are left.
    public func nextBits(_ count: Int) -> Int? { reader.nextBits(count) }

    /// Makes `count` bits from here on the only ones that can be read.
    public mutating func beginLimit(bits count: Int) -> Int {
        reader.beginLimit(bits: count)
    }

    /// Lifts a limit.
    public mutating func endLimit(_ previous: Int) {
        reader.endLimit(previous)
    }
}
