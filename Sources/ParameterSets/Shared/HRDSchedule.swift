// SPDX-License-Identifier: MIT

/// One way to deliver a stream to the hypothetical reference decoder: rate and buffer (E.2.2 / E.2.3).
public struct HRDSchedule: SyntaxStructure {
    /// What else decides the syntax.
    public struct Context: Hashable, Sendable {
        /// The schedule's index.
        public var index: Int
        /// HEVC `sub_pic_hrd_params_present_flag`: whether rates per decoding unit follow.
        public var hasDecodingUnits: Bool

        /// Makes a context.
        public init(index: Int, hasDecodingUnits: Bool = false) {
            self.index = index
            self.hasDecodingUnits = hasDecodingUnits
        }
    }

    /// HEVC rate and buffer when the decoder works unit by unit (E.2.3).
    public struct DecodingUnits: SyntaxStructure {
        /// `cpb_size_du_value_minus1`, 0...2^32 - 2.
        public var cpbSizeDuValueMinus1 = 0
        /// `bit_rate_du_value_minus1`, 0...2^32 - 2.
        public var bitRateDuValueMinus1 = 0

        /// Smallest values.
        public init() {}

        /// Codes both values of the schedule with an index.
        public mutating func code(with coder: inout some SyntaxCoder, in index: Int) throws(ParameterSetError) {
            try coder.ue("cpb_size_du_value_minus1", &cpbSizeDuValueMinus1, at: index)
            try coder.ue("bit_rate_du_value_minus1", &bitRateDuValueMinus1, at: index)
        }
    }

    /// `bit_rate_value_minus1`, 0...2^32 - 2.
    public var bitRateValueMinus1 = 0
    /// `cpb_size_value_minus1`, 0...2^32 - 2.
    public var cpbSizeValueMinus1 = 0
    /// HEVC only: values for decoding units.
    public var decodingUnits: DecodingUnits?
    /// `cbr_flag`: whether the stream never pauses.
    public var cbrFlag = false

    /// Smallest values.
    public init() {}

    /// Makes the schedule that tells `bitsPerSecond` and `bufferBits` with the given scales, rounded up.
    ///
    /// - Parameters:
    ///   - bitsPerSecond: At least 1.
    ///   - bufferBits: At least 1.
    ///   - bitRateScale: `bit_rate_scale`, 0...15.
    ///   - cpbSizeScale: `cpb_size_scale`, 0...15.
    ///   - isConstant: `cbr_flag`.
    public init(bitsPerSecond: Int, bufferBits: Int, bitRateScale: Int, cpbSizeScale: Int, isConstant: Bool) {
        bitRateValueMinus1 = max(bitsPerSecond - 1, 0) >> (6 + bitRateScale)
        cpbSizeValueMinus1 = max(bufferBits - 1, 0) >> (4 + cpbSizeScale)
        cbrFlag = isConstant
    }

    /// The rate in bit/s, given `bit_rate_scale` (E-37 / E-63).
    public func bitsPerSecond(scale: Int) -> Int {
        (bitRateValueMinus1 + 1) << (6 + scale)
    }

    /// The buffer in bits, given `cpb_size_scale` (E-38 / E-64).
    public func bufferBits(scale: Int) -> Int {
        (cpbSizeValueMinus1 + 1) << (4 + scale)
    }

    /// Codes rate, buffer and `cbr_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        let index = context.index
        try coder.ue("bit_rate_value_minus1", &bitRateValueMinus1, at: index)
        try coder.ue("cpb_size_value_minus1", &cpbSizeValueMinus1, at: index)
        try coder.part("cpb_size_du_value_minus1", &decodingUnits, in: index, when: context.hasDecodingUnits)
        try coder.flag("cbr_flag", &cbrFlag, at: index)
    }
}
