// SPDX-License-Identifier: MIT

/// Reads a NAL unit's header from its first bytes, which it holds by itself: nothing is allocated.
struct HeaderReader: SyntaxCoder {
    /// How many bytes the longest header has.
    private static let byteCount = 4

    /// The unit's first bytes from the next bit on, most significant first.
    private var word: UInt64 = 0
    private(set) var remainingBits: Int
    private let end: Int

    init(_ nalUnit: Span<UInt8>) {
        end = min(nalUnit.count, Self.byteCount) * 8
        remainingBits = end
        for index in 0..<min(nalUnit.count, Self.byteCount) {
            word |= UInt64(nalUnit[index]) &<< UInt64(56 - index * 8)
        }
    }

    static var isReading: Bool { true }

    var bitPosition: Int { end - remainingBits }

    var remainingDataBits: Int { remainingBits }

    mutating func element(
        _ name: @autoclosure () -> SyntaxName, _ value: inout Int, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) throws(ParameterSetError) {
        // Short, so that it is inlined where a header is described.
        guard case .unsigned(let bits) = coding, let read = nextBits(bits), range.contains(read) else {
            throw failure(name, coding, range)
        }
        value = read
        word &<<= UInt64(truncatingIfNeeded: bits)
        remainingBits &-= bits
    }

    /// What keeps an element from being read.
    @inline(never)
    private func failure(
        _ name: () -> SyntaxName, _ coding: SyntaxCoding, _ range: ClosedRange<Int>
    ) -> ParameterSetError {
        guard case .unsigned(let bits) = coding else {
            return failure(.unsupported, name(), "a header has numbers of fixed length only")
        }
        guard let read = nextBits(bits) else {
            return failure(.endOfData, name(), "the data ends after \(remainingBits) more bits, inside this field")
        }
        return failure(.outOfRange, name(), "is \(read), expected \(range.lowerBound)...\(range.upperBound)")
    }

    mutating func opaque(
        _ name: @autoclosure () -> SyntaxName, _ value: inout OpaqueBits, count: Int
    ) throws(ParameterSetError) {
        throw failure(.unsupported, name(), "a header has numbers of fixed length only")
    }

    @inline(__always)
    func nextBits(_ count: Int) -> Int? {
        guard count > 0, count <= remainingBits else { return nil }
        return Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 64 &- count))
    }

    mutating func beginLimit(bits count: Int) -> Int { 0 }

    mutating func endLimit(_ previous: Int) {}
}
