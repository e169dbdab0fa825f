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

/// The standard's name of a syntax element, with its indices where it is an array.
public struct SyntaxName: Hashable, Sendable {
    private let text: StaticString
    private let index: SIMD4<Int32>

    /// Makes the name of an element with up to four indices; -1 stands for none.
    public init(_ text: StaticString, _ i: Int = -1, _ j: Int = -1, _ k: Int = -1, _ l: Int = -1) {
        self.text = text
        index = SIMD4(
            Int32(truncatingIfNeeded: i), Int32(truncatingIfNeeded: j), Int32(truncatingIfNeeded: k),
            Int32(truncatingIfNeeded: l))
    }

    /// The name without indices, such as `offset_for_ref_frame`.
    public var field: String { text.description }

    /// The indices, outermost first.
    public var indices: [Int] {
        (0..<4).map { Int(index[$0]) }.filter { $0 >= 0 }
    }

    /// Whether both names have the same text and indices.
    public static func == (one: Self, other: Self) -> Bool {
        one.index == other.index && one.text.description == other.text.description
    }

    /// Feeds text and indices to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text.description)
        hasher.combine(index)
    }
}

extension SyntaxName: CustomStringConvertible {
    /// The name with its indices, such as `offset_for_ref_frame[2]`.
    public var description: String {
        indices.reduce(into: field) { $0 += "[\($1)]" }
    }
}

/// Bits that are kept as they are because their meaning is not known or not needed.
public struct OpaqueBits: Hashable, Sendable {
    /// The bits, most significant first; unused bits of the last byte are zero.
    public private(set) var bytes: [UInt8]
    /// How many bits there are.
    public private(set) var count: Int

    /// No bits.
    public init() {
        bytes = []
        count = 0
    }

    /// Whole bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count * 8
    }

    /// The first `count` bits of `bytes`, all others being zero.
    init(_ bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// The bits that `writer` has taken.
    init(_ writer: BitWriter) {
        bytes = writer.bytes
        count = writer.position
    }

    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }
}

/// One syntax element as it was read: what ``SyntaxTracer`` records, in decode order.
public struct SyntaxElement: Hashable, Sendable {
    /// What was read.
    public enum Value: Hashable, Sendable {
        /// A number; flags are 0 or 1.
        case number(Int)
        /// Bits that no syntax is known for.
        case opaque(OpaqueBits)
    }

    /// The standard's name.
    public var name: SyntaxName
    /// Where the element starts, in bits from the NAL unit's first, emulation prevention bytes not counted.
    public var bitPosition: Int
    /// How many bits it takes.
    public var bitLength: Int
    /// What was read.
    public var value: Value

    /// The number; nil for opaque bits.
    public var number: Int? {
        guard case .number(let number) = value else { return nil }
        return number
    }
}
