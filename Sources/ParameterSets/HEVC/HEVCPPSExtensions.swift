// SPDX-License-Identifier: MIT

/// What follows `pps_extension_present_flag` (7.3.2.3.1).
public struct HEVCPPSExtensions: SyntaxStructure {
    /// `transform_skip_enabled_flag` of the picture parameter set.
    public typealias Context = Bool

    /// Format range extensions.
    public var range: HEVCPPSRangeExtension?
    /// Multilayer extensions.
    public var multilayer: HEVCPPSMultilayerExtension?
    /// 3D extensions.
    public var threeD: HEVCPPS3DExtension?
    /// Screen content coding.
    public var screenContent: HEVCPPSScreenContentExtension?
    /// `pps_extension_4bits`, 0...15; 0 today.
    public var extension4Bits = 0
    /// `pps_extension_data_flag`: the bits that ``extension4Bits`` announces.
    public var data = OpaqueBits()

    /// No extension.
    public init() {}

    /// Codes the presence flags and the extensions.
    public mutating func code(with coder: inout some SyntaxCoder, in hasTransformSkip: Bool) throws(ParameterSetError) {
        try coder.presence("pps_range_extension_flag", &range, .init())
        try coder.presence("pps_multilayer_extension_flag", &multilayer, .init())
        try coder.presence("pps_3d_extension_flag", &threeD, .init())
        try coder.presence("pps_scc_extension_flag", &screenContent, .init())
        try coder.u("pps_extension_4bits", &extension4Bits, 4)
        try range?.code(with: &coder, in: hasTransformSkip)
        try multilayer?.code(with: &coder, in: ())
        try threeD?.code(with: &coder, in: ())
        try screenContent?.code(with: &coder, in: ())
        try coder.opaque("pps_extension_data_flag", &data, count: coder.remainingDataBits, when: extension4Bits != 0)
    }
}

/// `pps_range_extension()` (7.3.2.3.2).
public struct HEVCPPSRangeExtension: SyntaxStructure {
    /// Chroma quantiser offsets that blocks choose from (7.4.3.3.2).
    public struct ChromaQpOffsets: Hashable, Sendable {
        /// `diff_cu_chroma_qp_offset_depth`, 0...3: how small a block may choose.
        public var diffCuChromaQpOffsetDepth = 0
        /// `cb_qp_offset_list`, one to six of -12...12.
        public var cb = [0]
        /// `cr_qp_offset_list`, as many.
        public var cr = [0]

        /// One pair of 0.
        public init() {}
    }

    /// `log2_max_transform_skip_block_size_minus2`, 0...3; 0 without transform skip.
    public var log2MaxTransformSkipBlockSizeMinus2 = 0
    /// `cross_component_prediction_enabled_flag`.
    public var crossComponentPredictionEnabledFlag = false
    /// Chroma quantiser offsets; nil when `chroma_qp_offset_list_enabled_flag` is 0.
    public var chromaQpOffsets: ChromaQpOffsets?
    /// `log2_sao_offset_scale_luma`, 0...6: at most the bit depth less 10.
    public var log2SaoOffsetScaleLuma = 0
    /// `log2_sao_offset_scale_chroma`, 0...6: at most the bit depth less 10.
    public var log2SaoOffsetScaleChroma = 0

    /// No tool.
    public init() {}

    /// Codes the extension; the context is `transform_skip_enabled_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in hasTransformSkip: Bool) throws(ParameterSetError) {
        try coder.ue(
            "log2_max_transform_skip_block_size_minus2", &log2MaxTransformSkipBlockSizeMinus2, 0...3,
            when: hasTransformSkip, else: 0)
        try coder.flag("cross_component_prediction_enabled_flag", &crossComponentPredictionEnabledFlag)
        try coder.part(flag: "chroma_qp_offset_list_enabled_flag", &chromaQpOffsets)
        try coder.ue("log2_sao_offset_scale_luma", &log2SaoOffsetScaleLuma, 0...6)
        try coder.ue("log2_sao_offset_scale_chroma", &log2SaoOffsetScaleChroma, 0...6)
    }
}

extension HEVCPPSRangeExtension.ChromaQpOffsets: SyntaxStructure {
    /// Codes the part.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("diff_cu_chroma_qp_offset_depth", &diffCuChromaQpOffsetDepth, 0...3)
        try coder.count("chroma_qp_offset_list_len_minus1", &cb, 0...5, minus: 1, repeating: 0)
        try coder.expect("cr_qp_offset_list", &cr, count: cb.count, repeating: 0)
        for i in cb.indices {
            try coder.se("cb_qp_offset_list", &cb[i], -12...12, at: i)
            try coder.se("cr_qp_offset_list", &cr[i], -12...12, at: i)
        }
    }
}

