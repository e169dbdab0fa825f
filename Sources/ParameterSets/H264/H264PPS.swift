// SPDX-License-Identifier: MIT

/// `pic_parameter_set_rbsp()`: what holds for the pictures that refer to it (7.3.2.2, 7.4.2.2).
public struct H264PPS: RBSPStructure {
    /// Where the SPS referred to is looked up: its chroma format decides how many scaling lists there are, its bit
    /// depth how low the quantizer may start.
    ///
    /// A PPS that has no 8x8 scaling lists can be read without.
    public typealias Context = H264ParameterSets

    /// What profiles from High on add (7.3.2.2); a PPS without it is that of other profiles.
    public struct HighExtension: SyntaxStructure {
        /// `transform_8x8_mode_flag`.
        public var transform8x8ModeFlag = false
        /// The pictures' scaling lists; nil for those of the SPS.
        public var scalingMatrix: H264ScalingMatrix?
        /// `second_chroma_qp_index_offset`, -12...12.
        public var secondChromaQpIndexOffset = 0

        /// No 8x8 transform.
        public init() {}
    }

    /// `pic_parameter_set_id`, 0...255.
    public var id = 0
    /// `seq_parameter_set_id`, 0...31.
    public var spsID = 0
    /// `entropy_coding_mode_flag`: CABAC, otherwise CAVLC.
    public var entropyCodingModeFlag = false
    /// `bottom_field_pic_order_in_frame_present_flag`.
    public var bottomFieldPicOrderInFramePresentFlag = false
    /// How macroblocks are dealt to slice groups; nil for a single group.
    public var sliceGroups: H264SliceGroups?
    /// `num_ref_idx_l0_default_active_minus1`, 0...31.
    public var numRefIdxL0DefaultActiveMinus1 = 0
    /// `num_ref_idx_l1_default_active_minus1`, 0...31.
    public var numRefIdxL1DefaultActiveMinus1 = 0
    /// `weighted_pred_flag`: explicit weights in P and SP slices.
    public var weightedPredFlag = false
    /// `weighted_bipred_idc`, 0...2: none, explicit or implicit weights in B slices.
    public var weightedBipredIdc = 0
    /// `pic_init_qp_minus26`, -(26 + `QpBdOffset`)...25.
    public var picInitQpMinus26 = 0
    /// `pic_init_qs_minus26`, -26...25.
    public var picInitQsMinus26 = 0
    /// `chroma_qp_index_offset`, -12...12.
    public var chromaQpIndexOffset = 0
    /// `deblocking_filter_control_present_flag`.
    public var deblockingFilterControlPresentFlag = false
    /// `constrained_intra_pred_flag`.
    public var constrainedIntraPredFlag = false
    /// `redundant_pic_cnt_present_flag`.
    public var redundantPicCntPresentFlag = false
    /// What profiles from High on add.
    public var high: HighExtension?

    /// CAVLC, one slice group, QP 26.
    public init() {}

    /// Reads a NAL unit as it stands in a stream, without start code or length.
    ///
    /// - Parameters:
    ///   - nalUnit: The unit.
    ///   - sps: The SPS referred to; a PPS with 8x8 scaling lists cannot be read without.
    /// - Throws: ``ParameterSetError`` naming field, bit offset, value and legal range where they are known;
    ///   `.missingParameterSet` where the SPS would tell how many scaling lists there are.
    public init(nalUnit: some ByteView & ~Escapable, sps: H264SPS? = nil) throws(ParameterSetError) {
        var parameterSets = H264ParameterSets()
        if let sps {
            parameterSets.insert(sps)
        }
        try self.init(nalUnit: nalUnit, in: parameterSets)
    }

    /// Type 8, `nal_ref_idc` 3.
    public static var defaultHeader: H264NALUnitHeader { .init(type: .pps, refIdc: 3) }

    /// Codes `pic_parameter_set_rbsp()`.
    public mutating func code(with coder: inout some SyntaxCoder, in parameterSets: Context) throws(ParameterSetError) {
        try coder.ue("pic_parameter_set_id", &id, 0...255)
        try coder.ue("seq_parameter_set_id", &spsID, 0...31)
        let sps = parameterSets.sps(spsID)
        try coder.flag("entropy_coding_mode_flag", &entropyCodingModeFlag)
        try coder.flag("bottom_field_pic_order_in_frame_present_flag", &bottomFieldPicOrderInFramePresentFlag)
        try H264SliceGroups.code(&sliceGroups, with: &coder)
        try coder.ue("num_ref_idx_l0_default_active_minus1", &numRefIdxL0DefaultActiveMinus1, 0...31)
        try coder.ue("num_ref_idx_l1_default_active_minus1", &numRefIdxL1DefaultActiveMinus1, 0...31)
        try coder.flag("weighted_pred_flag", &weightedPredFlag)
        try coder.u("weighted_bipred_idc", &weightedBipredIdc, 2, 0...2)
        // 14-bit samples have the largest QpBdOffset, 36.
        let qpBdOffset = 6 * (sps?.format.bitDepthLumaMinus8 ?? 6)
        try coder.se("pic_init_qp_minus26", &picInitQpMinus26, -(26 + qpBdOffset)...25)
        try coder.se("pic_init_qs_minus26", &picInitQsMinus26, -26...25)
        try coder.se("chroma_qp_index_offset", &chromaQpIndexOffset, -12...12)
        try coder.flag("deblocking_filter_control_present_flag", &deblockingFilterControlPresentFlag)
        try coder.flag("constrained_intra_pred_flag", &constrainedIntraPredFlag)
        try coder.flag("redundant_pic_cnt_present_flag", &redundantPicCntPresentFlag)
        try coder.part("transform_8x8_mode_flag", &high, in: sps, when: coder.moreRBSPData(writing: high != nil))
        try coder.rbspTrailingBits()
    }
}

extension H264PPS.HighExtension {
    /// Codes the extension; `sps` is the SPS referred to, nil where it did not come before.
    public mutating func code(with coder: inout some SyntaxCoder, in sps: H264SPS?) throws(ParameterSetError) {
        try coder.flag("transform_8x8_mode_flag", &transform8x8ModeFlag)
        try coder.presence("pic_scaling_matrix_present_flag", &scalingMatrix, H264ScalingMatrix())
        guard sps != nil || !transform8x8ModeFlag || scalingMatrix == nil else {
            throw coder.failure(
                .missingParameterSet, "pic_scaling_list_present_flag",
                "has 2 or 6 lists of 8x8, which the sequence parameter set tells, but it did not come before")
        }
        let lists8x8 = transform8x8ModeFlag ? (sps?.format.chromaFormatIdc == 3 ? 6 : 2) : 0
        try scalingMatrix?.code(with: &coder, in: .init("pic", count: 6 + lists8x8))
        try coder.se("second_chroma_qp_index_offset", &secondChromaQpIndexOffset, -12...12)
    }
}
