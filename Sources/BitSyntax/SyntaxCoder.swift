// SPDX-License-Identifier: MIT

/// What a syntax structure is described to: something that reads, writes or traces its elements one by one.
///
/// A structure calls the same elements in the same order whichever it is, so that reading and writing cannot disagree.
/// Conformers implement the few requirements below; structures use the shorter spellings of the extension.
public protocol SyntaxCoder {
    /// Whether values come from bits; otherwise bits come from values.
    static var isReading: Bool { get }

    /// The next element's first bit, counted from the first bit of the data.
    var bitPosition: Int { get }

    /// How many bits are left before the end of the data or the limit set; zero for a writer.
    var remainingBits: Int { get }

    /// How many bits come before the RBSP's stop bit; zero for a writer.
    var remainingDataBits: Int { get }

    /// Codes one number.
    ///
    /// - Parameters:
    ///   - name: The standard's name, asked for only where an error or a record has it.
    ///   - value: Set when reading; written otherwise.
    ///   - coding: How the number is laid out.
    ///   - range: What the standard allows; anything else is an error, in both directions.
    /// - Throws: ``SyntaxError`` with `.outOfRange` or, reading, `.endOfData`.
    mutating func element(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) throws(SyntaxError)

    /// Codes bits that are kept as they are.
    ///
    /// - Parameters:
    ///   - name: What to call them.
    ///   - value: Set when reading; written otherwise.
    ///   - count: How many bits to read; a writer writes all of `value`.
    /// - Throws: ``SyntaxError`` with `.endOfData` when fewer bits are left.
    mutating func opaque(_ name: @autoclosure () -> SyntaxName, _ value: inout OpaqueBits, count: Int)
        throws(SyntaxError)

    /// `next_bits(count)` (7.2): the next bits without moving on; nil at the end and for a writer.
    func nextBits(_ count: Int) -> Int?

    /// Makes `count` bits from here on the only ones that can be read until ``endLimit(_:)``.
    ///
    /// - Returns: What to hand to ``endLimit(_:)``.
    mutating func beginLimit(bits count: Int) -> Int

    /// Lifts a limit.
    mutating func endLimit(_ previous: Int)
}

extension SyntaxCoder {
    /// Whether values come from bits.
    @inlinable
    public var isReading: Bool { Self.isReading }

    /// An error at the next element.
    @inlinable
    public func failure(_ code: SyntaxError.Code, _ name: SyntaxName, _ reason: String) -> SyntaxError {
        SyntaxError(code, field: name.description, bitOffset: bitPosition, reason: reason)
    }

    /// `more_rbsp_data()` (7.2): whether anything but the trailing bits follows.
    ///
    /// - Parameter writing: What a writer is to answer: whether the structure has something to write.
    /// - Returns: True when the structure goes on.
    @inlinable
    public func moreRBSPData(writing: Bool) -> Bool {
        Self.isReading ? remainingDataBits > 0 : writing
    }

    /// Whether the next bit starts a byte.
    @inlinable
    public var isByteAligned: Bool { bitPosition & 7 == 0 }
}
