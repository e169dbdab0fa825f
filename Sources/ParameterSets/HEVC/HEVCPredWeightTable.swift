// SPDX-License-Identifier: MIT

/// `pred_weight_table()`: factors and offsets of reference pictures (7.3.6.3, 7.4.7.3).
public struct HEVCPredWeightTable: SyntaxStructure {
    /// What decides the syntax.
    public struct Context: Sendable {
        /// For each entry of list 0, whether it may have weights; the current picture itself may not.
        public var l0: [Bool]
        /// Likewise for list 1; empty in P slices.
        public var l1: [Bool]
        /// The sequence parameter set in use.
        public var sps: HEVCSPS

        /// Makes a context.
        public init(l0: [Bool], l1: [Bool], sps: HEVCSPS) {
            self.l0 = l0
            self.l1 = l1
            self.sps = sps
        }
    }

    /// A factor and an offset, as differences (7.4.7.3).
    public struct Weight: Hashable, Sendable {
        /// `delta_luma_weight` or `delta_chroma_weight`, -128...127: the factor less 1.
        public var delta = 0
        /// `luma_offset`, or `delta_chroma_offset`, which is a difference from what the factor suggests (7-56).
        public var offset = 0

        /// Factor 1, no offset.
        public init() {}
    }

    /// The weights of one reference picture.
    public typealias Entry = ReferenceWeights<Weight>

    /// `luma_log2_weight_denom`, 0...7.
    public var lumaLog2WeightDenom = 0
    /// `delta_chroma_log2_weight_denom`: chroma's less luma's, which is 0...7; 0 without chroma.
    public var deltaChromaLog2WeightDenom = 0
    /// The entries of list 0.
    public var l0: [Entry] = []
    /// The entries of list 1; none in P slices.
    public var l1: [Entry] = []

    /// No entries.
    public init() {}

    /// Codes the table.
    public mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, in context: Context
    ) throws(ParameterSetError) {
        let format = context.sps.format
        try coder.ue("luma_log2_weight_denom", &lumaLog2WeightDenom, 0...7)
        if format.chromaArrayType != 0 {
            try coder.se(
                "delta_chroma_log2_weight_denom", &deltaChromaLog2WeightDenom,
                -lumaLog2WeightDenom...7 - lumaLog2WeightDenom)
        } else {
            try coder.infer("delta_chroma_log2_weight_denom", &deltaChromaLog2WeightDenom, 0)
        }
        try Self.code(&l0, .l0, with: &coder, isWeighted: context.l0, context.sps)
        try Self.code(&l1, .l1, with: &coder, isWeighted: context.l1, context.sps)
    }

    private static func code<Coder: SyntaxCoder>(
        _ entries: inout [Entry], _ names: Names, with coder: inout Coder, isWeighted: [Bool], _ sps: HEVCSPS
    ) throws(ParameterSetError) {
        try coder.expect(names.lumaFlag, &entries, count: isWeighted.count, repeating: Entry())
        for i in entries.indices {
            if isWeighted[i] {
                try coder.presence(names.lumaFlag, &entries[i].luma, Weight(), at: i)
            } else {
                try coder.absent(names.lumaFlag, &entries[i].luma)
            }
        }
        for i in entries.indices {
            if isWeighted[i], sps.format.chromaArrayType != 0 {
                try coder.presence(names.chromaFlag, &entries[i].chroma, [Weight(), Weight()], at: i)
            } else {
                try coder.absent(names.chromaFlag, &entries[i].chroma)
            }
        }
        let isPrecise = sps.extensions?.range?.highPrecisionOffsetsEnabledFlag == true
        let lumaHalf = 1 << (isPrecise ? sps.bitDepthLuma - 1 : 7)
        let chromaHalf = 1 << (isPrecise ? sps.bitDepthChroma - 1 : 7)
        for i in entries.indices {
            if var luma = entries[i].luma {
                try coder.se(names.lumaWeight, &luma.delta, -128...127, at: i)
                try coder.se(names.lumaOffset, &luma.offset, -lumaHalf...lumaHalf - 1, at: i)
                entries[i].luma = luma
            }
            if var chroma = entries[i].chroma {
                try coder.expect(names.chromaWeight, &chroma, count: 2, repeating: Weight())
                for j in chroma.indices {
                    try coder.se(names.chromaWeight, &chroma[j].delta, -128...127, at: i, j)
                    try coder.se(names.chromaOffset, &chroma[j].offset, -4 * chromaHalf...4 * chromaHalf - 1, at: i, j)
                }
                entries[i].chroma = chroma
            }
        }
    }

    /// A list's element names.
    private struct Names {
        var lumaFlag, chromaFlag, lumaWeight, lumaOffset, chromaWeight, chromaOffset: StaticString

        static let l0 = Names(
            lumaFlag: "luma_weight_l0_flag", chromaFlag: "chroma_weight_l0_flag", lumaWeight: "delta_luma_weight_l0",
            lumaOffset: "luma_offset_l0", chromaWeight: "delta_chroma_weight_l0",
            chromaOffset: "delta_chroma_offset_l0")
        static let l1 = Names(
            lumaFlag: "luma_weight_l1_flag", chromaFlag: "chroma_weight_l1_flag", lumaWeight: "delta_luma_weight_l1",
            lumaOffset: "luma_offset_l1", chromaWeight: "delta_chroma_weight_l1",
            chromaOffset: "delta_chroma_offset_l1")
    }
}
