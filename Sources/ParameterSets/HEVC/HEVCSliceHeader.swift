// SPDX-License-Identifier: MIT

/// The part of `slice_segment_header()` that holds for a whole slice (7.3.6.1, 7.4.7.1).
public struct HEVCSliceHeader: SyntaxStructure {
    /// What decides the syntax.
    public struct Context: Sendable {
        /// The NAL unit's type.
        public var unitType: HEVCNALUnitType
        /// The sequence parameter set in use and the picture parameter set referred to.
        public var parameterSets: HEVCSliceParameterSets

        /// Makes a context.
        public init(unitType: HEVCNALUnitType, parameterSets: HEVCSliceParameterSets) {
            self.unitType = unitType
            self.parameterSets = parameterSets
        }
    }

    /// `slice_type` (table 7-7).
    public enum Kind: Int, Hashable, Sendable {
        /// Predicted from two pictures a block.
        case b = 0
        /// Predicted from one picture a block.
        case p = 1
        /// Not predicted from other pictures.
        case i = 2
    }

    /// `discardable_flag`, `cross_layer_bla_flag` (F.7.3.6.1) and `slice_reserved_flag`, as many as
    /// `num_extra_slice_header_bits`.
    public var extraFlags: [Bool] = []
    /// `slice_type`.
    public var kind = Kind.i
    /// `pic_output_flag`: the picture is for output.
    public var picOutputFlag = true
    /// `colour_plane_id`, 0...2: Y, Cb, Cr; 0 unless planes are coded separately.
    public var colorPlaneID = 0
    /// The pictures that are kept; nil for IDR pictures.
    public var references: HEVCSliceReferences?
    /// `slice_sao_luma_flag`.
    public var saoLumaFlag = false
    /// `slice_sao_chroma_flag`.
    public var saoChromaFlag = false
    /// How blocks are predicted from other pictures; nil for I slices.
    public var prediction: HEVCSlicePrediction?
    /// `slice_qp_delta`: the quantiser, -`QpBdOffsetY`...51, less 26 + `init_qp_minus26`.
    public var qpDelta = 0
    /// `slice_cb_qp_offset`, -12...12.
    public var cbQpOffset = 0
    /// `slice_cr_qp_offset`, -12...12.
    public var crQpOffset = 0
    /// Offsets of the adaptive color transform; nil where the picture parameter set has none.
    public var actQpOffsets: ActQpOffsets?
    /// `cu_chroma_qp_offset_enabled_flag`.
    public var cuChromaQpOffsetEnabledFlag = false
    /// The slice's own deblocking; nil for that of the picture parameter set (`deblocking_filter_override_flag` 0).
    public var deblocking: Deblocking?
    /// `slice_loop_filter_across_slices_enabled_flag`; that of the picture parameter set where not coded.
    public var loopFilterAcrossSlicesEnabledFlag = false

    /// Quantiser offsets of the adaptive color transform (7.4.7.1).
    public struct ActQpOffsets: Hashable, Sendable {
        /// `slice_act_y_qp_offset`, -12...12.
        public var y = 0
        /// `slice_act_cb_qp_offset`, -12...12.
        public var cb = 0
        /// `slice_act_cr_qp_offset`, -12...12.
        public var cr = 0

        /// Zeros.
        public init() {}
    }

    /// How a slice's blocks are deblocked (7.4.7.1).
    public struct Deblocking: Hashable, Sendable {
        /// `slice_deblocking_filter_disabled_flag`.
        public var disabledFlag = false
        /// `slice_beta_offset_div2`, -6...6; that of the picture parameter set when disabled.
        public var betaOffsetDiv2 = 0
        /// `slice_tc_offset_div2`, -6...6; that of the picture parameter set when disabled.
        public var tcOffsetDiv2 = 0

        /// Enabled without offsets.
        public init() {}
    }

    /// An I slice.
    public init() {}

    /// Codes the slice's part of the header.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        let sets = context.parameterSets
        try codeExtraFlags(with: &coder, count: sets.pps.numExtraSliceHeaderBits)
        var kindCode = kind.rawValue
        try coder.ue("slice_type", &kindCode, 0...2)
        kind = Kind(rawValue: kindCode) ?? .i
        try coder.flag("pic_output_flag", &picOutputFlag, when: sets.pps.outputFlagPresentFlag, else: true)
        try coder.u("colour_plane_id", &colorPlaneID, 2, 0...2, when: sets.sps.format.separateColorPlaneFlag, else: 0)
        try coder.part("slice_pic_order_cnt_lsb", &references, in: sets, when: !context.unitType.isIDR)
        try codeSampleAdaptiveOffset(with: &coder, sets)
        // Counted on a copy, which nearly no slice needs.
        let usedCount = sets.areReferencesCounted ? references?.usedCount(in: sets.sps) : 0
        try coder.part(
            "num_ref_idx_active_override_flag", &prediction,
            in: .init(
                isB: kind == .b, isTemporal: references?.temporalMvpEnabledFlag ?? false, usedCount: usedCount ?? 0,
                parameterSets: sets), when: kind != .i)
        try codeQuantiser(with: &coder, sets)
        try codeLoopFilters(with: &coder, sets)
    }

    private mutating func codeExtraFlags(with coder: inout some SyntaxCoder, count: Int) throws(ParameterSetError) {
        try coder.expect("slice_reserved_flag", &extraFlags, count: count, repeating: false)
        for i in extraFlags.indices {
            try coder.flag("slice_reserved_flag", &extraFlags[i], at: i)
        }
    }

    private mutating func codeSampleAdaptiveOffset(
        with coder: inout some SyntaxCoder, _ sets: HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        let isEnabled = sets.sps.sampleAdaptiveOffsetEnabledFlag
        try coder.flag("slice_sao_luma_flag", &saoLumaFlag, when: isEnabled, else: false)
        try coder.flag(
            "slice_sao_chroma_flag", &saoChromaFlag, when: isEnabled && sets.sps.format.chromaArrayType != 0,
            else: false)
    }
}
