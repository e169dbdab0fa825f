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
    public mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, in context: Context
    ) throws(ParameterSetError) {
        try coder.ue("luma_log2_weight_denom", &lumaLog2WeightDenom, 0...7)
        if context.hasChroma {
            try coder.ue("chroma_log2_weight_denom", &chromaLog2WeightDenom, 0...7)
        } else {
            try coder.infer("chroma_log2_weight_denom", &chromaLog2WeightDenom, 0)
        }
        try coder.expect("luma_weight_l0", &l0, count: context.l0, repeating: Entry())
        for index in l0.indices {
            try l0[index].code(with: &coder, names: .l0, at: index, hasChroma: context.hasChroma)
        }
        try coder.expect("luma_weight_l1", &l1, count: context.l1, repeating: Entry())
        for index in l1.indices {
            try l1[index].code(with: &coder, names: .l1, at: index, hasChroma: context.hasChroma)
        }
    }
}

/// What the elements of one list are called.
private struct WeightNames {
    var lumaFlag: StaticString
    var lumaWeight: StaticString
    var lumaOffset: StaticString
    var chromaFlag: StaticString
    var chromaWeight: StaticString
    var chromaOffset: StaticString

    static let l0 = Self(
        lumaFlag: "luma_weight_l0_flag", lumaWeight: "luma_weight_l0", lumaOffset: "luma_offset_l0",
        chromaFlag: "chroma_weight_l0_flag", chromaWeight: "chroma_weight_l0", chromaOffset: "chroma_offset_l0")
    static let l1 = Self(
        lumaFlag: "luma_weight_l1_flag", lumaWeight: "luma_weight_l1", lumaOffset: "luma_offset_l1",
        chromaFlag: "chroma_weight_l1_flag", chromaWeight: "chroma_weight_l1", chromaOffset: "chroma_offset_l1")
}

extension ReferenceWeights<H264PredWeightTable.Weight> {
    fileprivate mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, names: WeightNames, at index: Int, hasChroma: Bool
    ) throws(ParameterSetError) {
        try coder.presence(names.lumaFlag, &luma, .init(), at: index)
        if var weight = luma {
            try coder.se(names.lumaWeight, &weight.weight, -128...127, at: index)
            try coder.se(names.lumaOffset, &weight.offset, -128...127, at: index)
            luma = weight
        }
        guard hasChroma else {
            try coder.absent(names.chromaFlag, &chroma)
            return
        }
        try coder.presence(names.chromaFlag, &chroma, [], at: index)
        guard var weights = chroma else { return }
        try coder.expect(names.chromaWeight, &weights, count: 2, repeating: .init())
        for plane in 0..<2 {
            try coder.se(names.chromaWeight, &weights[plane].weight, -128...127, at: index, plane)
            try coder.se(names.chromaOffset, &weights[plane].offset, -128...127, at: index, plane)
        }
        chroma = weights
    }
}
