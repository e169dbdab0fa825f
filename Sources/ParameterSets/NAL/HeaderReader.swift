// SPDX-License-Identifier: MIT

/// Reads a NAL unit's header from its first bytes, which it holds by itself: nothing is allocated.
struct HeaderReader: SyntaxCoder {
    /// How many bytes the longest header has.
    private static let byteCount = 4

    /// The unit's first bytes, most significant first.
    private var word: UInt64 = 0
    private let end: Int
    private(set) var bitPosition = 0

    init(_ nalUnit: Span<UInt8>) {
        end = min(nalUnit.count, Self.byteCount) * 8
        for index in 0..<min(nalUnit.count, Self.byteCount) {
            word |= UInt64(nalUnit[index]) << UInt64(56 - index * 8)
        }
    }

    static var isReading: Bool { true }

    var remainingBits: Int { end - bitPosition }

    var remainingDataBits: Int { remainingBits }

    mutating func element(
        _ name: SyntaxName, _ value: inout Int, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) throws(ParameterSetError) {
        guard case .unsigned(let bits) = coding else {
            throw failure(.unsupported, name, "a header has numbers of fixed length only")
        }
        guard let read = nextBits(bits) else {
            throw failure(.endOfData, name, "the data ends after \(remainingBits) more bits, inside this field")
        }
        guard range.contains(read) else {
            throw failure(.outOfRange, name, "is \(read), expected \(range.lowerBound)...\(range.upperBound)")
        }
        value = read
        bitPosition += bits
    }

    mutating func opaque(
        _ name: SyntaxName, _ value: inout OpaqueBits, count: Int
    ) throws(ParameterSetError) {
        throw failure(.unsupported, name, "a header has numbers of fixed length only")
    }

    func nextBits(_ count: Int) -> Int? {
        guard count > 0, count <= remainingBits else { return nil }
        return Int((word << UInt64(bitPosition)) >> UInt64(64 - count))
    }

    mutating func beginLimit(bits count: Int) -> Int { 0 }

    mutating func endLimit(_ previous: Int) {}
}
