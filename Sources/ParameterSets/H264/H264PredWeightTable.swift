// SPDX-License-Identifier: MIT

/// `pred_weight_table()`: explicit weights of reference pictures (7.3.3.2, 7.4.3.2).
public struct H264PredWeightTable: SyntaxStructure {
    /// What else decides the syntax.
    public struct Context: Hashable, Sendable {
        /// Entries of list 0, 1...32.
        public var l0: Int
        /// Entries of list 1; 0 when the slice has none.
        public var l1: Int
        /// Whether there are chroma weights.
        public var hasChroma: Bool
    }

    /// A weight and an offset, -128...127 each (7.4.3.2).
    public struct Weight: Hashable, Sendable {
        /// `luma_weight` or `chroma_weight`: the factor, over 2 to the power of the denominator.
        public var weight = 0
        /// `luma_offset` or `chroma_offset`: what is added, in 8-bit sample values.
        public var offset = 0

        /// Nothing of the picture.
        public init() {}

        /// Makes a weight.
        public init(_ weight: Int, offset: Int) {
            self.weight = weight
            self.offset = offset
        }
    }

    /// The weights of one reference picture.
    public typealias Entry = ReferenceWeights<Weight>

    /// `luma_log2_weight_denom`, 0...7.
    public var lumaLog2WeightDenom = 0
    /// `chroma_log2_weight_denom`, 0...7.
    public var chromaLog2WeightDenom = 0
    /// The weights of list 0.
    public var l0: [Entry] = []
    /// The weights of list 1.
    public var l1: [Entry] = []

    /// No weights.
    public init() {}

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try coder.ue("luma_log2_weight_denom", &lumaLog2WeightDenom, 0...7)
        try coder.ue("chroma_log2_weight_denom", &chromaLog2WeightDenom, 0...7, when: context.hasChroma, else: 0)
        try coder.expect("luma_weight_l0", &l0, count: context.l0, repeating: Entry())
        for i in l0.indices {
            try l0[i].code(with: &coder, list: "l0", at: i, hasChroma: context.hasChroma)
        }
        try coder.expect("luma_weight_l1", &l1, count: context.l1, repeating: Entry())
        for i in l1.indices {
            try l1[i].code(with: &coder, list: "l1", at: i, hasChroma: context.hasChroma)
        }
    }
}

extension ReferenceWeights<H264PredWeightTable.Weight> {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, list: StaticString, at i: Int, hasChroma: Bool
    ) throws(ParameterSetError) {
        try coder.presence("luma_weight_\(list)_flag", &luma, .init(), at: i)
        try luma?.code(with: &coder, "luma_weight_\(list)", "luma_offset_\(list)", at: i)
        try coder.presence(
            "chroma_weight_\(list)_flag", &chroma, .init(cb: .init(), cr: .init()), at: i, when: hasChroma)
        try chroma?.cb.code(with: &coder, "chroma_weight_\(list)", "chroma_offset_\(list)", at: i, 0)
        try chroma?.cr.code(with: &coder, "chroma_weight_\(list)", "chroma_offset_\(list)", at: i, 1)
    }
}

extension H264PredWeightTable.Weight {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, _ weightName: SyntaxName, _ offsetName: SyntaxName, at i: Int,
        _ plane: Int = -1
    ) throws(ParameterSetError) {
        try coder.se(weightName, &weight, -128...127, at: i, plane)
        try coder.se(offsetName, &offset, -128...127, at: i, plane)
    }
}
