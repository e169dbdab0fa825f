// SPDX-License-Identifier: MIT

/// `filler_data_rbsp()`: bytes of 255 that fill up a constant bit rate (7.3.2.7 in H.264, 7.3.2.8 in HEVC).
public struct FillerData: SyntaxStructure {
    /// How many bytes of 255 there are, 0...2^28.
    public var count = 0

    /// No bytes.
    public init() {}

    /// Makes filler of `count` bytes.
    public init(count: Int) {
        self.count = count
    }

    /// Codes the bytes and the trailing bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        if coder.isReading {
            count = max(coder.remainingDataBits, 0) / 8
        }
        guard (0...1 << 28).contains(count) else {
            throw coder.failure(.notRepresentable, "ff_byte", "is there \(count) times")
        }
        try coder.repeated("ff_byte", 255, count: count)
        try coder.rbspTrailingBits()
    }
}
