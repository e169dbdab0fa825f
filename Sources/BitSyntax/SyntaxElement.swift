// SPDX-License-Identifier: MIT

/// How a syntax element's value is laid out in bits (H.264 and HEVC 7.2).
public enum SyntaxCoding: Hashable, Sendable {
    /// `u(n)`, `f(n)` or `b(8)`: an unsigned number in a fixed number of bits, 0...62.
    case unsigned(bits: Int)
    /// `i(n)`: two's complement in a fixed number of bits, 1...62.
    case signed(bits: Int)
    /// `ue(v)`: an unsigned Exp-Golomb code.
    case expGolomb
    /// `se(v)`: a signed Exp-Golomb code.
    case signedExpGolomb
}

/// One syntax element as it was read: what ``SyntaxTracer`` records, in decode order.
public struct SyntaxElement: Hashable, Sendable {
    /// What was read.
    public enum Value: Hashable, Sendable {
        /// A number; flags are 0 or 1.
        case number(Int)
        /// Bits that are kept as they are: slice data, runs of bytes, and what no syntax is known for.
        case opaque(OpaqueBits)
    }

    /// The standard's name.
    public var name: SyntaxName
    /// Where the element starts, in bits from the first bit read, emulation prevention bytes not counted; in a NAL unit
    /// that is its header's first.
    public var bitPosition: Int
    /// How many bits it takes; 0 for a run of none.
    public var bitLength: Int
    /// What was read.
    public var value: Value

    /// The number; nil for opaque bits.
    public var number: Int? {
        guard case .number(let number) = value else { return nil }
        return number
    }
}
