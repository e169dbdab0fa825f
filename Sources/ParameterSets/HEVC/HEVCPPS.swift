// SPDX-License-Identifier: MIT

/// `pic_parameter_set_rbsp()`: what holds for the pictures that refer to it (7.3.2.3, 7.4.3.3).
///
/// A set is read without its sequence parameter set; ranges that depend on it are the widest there are.
public struct HEVCPPS: RBSPStructure {
    /// How much the quantiser changes inside a picture, and between its components (7.4.3.3.1).
    public struct Quantisation: Hashable, Sendable {
        /// `init_qp_minus26`, -74...25: -(26 + `QpBdOffsetY`) at least.
        public var initQpMinus26 = 0
        /// `diff_cu_qp_delta_depth`, 0...3: how small a block may have a quantiser of its own; nil when none has
        /// (`cu_qp_delta_enabled_flag` 0).
        public var diffCuQpDeltaDepth: Int?
        /// `pps_cb_qp_offset`, -12...12.
        public var cbQpOffset = 0
        /// `pps_cr_qp_offset`, -12...12.
        public var crQpOffset = 0
        /// `pps_slice_chroma_qp_offsets_present_flag`: slices have offsets of their own.
        public var sliceChromaQpOffsetsPresentFlag = false

        /// QP 26 everywhere.
        public init() {}
    }

    /// How blocks are deblocked (7.4.3.3.1).
    public struct Deblocking: Hashable, Sendable {
        /// `deblocking_filter_override_enabled_flag`: slices may differ.
        public var overrideEnabledFlag = false
        /// `pps_deblocking_filter_disabled_flag`.
        public var disabledFlag = false
        /// `pps_beta_offset_div2`, -6...6; 0 when disabled.
        public var betaOffsetDiv2 = 0
        /// `pps_tc_offset_div2`, -6...6; 0 when disabled.
        public var tcOffsetDiv2 = 0

        /// Enabled without offsets.
        public init() {}
    }

    /// `pps_pic_parameter_set_id`, 0...63.
    public var id = 0
    /// `pps_seq_parameter_set_id`, 0...15.
    public var spsID = 0
    /// `dependent_slice_segments_enabled_flag`.
    public var dependentSliceSegmentsEnabledFlag = false
    /// `output_flag_present_flag`: slices tell whether their picture is for output.
    public var outputFlagPresentFlag = false
    /// `num_extra_slice_header_bits`, 0...7.
    public var numExtraSliceHeaderBits = 0
    /// `sign_data_hiding_enabled_flag`.
    public var signDataHidingEnabledFlag = false
    /// `cabac_init_present_flag`: slices choose a table to start the arithmetic coder from.
    public var cabacInitPresentFlag = false
    /// `num_ref_idx_l0_default_active_minus1`, 0...14.
    public var numRefIdxL0DefaultActiveMinus1 = 0
    /// `num_ref_idx_l1_default_active_minus1`, 0...14.
    public var numRefIdxL1DefaultActiveMinus1 = 0
    /// The quantiser.
    public var quantisation = Quantisation()
    /// `constrained_intra_pred_flag`: intra blocks are not predicted from others.
    public var constrainedIntraPredFlag = false
    /// `transform_skip_enabled_flag`.
    public var transformSkipEnabledFlag = false
    /// `weighted_pred_flag`: P slices have weights.
    public var weightedPredFlag = false
    /// `weighted_bipred_flag`: B slices have weights.
    public var weightedBipredFlag = false
    /// `transquant_bypass_enabled_flag`: blocks may be lossless.
    public var transquantBypassEnabledFlag = false
    /// Tiles; nil when the picture is one.
    public var tiles: HEVCTiles?
    /// `entropy_coding_sync_enabled_flag`: rows of blocks can be decoded in parallel.
    public var entropyCodingSyncEnabledFlag = false
    /// `pps_loop_filter_across_slices_enabled_flag`.
    public var loopFilterAcrossSlicesEnabledFlag = false
    /// Deblocking; nil for the usual (`deblocking_filter_control_present_flag` 0).
    public var deblocking: Deblocking?
    /// The pictures' scaling lists; nil for those of the sequence.
    public var scalingLists: HEVCScalingLists?
    /// `lists_modification_present_flag`: slices may reorder their reference pictures.
    public var listsModificationPresentFlag = false
    /// `log2_parallel_merge_level_minus2`, 0...4.
    public var log2ParallelMergeLevelMinus2 = 0
    /// `slice_segment_header_extension_present_flag`.
    public var sliceSegmentHeaderExtensionPresentFlag = false
    /// The extensions; nil when `pps_extension_present_flag` is 0.
    public var extensions: HEVCPPSExtensions?

