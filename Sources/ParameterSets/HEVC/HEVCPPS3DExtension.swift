// SPDX-License-Identifier: MIT

/// `pps_3d_extension()`: tables of the depth values that depth layers use (I.7.3.2.3.7).
public struct HEVCPPS3DExtension: SyntaxStructure {
    /// A depth layer's table (`dlt_flag` 1).
    public enum DepthTable: Hashable, Sendable {
        /// `delta_dlt()`, without prediction or, `isPredicted`, as a change of the base view's table
        /// (`dlt_pred_flag`).
        case deltas(HEVCDepthDeltas, isPredicted: Bool)
        /// `dlt_value_flag`: one bit for each depth value, 2 to the power of the bit depth.
        case values(OpaqueBits)
    }

    /// The tables of depth layers.
    public struct DepthTables: Hashable, Sendable {
        /// `pps_bit_depth_for_depth_layers_minus8`, 0...8.
        public var bitDepthMinus8 = 0
        /// One to 64 depth layers; nil for a layer without table.
        public var layers: [DepthTable?] = [nil]

        /// One layer without table.
        public init() {}
    }

    /// The tables; nil when `dlts_present_flag` is 0.
    public var depthTables: DepthTables?

    /// No tables.
    public init() {}

    /// Codes the extension.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.part(flag: "dlts_present_flag", &depthTables)
    }
}

extension HEVCPPS3DExtension.DepthTables: SyntaxStructure {
    /// Codes `pps_depth_layers_minus1` and the tables.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        var lastLayer = layers.count - 1
        try coder.u("pps_depth_layers_minus1", &lastLayer, 6)
        try coder.expect("pps_depth_layers_minus1", &layers, count: lastLayer + 1, repeating: nil)
        try coder.u("pps_bit_depth_for_depth_layers_minus8", &bitDepthMinus8, 4, 0...8)
        for i in layers.indices {
            try coder.presence("dlt_flag", &layers[i], .deltas(HEVCDepthDeltas(), isPredicted: false), at: i)
            try layers[i]?.code(with: &coder, at: i, bitDepth: bitDepthMinus8 + 8)
        }
    }
}

extension HEVCPPS3DExtension.DepthTable {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, at i: Int, bitDepth: Int
    ) throws(ParameterSetError) {
        var isPredicted = false
        var deltas = HEVCDepthDeltas()
        var values: OpaqueBits?
        switch self {
        case .deltas(let stored, let flag): (deltas, isPredicted) = (stored, flag)
        case .values(let stored): values = stored
        }
        try coder.flag("dlt_pred_flag", &isPredicted, at: i)
        try coder.presence("dlt_val_flags_present_flag", &values, OpaqueBits(), at: i, when: !isPredicted)
        guard var flags = values else {
            try deltas.code(with: &coder, in: bitDepth)
            self = .deltas(deltas, isPredicted: isPredicted)
            return
        }
        guard coder.isReading || flags.count == 1 << bitDepth else {
            throw coder.failure(
                .notRepresentable, SyntaxName("dlt_value_flag", i), "has \(flags.count) bits, expected \(1 << bitDepth)"
            )
        }
        try coder.opaque(SyntaxName("dlt_value_flag", i), &flags, count: 1 << bitDepth)
        self = .values(flags)
    }
}

/// `delta_dlt()`: depth values as differences (I.7.3.2.3.8).
public struct HEVCDepthDeltas: SyntaxStructure {
    /// `num_val_delta_dlt`: how many values there are; it and the values have as many bits as depth layers, 8...16.
    public var count = 0
    /// `max_diff`, of as many bits; 0 when there are fewer than two values.
    public var maxDiff = 0
    /// `min_diff_minus1`, 0 up to `maxDiff` - 1, and that when not coded.
    public var minDiffMinus1 = -1
    /// `delta_dlt_val0`, of as many bits; 0 when there are no values.
    public var firstValue = 0
    /// `delta_val_diff_minus_min`, one for each value but the first; empty when all differences are alike.
    ///
    /// Each has as many bits as `maxDiff` less the least difference needs.
    public var diffsMinusMin: [Int] = []

    /// No values.
    public init() {}

    /// Codes the values; the context is the bit depth of depth layers, 8...16.
    public mutating func code(with coder: inout some SyntaxCoder, in bitDepth: Int) throws(ParameterSetError) {
        try coder.u("num_val_delta_dlt", &count, bitDepth)
        try coder.u("max_diff", &maxDiff, bitDepth, when: count > 1, else: 0)
        try coder.u(
            "min_diff_minus1", &minDiffMinus1, ceilLog2(maxDiff + 1), 0...max(maxDiff - 1, 0),
            when: count > 2 && maxDiff > 0, else: maxDiff - 1)
        try coder.u("delta_dlt_val0", &firstValue, bitDepth, when: count > 0, else: 0)
        let range = maxDiff - (minDiffMinus1 + 1)
        try coder.checkRoom("num_val_delta_dlt", count: range > 0 ? count - 1 : 0, bits: 1)
        try coder.expect(
            "delta_val_diff_minus_min", &diffsMinusMin, count: range > 0 ? count - 1 : 0, repeating: 0)
        for k in diffsMinusMin.indices {
            try coder.u("delta_val_diff_minus_min", &diffsMinusMin[k], ceilLog2(range + 1), at: k + 1)
        }
    }
}
