// SPDX-License-Identifier: MIT

// The elements after `pic_parameter_set_id` (7.3.3).
extension H264SliceHeader {
    mutating func code(
        with coder: inout some SyntaxCoder, header: H264NALUnitHeader, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        try codePicture(with: &coder, isIDR: header.isIDR, sets)
        try codePicOrderCnt(with: &coder, sets)
        try coder.ue("redundant_pic_cnt", &redundantPicCnt, 0...127, when: sets.pps.redundantPicCntPresentFlag, else: 0)
        try codeReferences(with: &coder, sets)
        try coder.part("dec_ref_pic_marking", &decRefPicMarking, in: header.isIDR, when: header.refIdc != 0)
        try codeQuantiser(with: &coder, sets)
        try codeDeblocking(with: &coder, sets)
        try codeSliceGroup(with: &coder, sets)
    }

    private mutating func codePicture(
        with coder: inout some SyntaxCoder, isIDR: Bool, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        try coder.u("colour_plane_id", &colorPlaneID, 2, 0...2, when: sets.sps.format.separateColorPlaneFlag, else: 0)
        try coder.u("frame_num", &frameNum, sets.sps.log2MaxFrameNumMinus4 + 4)
        try coder.flag("field_pic_flag", &fieldPicFlag, when: !sets.sps.frameMbsOnlyFlag, else: false)
        try coder.flag("bottom_field_flag", &bottomFieldFlag, when: fieldPicFlag, else: false)
        try coder.ue("idr_pic_id", &idrPicID, 0...65535, when: isIDR, else: 0)
    }

    private mutating func codePicOrderCnt(
        with coder: inout some SyntaxCoder, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        let tellsBottom = sets.pps.bottomFieldPicOrderInFramePresentFlag && !fieldPicFlag
        let count = sets.sps.picOrderCnt
        try coder.u(
            "pic_order_cnt_lsb", &picOrderCntLsb, count.log2MaxPicOrderCntLsbMinus4 + 4, when: count.type == 0, else: 0)
        try coder.se(
            "delta_pic_order_cnt_bottom", &deltaPicOrderCntBottom, when: count.type == 0 && tellsBottom, else: 0)
        guard count.type == 1, !count.deltaPicOrderAlwaysZeroFlag else {
            return try coder.infer("delta_pic_order_cnt", &deltaPicOrderCnt, [0, 0])
        }
        try coder.expect("delta_pic_order_cnt", &deltaPicOrderCnt, count: 2, repeating: 0)
        try coder.se("delta_pic_order_cnt", &deltaPicOrderCnt[0], at: 0)
        try coder.se("delta_pic_order_cnt", &deltaPicOrderCnt[1], at: 1, when: tellsBottom, else: 0)
    }

    private mutating func codeReferences(
        with coder: inout some SyntaxCoder, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        let isB = kind == .b
        try coder.flag("direct_spatial_mv_pred_flag", &directSpatialMvPredFlag, when: isB, else: false)
        try codeReferenceCounts(with: &coder, sets)
        try coder.presence(
            "ref_pic_list_modification_flag_l0", &refPicListModificationL0, [], when: kind.isInter)
        try refPicListModificationL0?.code(with: &coder)
        try coder.presence("ref_pic_list_modification_flag_l1", &refPicListModificationL1, [], when: isB)
        try refPicListModificationL1?.code(with: &coder)
        let counts = H264PredWeightTable.Context(
            l0: numRefIdxL0ActiveMinus1 + 1, l1: isB ? numRefIdxL1ActiveMinus1 + 1 : 0,
            hasChroma: sets.sps.chromaArrayType != 0)
        let isWeighted = isB ? sets.pps.weightedBipredIdc == 1 : kind.isInter && sets.pps.weightedPredFlag
        try coder.part("pred_weight_table", &predWeightTable, in: counts, when: isWeighted)
    }

    private mutating func codeReferenceCounts(
        with coder: inout some SyntaxCoder, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        let (isInter, isB) = (kind.isInter, kind == .b)
        try coder.flag(
            "num_ref_idx_active_override_flag", &numRefIdxActiveOverrideFlag, when: isInter, else: false)
        try coder.ue(
            "num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, 0...31, when: numRefIdxActiveOverrideFlag,
            else: isInter ? sets.pps.numRefIdxL0DefaultActiveMinus1 : 0)
        try coder.ue(
            "num_ref_idx_l1_active_minus1", &numRefIdxL1ActiveMinus1, 0...31, when: numRefIdxActiveOverrideFlag && isB,
            else: isB ? sets.pps.numRefIdxL1DefaultActiveMinus1 : 0)
    }

    private mutating func codeQuantiser(
        with coder: inout some SyntaxCoder, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        try coder.ue(
            "cabac_init_idc", &cabacInitIdc, 0...2, when: sets.pps.entropyCodingModeFlag && kind.isInter, else: 0)
        // SliceQPY lies in -QpBdOffset...51 (7-32).
        let start = 26 + sets.pps.picInitQpMinus26
        try coder.se("slice_qp_delta", &qpDelta, -6 * sets.sps.format.bitDepthLumaMinus8 - start...51 - start)
        try coder.flag("sp_for_switch_flag", &spForSwitchFlag, when: kind == .sp, else: false)
        let qs = 26 + sets.pps.picInitQsMinus26
        try coder.se(
            "slice_qs_delta", &qsDelta, -qs...51 - qs, when: kind == .sp || kind == .si, else: 0)
    }

    private mutating func codeDeblocking(
        with coder: inout some SyntaxCoder, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        try coder.ue(
            "disable_deblocking_filter_idc", &disableDeblockingFilterIdc, 0...2,
            when: sets.pps.deblockingFilterControlPresentFlag, else: 0)
        try coder.se(
            "slice_alpha_c0_offset_div2", &alphaC0OffsetDiv2, -6...6,
            when: sets.pps.deblockingFilterControlPresentFlag && disableDeblockingFilterIdc != 1, else: 0)
        try coder.se(
            "slice_beta_offset_div2", &betaOffsetDiv2, -6...6,
            when: sets.pps.deblockingFilterControlPresentFlag && disableDeblockingFilterIdc != 1, else: 0)
    }

    private mutating func codeSliceGroup(
        with coder: inout some SyntaxCoder, _ sets: H264SliceParameterSets
    ) throws(ParameterSetError) {
        // 7-36: enough bits for the number of changes until all map units have changed.
        let rate = sets.pps.sliceGroups?.changeRate ?? 1
        let largest = (sets.sps.picSizeInMapUnits + rate - 1) / rate
        try coder.u(
            "slice_group_change_cycle", &sliceGroupChangeCycle, ceilLog2(largest + 1), 0...largest,
            when: sets.pps.sliceGroups?.changeRate != nil, else: 0)
    }
}

extension H264NALUnitHeader {
    /// `IdrPicFlag` (7-1; G.7.4.1.1 and H.7.4.1.1 for extensions).
    public var isIDR: Bool {
        switch self.extension {
        case .svc(let svc): svc.isIDR
        case .mvc(let mvc): !mvc.isNotIDR
        case .depth(let depth): !depth.isNotIDR
        case nil: type == .idrSlice
        }
    }
}
