// SPDX-License-Identifier: MIT

/// `slice_header()`: what holds for one slice (7.3.3, 7.4.3).
public struct H264SliceHeader: SyntaxStructure {
    /// The NAL unit's header, and the parameter sets; the slice names its PPS.
    public typealias Context = UnitContext<H264NALUnitHeader, H264ParameterSets>

    /// What a slice's macroblocks may be (table 7-6).
    public enum Kind: Int, Hashable, Sendable {
        /// One reference a block.
        case p = 0
        /// Two references a block.
        case b = 1
        /// Intra only.
        case i = 2
        /// P for switching between streams.
        case sp = 3
        /// I for switching between streams.
        case si = 4

        /// Whether blocks may refer to other pictures.
        public var isInter: Bool { self == .p || self == .sp || self == .b }
    }

    /// `first_mb_in_slice`, 0...139263: the address of the first macroblock, or of the first pair with MBAFF.
    public var firstMbInSlice = 0
    /// `slice_type`, 0...9; from 5 on, all slices of the picture are of the same kind.
    public var sliceType = 7
    /// `pic_parameter_set_id`, 0...255.
    public var ppsID = 0
    /// `colour_plane_id`, 0...2: Y, Cb, Cr, when planes are coded apart.
    public var colorPlaneID = 0
    /// `frame_num`, of as many bits as the SPS says, 4...16.
    public var frameNum = 0
    /// `field_pic_flag`.
    public var fieldPicFlag = false
    /// `bottom_field_flag`.
    public var bottomFieldFlag = false
    /// `idr_pic_id`, 0...65535; IDR pictures.
    public var idrPicID = 0
    /// `pic_order_cnt_lsb`, of as many bits as the SPS says, 4...16; picture order count type 0.
    public var picOrderCntLsb = 0
    /// `delta_pic_order_cnt_bottom`, -(2^31 - 1)...2^31 - 1; type 0.
    public var deltaPicOrderCntBottom = 0
    /// `delta_pic_order_cnt[0]` and `[1]`, -(2^31 - 1)...2^31 - 1 each; type 1.
    public var deltaPicOrderCnt = [0, 0]
    /// `redundant_pic_cnt`, 0...127.
    public var redundantPicCnt = 0
    /// `direct_spatial_mv_pred_flag`; B.
    public var directSpatialMvPredFlag = false
    /// `num_ref_idx_active_override_flag`; P, SP, B.
    public var numRefIdxActiveOverrideFlag = false
    /// `num_ref_idx_l0_active_minus1`, 0...31; that of the PPS without override.
    public var numRefIdxL0ActiveMinus1 = 0
    /// `num_ref_idx_l1_active_minus1`, 0...31; that of the PPS without override.
    public var numRefIdxL1ActiveMinus1 = 0
    /// Changes of list 0, at most 32; nil for none.
    public var refPicListModificationL0: [H264RefPicListModification]?
    /// Changes of list 1, at most 32; nil for none.
    public var refPicListModificationL1: [H264RefPicListModification]?
    /// Explicit weights; nil where the PPS has none.
    public var predWeightTable: H264PredWeightTable?
    /// What becomes of reference pictures; nil when `nal_ref_idc` is 0.
    public var decRefPicMarking: H264DecRefPicMarking?
    /// `cabac_init_idc`, 0...2.
    public var cabacInitIdc = 0
    /// `slice_qp_delta`, relative to the PPS's; the sum is -`QpBdOffset`...51.
    public var qpDelta = 0
    /// `sp_for_switch_flag`; SP.
    public var spForSwitchFlag = false
    /// `slice_qs_delta`, relative to the PPS's; the sum is 0...51; SP and SI.
    public var qsDelta = 0
    /// `disable_deblocking_filter_idc`, 0...2: 1 off, 2 not across slices.
    public var disableDeblockingFilterIdc = 0
    /// `slice_alpha_c0_offset_div2`, -6...6.
    public var alphaC0OffsetDiv2 = 0
    /// `slice_beta_offset_div2`, -6...6.
    public var betaOffsetDiv2 = 0
    /// `slice_group_change_cycle`, 0 up to the number of changes after which all map units have changed (7-36).
    public var sliceGroupChangeCycle = 0

    /// The first slice of an I picture.
    public init() {}

    /// The slice's kind.
    public var kind: Kind { Kind(rawValue: sliceType % 5) ?? .i }

    /// Codes `slice_header()`.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try code(with: &coder, header: context.header) { (id, position) throws(ParameterSetError) in
            try context.parameterSets.ofSlice(id, by: "pic_parameter_set_id", at: position)
        }
    }

    private mutating func code(
        with coder: inout some SyntaxCoder, header: H264NALUnitHeader,
        _ find: (_ ppsID: Int, _ position: Int) throws(ParameterSetError) -> H264SliceParameterSets
    ) throws(ParameterSetError) {
        // Frames of 139264 macroblocks are the largest (table A-1).
        try coder.ue("first_mb_in_slice", &firstMbInSlice, 0...139_263)
        try coder.ue("slice_type", &sliceType, 0...9)
        let idPosition = coder.bitPosition
        try coder.ue("pic_parameter_set_id", &ppsID, 0...255)
        try code(with: &coder, header: header, find(ppsID, idPosition))
    }

    /// Writes `slice_header()` for an application that has the sets at hand, whose ids are the header's.
    package mutating func write(
        with writer: inout SyntaxWriter, header: H264NALUnitHeader, in sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        try code(with: &writer, header: header) { _, _ in sets }
    }
}
