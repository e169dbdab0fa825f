// SPDX-License-Identifier: MIT

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

extension OpaqueBits {
    /// Codes `count` bits under a name; a writer writes all.
    @inlinable
    public mutating func code(
        _ name: @autoclosure () -> SyntaxName, count: Int, with coder: inout some SyntaxCoder
    ) throws(SyntaxError) {
        try coder.opaque(name(), &self, count: count)
    }
}