    /// One tile, QP 26, no tools.
    public init() {}

    /// Type 34 in the base layer.
    public static var defaultHeader: HEVCNALUnitHeader { .init(type: .pps) }

    /// Codes `pic_parameter_set_rbsp()`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("pps_pic_parameter_set_id", &id, 0...63)
        try coder.ue("pps_seq_parameter_set_id", &spsID, 0...15)
        try coder.flag("dependent_slice_segments_enabled_flag", &dependentSliceSegmentsEnabledFlag)
        try coder.flag("output_flag_present_flag", &outputFlagPresentFlag)
        try coder.u("num_extra_slice_header_bits", &numExtraSliceHeaderBits, 3)
        try coder.flag("sign_data_hiding_enabled_flag", &signDataHidingEnabledFlag)
        try coder.flag("cabac_init_present_flag", &cabacInitPresentFlag)
        try coder.ue("num_ref_idx_l0_default_active_minus1", &numRefIdxL0DefaultActiveMinus1, 0...14)
        try coder.ue("num_ref_idx_l1_default_active_minus1", &numRefIdxL1DefaultActiveMinus1, 0...14)
        try coder.se("init_qp_minus26", &quantisation.initQpMinus26, -74...25)
        try coder.flag("constrained_intra_pred_flag", &constrainedIntraPredFlag)
        try coder.flag("transform_skip_enabled_flag", &transformSkipEnabledFlag)
        try quantisation.code(with: &coder, in: ())
        try coder.flag("weighted_pred_flag", &weightedPredFlag)
        try coder.flag("weighted_bipred_flag", &weightedBipredFlag)
        try coder.flag("transquant_bypass_enabled_flag", &transquantBypassEnabledFlag)
        try coder.presence("tiles_enabled_flag", &tiles, HEVCTiles())
        try coder.flag("entropy_coding_sync_enabled_flag", &entropyCodingSyncEnabledFlag)
        try tiles?.code(with: &coder, in: ())
        try coder.flag("pps_loop_filter_across_slices_enabled_flag", &loopFilterAcrossSlicesEnabledFlag)
        try coder.part(flag: "deblocking_filter_control_present_flag", &deblocking)
        try coder.part(flag: "pps_scaling_list_data_present_flag", &scalingLists)
        try coder.flag("lists_modification_present_flag", &listsModificationPresentFlag)
        try coder.ue("log2_parallel_merge_level_minus2", &log2ParallelMergeLevelMinus2, 0...4)
        try coder.flag("slice_segment_header_extension_present_flag", &sliceSegmentHeaderExtensionPresentFlag)
        try coder.part(flag: "pps_extension_present_flag", &extensions, in: transformSkipEnabledFlag)
        try coder.rbspTrailingBits()
    }
}

extension HEVCPPS.Quantisation: SyntaxStructure {
    /// Codes the part.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue(flag: "cu_qp_delta_enabled_flag", "diff_cu_qp_delta_depth", &diffCuQpDeltaDepth, 0...3)
        try coder.se("pps_cb_qp_offset", &cbQpOffset, -12...12)
        try coder.se("pps_cr_qp_offset", &crQpOffset, -12...12)
        try coder.flag("pps_slice_chroma_qp_offsets_present_flag", &sliceChromaQpOffsetsPresentFlag)
    }
}

extension HEVCPPS.Deblocking: SyntaxStructure {
    /// Codes the part.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("deblocking_filter_override_enabled_flag", &overrideEnabledFlag)
        try coder.flag("pps_deblocking_filter_disabled_flag", &disabledFlag)
        try coder.se("pps_beta_offset_div2", &betaOffsetDiv2, -6...6, when: !disabledFlag, else: 0)
        try coder.se("pps_tc_offset_div2", &tcOffsetDiv2, -6...6, when: !disabledFlag, else: 0)
    }
}
