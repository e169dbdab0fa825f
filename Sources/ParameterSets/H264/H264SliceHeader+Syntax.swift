// SPDX-License-Identifier: MIT

// The elements after `pic_parameter_set_id` (7.3.3).
extension H264SliceHeader {
    mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, header: H264NALUnitHeader, sps: H264SPS, pps: H264PPS
    ) throws(ParameterSetError) {
        try codePicture(with: &coder, isIDR: header.isIDR, sps: sps)
        try codePicOrderCnt(with: &coder, sps: sps, pps: pps)
        if pps.redundantPicCntPresentFlag {
            try coder.ue("redundant_pic_cnt", &redundantPicCnt, 0...127)
        } else {
            try coder.infer("redundant_pic_cnt", &redundantPicCnt, 0)
        }
        try codeReferences(with: &coder, sps: sps, pps: pps)
        if header.refIDC != 0 {
            var marking = try coder.required("dec_ref_pic_marking", decRefPicMarking, H264DecRefPicMarking())
            try marking.code(with: &coder, in: header.isIDR)
            decRefPicMarking = marking
        } else {
            try coder.absent("dec_ref_pic_marking", &decRefPicMarking)
        }
        try codeQuantiser(with: &coder, sps: sps, pps: pps)
        try codeDeblocking(with: &coder, pps: pps)
        try codeSliceGroup(with: &coder, sps: sps, pps: pps)
    }

    private mutating func codePicture<Coder: SyntaxCoder>(
        with coder: inout Coder, isIDR: Bool, sps: H264SPS
    ) throws(ParameterSetError) {
        if sps.separateColourPlaneFlag {
            try coder.u("colour_plane_id", &colourPlaneID, 2, 0...2)
        } else {
            try coder.infer("colour_plane_id", &colourPlaneID, 0)
        }
        try coder.u("frame_num", &frameNum, sps.log2MaxFrameNumMinus4 + 4)
        if sps.frameMbsOnlyFlag {
            try coder.infer("field_pic_flag", &fieldPicFlag, false)
        } else {
            try coder.flag("field_pic_flag", &fieldPicFlag)
        }
        if fieldPicFlag {
            try coder.flag("bottom_field_flag", &bottomFieldFlag)
        } else {
            try coder.infer("bottom_field_flag", &bottomFieldFlag, false)
        }
        if isIDR {
            try coder.ue("idr_pic_id", &idrPicID, 0...65535)
        } else {
            try coder.infer("idr_pic_id", &idrPicID, 0)
        }
    }

    private mutating func codePicOrderCnt<Coder: SyntaxCoder>(
        with coder: inout Coder, sps: H264SPS, pps: H264PPS
    ) throws(ParameterSetError) {
        let tellsBottom = pps.bottomFieldPicOrderInFramePresentFlag && !fieldPicFlag
        let count = sps.picOrderCnt
        if count.type == 0 {
            try coder.u("pic_order_cnt_lsb", &picOrderCntLsb, count.log2MaxPicOrderCntLsbMinus4 + 4)
        } else {
            try coder.infer("pic_order_cnt_lsb", &picOrderCntLsb, 0)
        }
        if count.type == 0, tellsBottom {
            try coder.se("delta_pic_order_cnt_bottom", &deltaPicOrderCntBottom)
        } else {
            try coder.infer("delta_pic_order_cnt_bottom", &deltaPicOrderCntBottom, 0)
        }
        try coder.expect("delta_pic_order_cnt", &deltaPicOrderCnt, count: 2, repeating: 0)
        let tellsDeltas = count.type == 1 && !count.deltaPicOrderAlwaysZeroFlag
        for index in 0..<2 {
            if tellsDeltas, index == 0 || tellsBottom {
                try coder.se("delta_pic_order_cnt", &deltaPicOrderCnt[index], at: index)
            } else {
                try coder.infer("delta_pic_order_cnt", &deltaPicOrderCnt[index], 0, at: index)
            }
        }
    }

    private mutating func codeReferences<Coder: SyntaxCoder>(
        with coder: inout Coder, sps: H264SPS, pps: H264PPS
    ) throws(ParameterSetError) {
        if kind == .b {
            try coder.flag("direct_spatial_mv_pred_flag", &directSpatialMvPredFlag)
        } else {
            try coder.infer("direct_spatial_mv_pred_flag", &directSpatialMvPredFlag, false)
        }
        try codeReferenceCounts(with: &coder, pps: pps)
        if kind.isInter {
            try H264RefPicListModification.code(
                &refPicListModificationL0, flag: "ref_pic_list_modification_flag_l0", with: &coder)
        } else {
            try coder.absent("ref_pic_list_modification_flag_l0", &refPicListModificationL0)
        }
        if kind == .b {
            try H264RefPicListModification.code(
                &refPicListModificationL1, flag: "ref_pic_list_modification_flag_l1", with: &coder)
        } else {
            try coder.absent("ref_pic_list_modification_flag_l1", &refPicListModificationL1)
        }
        let isWeighted = kind == .b ? pps.weightedBipredIdc == 1 : kind.isInter && pps.weightedPredFlag
        guard isWeighted else {
            try coder.absent("pred_weight_table", &predWeightTable)
            return
        }
        var table = try coder.required("pred_weight_table", predWeightTable, H264PredWeightTable())
        try table.code(
            with: &coder,
            in: .init(
                l0: numRefIdxL0ActiveMinus1 + 1, l1: kind == .b ? numRefIdxL1ActiveMinus1 + 1 : 0,
                hasChroma: sps.chromaArrayType != 0))
        predWeightTable = table
    }

    private mutating func codeReferenceCounts<Coder: SyntaxCoder>(
        with coder: inout Coder, pps: H264PPS
    ) throws(ParameterSetError) {
        if kind.isInter {
            try coder.flag("num_ref_idx_active_override_flag", &numRefIdxActiveOverrideFlag)
        } else {
            try coder.infer("num_ref_idx_active_override_flag", &numRefIdxActiveOverrideFlag, false)
        }
        let isL0Coded = numRefIdxActiveOverrideFlag
        if isL0Coded {
            try coder.ue("num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, 0...31)
        } else if kind.isInter {
            try coder.infer(
                "num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, pps.numRefIdxL0DefaultActiveMinus1)
        } else {
            try coder.infer("num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, 0)
        }
        if isL0Coded, kind == .b {
            try coder.ue("num_ref_idx_l1_active_minus1", &numRefIdxL1ActiveMinus1, 0...31)
        } else {
            let inferred = kind == .b ? pps.numRefIdxL1DefaultActiveMinus1 : 0
            try coder.infer("num_ref_idx_l1_active_minus1", &numRefIdxL1ActiveMinus1, inferred)
        }
    }

    private mutating func codeQuantiser<Coder: SyntaxCoder>(
        with coder: inout Coder, sps: H264SPS, pps: H264PPS
    ) throws(ParameterSetError) {
        if pps.entropyCodingModeFlag, kind.isInter {
            try coder.ue("cabac_init_idc", &cabacInitIdc, 0...2)
        } else {
            try coder.infer("cabac_init_idc", &cabacInitIdc, 0)
        }
        // SliceQPY lies in -QpBdOffset...51 (7-32).
        let start = 26 + pps.picInitQpMinus26
        try coder.se("slice_qp_delta", &sliceQpDelta, -6 * sps.bitDepthLumaMinus8 - start...51 - start)
        if kind == .sp {
            try coder.flag("sp_for_switch_flag", &spForSwitchFlag)
        } else {
            try coder.infer("sp_for_switch_flag", &spForSwitchFlag, false)
        }
        if kind == .sp || kind == .si {
            let start = 26 + pps.picInitQsMinus26
            try coder.se("slice_qs_delta", &sliceQsDelta, -start...51 - start)
        } else {
            try coder.infer("slice_qs_delta", &sliceQsDelta, 0)
        }
    }

    private mutating func codeDeblocking<Coder: SyntaxCoder>(
        with coder: inout Coder, pps: H264PPS
    ) throws(ParameterSetError) {
        if pps.deblockingFilterControlPresentFlag {
            try coder.ue("disable_deblocking_filter_idc", &disableDeblockingFilterIdc, 0...2)
        } else {
            try coder.infer("disable_deblocking_filter_idc", &disableDeblockingFilterIdc, 0)
        }
        if pps.deblockingFilterControlPresentFlag, disableDeblockingFilterIdc != 1 {
            try coder.se("slice_alpha_c0_offset_div2", &sliceAlphaC0OffsetDiv2, -6...6)
            try coder.se("slice_beta_offset_div2", &sliceBetaOffsetDiv2, -6...6)
        } else {
            try coder.infer("slice_alpha_c0_offset_div2", &sliceAlphaC0OffsetDiv2, 0)
            try coder.infer("slice_beta_offset_div2", &sliceBetaOffsetDiv2, 0)
        }
    }

    private mutating func codeSliceGroup<Coder: SyntaxCoder>(
        with coder: inout Coder, sps: H264SPS, pps: H264PPS
    ) throws(ParameterSetError) {
        guard case .changing(_, _, let rateMinus1) = pps.sliceGroups?.map else {
            try coder.infer("slice_group_change_cycle", &sliceGroupChangeCycle, 0)
            return
        }
        // 7-36: enough bits for the number of changes until all map units have changed.
        let rate = rateMinus1 + 1
        let largest = (sps.picSizeInMapUnits + rate - 1) / rate
        let bits = Int.bitWidth - largest.leadingZeroBitCount
        try coder.u("slice_group_change_cycle", &sliceGroupChangeCycle, bits, 0...largest)
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