/// `pps_scc_extension()` (7.3.2.3.3).
public struct HEVCPPSScreenContentExtension: SyntaxStructure {
    /// Quantiser offsets of the adaptive color transform (7.4.3.3.3).
    public struct ActQpOffsets: Hashable, Sendable {
        /// `pps_slice_act_qp_offsets_present_flag`: slices have offsets of their own.
        public var sliceActQpOffsetsPresentFlag = false
        /// `pps_act_y_qp_offset_plus5`, -7...17.
        public var yPlus5 = 0
        /// `pps_act_cb_qp_offset_plus5`, -7...17.
        public var cbPlus5 = 0
        /// `pps_act_cr_qp_offset_plus3`, -9...15.
        public var crPlus3 = 0

        /// Zeros.
        public init() {}
    }

    /// `pps_curr_pic_ref_enabled_flag`: a picture may be predicted from itself.
    public var currPicRefEnabledFlag = false
    /// The adaptive color transform; nil when `residual_adaptive_colour_transform_enabled_flag` is 0.
    public var actQpOffsets: ActQpOffsets?
    /// Entries that palettes start from; nil when the sequence's hold.
    public var palettePredictor: HEVCPalettePredictor?

    /// No tool.
    public init() {}

    /// Codes the extension.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("pps_curr_pic_ref_enabled_flag", &currPicRefEnabledFlag)
        try coder.part(flag: "residual_adaptive_colour_transform_enabled_flag", &actQpOffsets)
        try coder.part(flag: "pps_palette_predictor_initializers_present_flag", &palettePredictor)
    }
}

extension HEVCPPSScreenContentExtension.ActQpOffsets: SyntaxStructure {
    /// Codes the flag and the offsets.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("pps_slice_act_qp_offsets_present_flag", &sliceActQpOffsetsPresentFlag)
        try coder.se("pps_act_y_qp_offset_plus5", &yPlus5, -7...17)
        try coder.se("pps_act_cb_qp_offset_plus5", &cbPlus5, -7...17)
        try coder.se("pps_act_cr_qp_offset_plus3", &crPlus3, -9...15)
    }
}

/// The palette entries of a picture parameter set (7.3.2.3.3).
public struct HEVCPalettePredictor: SyntaxStructure {
    /// `monochrome_palette_flag`: entries have luma only; false without entries.
    public var monochromePaletteFlag = false
    /// `luma_bit_depth_entry_minus8`, 0...8; 0 without entries.
    public var lumaBitDepthEntryMinus8 = 0
    /// `chroma_bit_depth_entry_minus8`, 0...8; 0 without chroma.
    public var chromaBitDepthEntryMinus8 = 0
    /// `pps_palette_predictor_initializer[comp][i]`: one array per component, all of one length, at most 192; no
    /// arrays for no entries.
    public var initializers: [[Int]] = []

    /// No entries.
    public init() {}

    /// Codes `pps_num_palette_predictor_initializers` and the entries.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        var count = initializers.first?.count ?? 0
        // palette_max_size is at most 64, and the predictor at most 128 larger (7.4.3.2.3).
        try coder.ue("pps_num_palette_predictor_initializers", &count, 0...192)
        try coder.flag("monochrome_palette_flag", &monochromePaletteFlag, when: count > 0, else: false)
        try coder.ue("luma_bit_depth_entry_minus8", &lumaBitDepthEntryMinus8, 0...8, when: count > 0, else: 0)
        try coder.ue(
            "chroma_bit_depth_entry_minus8", &chromaBitDepthEntryMinus8, 0...8,
            when: count > 0 && !monochromePaletteFlag, else: 0)
        let name: SyntaxName = "pps_palette_predictor_initializer"
        let components = count == 0 ? 0 : monochromePaletteFlag ? 1 : 3
        try coder.expect(name, &initializers, count: components, repeating: [])
        for component in initializers.indices {
            try coder.expect(name, &initializers[component], count: count, repeating: 0)
            let depth = 8 + (component == 0 ? lumaBitDepthEntryMinus8 : chromaBitDepthEntryMinus8)
            for i in initializers[component].indices {
                try coder.u(name, &initializers[component][i], depth, at: component, i)
            }
        }
    }
}
