// SPDX-License-Identifier: MIT

/// `colour_mapping_table()`: how a reference layer's colors become this layer's (F.7.3.2.3.5, F.7.3.2.3.6).
public struct HEVCColorMappingTable: SyntaxStructure {
    /// A part of the color space (F.7.3.2.3.6): eight smaller parts, or coefficients.
    public struct Octant: Hashable, Sendable {
        /// The eight parts when it is split (`split_octant_flag`); empty otherwise.
        public var parts: [Octant] = []
        /// Four vertices for each of the `1 << cm_y_part_num_log2` luma partitions; empty when it is split.
        public var vertices: [Vertex] = []

        /// An octant to read into.
        public init() {}
    }

    /// One vertex of an octant (F.7.4.3.3.6).
    public struct Vertex: Hashable, Sendable {
        /// The residuals of the three components; nil when they are 0 (`coded_res_flag` 0).
        public var residuals: [Residual]?

        /// No residual.
        public init() {}
    }

    /// A coefficient's difference from its prediction (F.7.4.3.3.6).
    public struct Residual: Hashable, Sendable {
        /// `res_coeff_q`: the high bits.
        public var quotient = 0
        /// `res_coeff_r`: the low bits.
        public var remainder = 0
        /// `res_coeff_s`: negative; false for 0.
        public var isNegative = false

        /// Zero.
        public init() {}
    }

    /// `cm_ref_layer_id`, one to 62 layers.
    public var refLayerIDs = [0]
    /// `cm_octant_depth`, 0...3: how often an octant may be split.
    public var octantDepth = 0
    /// `cm_y_part_num_log2`, 0...3.
    public var yPartNumLog2 = 0
    /// `luma_bit_depth_cm_input_minus8`, 0...8.
    public var lumaBitDepthInputMinus8 = 0
    /// `chroma_bit_depth_cm_input_minus8`, 0...8.
    public var chromaBitDepthInputMinus8 = 0
    /// `luma_bit_depth_cm_output_minus8`, 0...8.
    public var lumaBitDepthOutputMinus8 = 0
    /// `chroma_bit_depth_cm_output_minus8`, 0...8.
    public var chromaBitDepthOutputMinus8 = 0
    /// `cm_res_quant_bits`, 0...3.
    public var resQuantBits = 0
    /// `cm_delta_flc_bits_minus1`, 0...3.
    public var deltaFlcBitsMinus1 = 0
    /// `cm_adapt_threshold_u_delta`, -32768...32767; 0 unless ``octantDepth`` is 1.
    public var adaptThresholdUDelta = 0
    /// `cm_adapt_threshold_v_delta`, -32768...32767; 0 unless ``octantDepth`` is 1.
    public var adaptThresholdVDelta = 0
    /// The whole color space.
    public var octant = Octant()

    /// One layer, nothing split.
    public init() {}

    /// Codes the table.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.count("num_cm_ref_layers_minus1", &refLayerIDs, 0...61, minus: 1, repeating: 0)
        for i in refLayerIDs.indices {
            try coder.u("cm_ref_layer_id", &refLayerIDs[i], 6, at: i)
        }
        try coder.u("cm_octant_depth", &octantDepth, 2)
        try coder.u("cm_y_part_num_log2", &yPartNumLog2, 2)
        try coder.ue("luma_bit_depth_cm_input_minus8", &lumaBitDepthInputMinus8, 0...8)
        try coder.ue("chroma_bit_depth_cm_input_minus8", &chromaBitDepthInputMinus8, 0...8)
        try coder.ue("luma_bit_depth_cm_output_minus8", &lumaBitDepthOutputMinus8, 0...8)
        try coder.ue("chroma_bit_depth_cm_output_minus8", &chromaBitDepthOutputMinus8, 0...8)
        try coder.u("cm_res_quant_bits", &resQuantBits, 2)
        try coder.u("cm_delta_flc_bits_minus1", &deltaFlcBitsMinus1, 2)
        try coder.se(
            "cm_adapt_threshold_u_delta", &adaptThresholdUDelta, -32768...32767, when: octantDepth == 1, else: 0)
        try coder.se(
            "cm_adapt_threshold_v_delta", &adaptThresholdVDelta, -32768...32767, when: octantDepth == 1, else: 0)
        // CMResLSBits (F.7.4.3.3.6).
        let lowBits = max(
            0, 10 + lumaBitDepthInputMinus8 - lumaBitDepthOutputMinus8 - resQuantBits - (deltaFlcBitsMinus1 + 1))
        let shape = Octant.Shape(maxDepth: octantDepth, yPartNumLog2: yPartNumLog2, lowBits: lowBits)
        try octant.code(with: &coder, shape, depth: 0, y: 0, cb: 0, cr: 0)
    }
}

extension HEVCColorMappingTable.Octant {
    fileprivate struct Shape {
        var maxDepth: Int
        var yPartNumLog2: Int
        var lowBits: Int
    }

    /// Codes `colour_mapping_octants()`; `depth` is at most 3, so the recursion is bounded.
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, _ shape: Shape, depth: Int, y: Int, cb: Int, cr: Int
    ) throws(ParameterSetError) {
        var isSplit = !parts.isEmpty
        try coder.flag("split_octant_flag", &isSplit, when: depth < shape.maxDepth, else: false)
        try coder.expect("split_octant_flag", &parts, count: isSplit ? 8 : 0, repeating: Self())
        let vertexCount = isSplit ? 0 : 4 << shape.yPartNumLog2
        try coder.expect("coded_res_flag", &vertices, count: vertexCount, repeating: .init())
        let half = (1 << (shape.maxDepth - depth)) / 2
        for part in parts.indices {
            let (k, m, n) = (part >> 2 & 1, part >> 1 & 1, part & 1)
            try parts[part].code(
                with: &coder, shape, depth: depth + 1, y: y + (k * half << shape.yPartNumLog2), cb: cb + m * half,
                cr: cr + n * half)
        }
        for index in vertices.indices {
            let shiftedY = y + (index / 4 << (shape.maxDepth - depth))
            try vertices[index].code(
                with: &coder, at: SyntaxName("coded_res_flag", shiftedY, cb, cr, index % 4), lowBits: shape.lowBits)
        }
    }
}

extension HEVCColorMappingTable.Vertex {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, at name: SyntaxName, lowBits: Int
    ) throws(ParameterSetError) {
        var isCoded = residuals == nil ? 0 : 1
        try coder.element(name, &isCoded, .unsigned(bits: 1), 0...1)
        guard isCoded == 1 else {
            residuals = nil
            return
        }
        var components = residuals ?? []
        try coder.expect("res_coeff_q", &components, count: 3, repeating: .init())
        for c in components.indices {
            try coder.ue("res_coeff_q", &components[c].quotient, at: c)
            try coder.u("res_coeff_r", &components[c].remainder, lowBits, at: c)
            try coder.flag(
                "res_coeff_s", &components[c].isNegative, at: c,
                when: components[c].quotient != 0 || components[c].remainder != 0, else: false)
        }
        residuals = components
    }
}
