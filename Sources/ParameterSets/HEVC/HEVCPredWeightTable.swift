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
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        let format = context.sps.format
        try coder.ue("luma_log2_weight_denom", &lumaLog2WeightDenom, 0...7)
        try coder.se(
            "delta_chroma_log2_weight_denom", &deltaChromaLog2WeightDenom,
            -lumaLog2WeightDenom...7 - lumaLog2WeightDenom, when: format.chromaArrayType != 0, else: 0)
        try Self.code(&l0, "l0", with: &coder, isWeighted: context.l0, context.sps)
        try Self.code(&l1, "l1", with: &coder, isWeighted: context.l1, context.sps)
    }

    private static func code(
        _ entries: inout [Entry], _ list: StaticString, with coder: inout some SyntaxCoder, isWeighted: [Bool],
        _ sps: HEVCSPS
    ) throws(ParameterSetError) {
        let hasChroma = sps.format.chromaArrayType != 0
        try coder.expect("luma_weight_\(list)_flag", &entries, count: isWeighted.count, repeating: Entry())
        for i in entries.indices {
            try coder.presence("luma_weight_\(list)_flag", &entries[i].luma, Weight(), at: i, when: isWeighted[i])
        }
        for i in entries.indices {
            try coder.presence(
                "chroma_weight_\(list)_flag", &entries[i].chroma, .init(cb: Weight(), cr: Weight()), at: i,
                when: isWeighted[i] && hasChroma)
        }
        let isPrecise = sps.extensions?.range?.highPrecisionOffsetsEnabledFlag == true
        let luma = OffsetName("luma_offset_\(list)", 1 << (isPrecise ? sps.bitDepthLuma - 1 : 7))
        let chroma = OffsetName("delta_chroma_offset_\(list)", 4 << (isPrecise ? sps.bitDepthChroma - 1 : 7))
        for i in entries.indices {
            try entries[i].luma?.code(with: &coder, "delta_luma_weight_\(list)", luma, at: i)
            try entries[i].chroma?.cb.code(with: &coder, "delta_chroma_weight_\(list)", chroma, at: i, 0)
            try entries[i].chroma?.cr.code(with: &coder, "delta_chroma_weight_\(list)", chroma, at: i, 1)
        }
    }

    /// What offsets are called, and their range.
    fileprivate struct OffsetName {
        var name: SyntaxName
        var range: ClosedRange<Int>

        init(_ name: SyntaxName, _ half: Int) {
            self.name = name
            range = -half...half - 1
        }
    }
}

extension HEVCPredWeightTable.Weight {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, _ deltaName: SyntaxName, _ offsetName: HEVCPredWeightTable.OffsetName,
        at i: Int,
        _ plane: Int = -1
    ) throws(ParameterSetError) {
        try coder.se(deltaName, &delta, -128...127, at: i, plane)
        try coder.se(offsetName.name, &offset, offsetName.range, at: i, plane)
    }
}
