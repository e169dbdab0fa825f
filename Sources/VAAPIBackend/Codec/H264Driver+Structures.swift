// SPDX-License-Identifier: MIT

import CVA
import ParameterSets

extension H264Driver {
    func sequence(_ facts: SequenceFacts) -> VAEncSequenceParameterBufferH264 {
        var sequence = VAEncSequenceParameterBufferH264()
        sequence.seq_parameter_set_id = UInt8(sps.id)
        sequence.level_idc = UInt8(sps.levelIdc)
        sequence.intra_period = facts.period
        sequence.intra_idr_period = facts.period
        sequence.ip_period = UInt32(facts.distance)
        sequence.bits_per_second = UInt32(clamping: facts.bitsPerSecond)
        sequence.max_num_ref_frames = UInt32(sps.maxNumRefFrames)
        sequence.picture_width_in_mbs = UInt16(sps.picWidthInMbsMinus1 + 1)
        sequence.picture_height_in_mbs = UInt16(sps.picHeightInMapUnitsMinus1 + 1)
        sequence.seq_fields.bits.chroma_format_idc = UInt32(sps.format.chromaFormatIdc)
        sequence.seq_fields.bits.frame_mbs_only_flag = sps.frameMbsOnlyFlag.bit
        sequence.seq_fields.bits.direct_8x8_inference_flag = sps.direct8x8InferenceFlag.bit
        sequence.seq_fields.bits.log2_max_frame_num_minus4 = UInt32(sps.log2MaxFrameNumMinus4)
        sequence.seq_fields.bits.pic_order_cnt_type = UInt32(sps.picOrderCnt.type)
        sequence.seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 =
            UInt32(sps.picOrderCnt.log2MaxPicOrderCntLsbMinus4)
        if let cropping = sps.frameCropping {
            sequence.frame_cropping_flag = 1
            sequence.frame_crop_left_offset = UInt32(cropping.left)
            sequence.frame_crop_right_offset = UInt32(cropping.right)
            sequence.frame_crop_top_offset = UInt32(cropping.top)
            sequence.frame_crop_bottom_offset = UInt32(cropping.bottom)
        }
        setVUI(of: &sequence)
        return sequence
    }

    private func setVUI(of sequence: inout VAEncSequenceParameterBufferH264) {
        guard let vui = sps.vui else { return }
        sequence.vui_parameters_present_flag = 1
        if let timing = vui.timing {
            sequence.vui_fields.bits.timing_info_present_flag = 1
            sequence.num_units_in_tick = UInt32(clamping: timing.numUnitsInTick)
            sequence.time_scale = UInt32(clamping: timing.timeScale)
        }
        sequence.vui_fields.bits.fixed_frame_rate_flag = vui.fixedFrameRateFlag.bit
        if let ratio = vui.aspectRatio {
            sequence.vui_fields.bits.aspect_ratio_info_present_flag = 1
            sequence.aspect_ratio_idc = UInt8(clamping: ratio.aspectRatioIdc)
            sequence.sar_width = UInt32(clamping: ratio.sarWidth)
            sequence.sar_height = UInt32(clamping: ratio.sarHeight)
        }
        guard let restriction = vui.bitstreamRestriction else { return }
        sequence.vui_fields.bits.bitstream_restriction_flag = 1
        sequence.vui_fields.bits.motion_vectors_over_pic_boundaries_flag =
            restriction.motionVectorsOverPicBoundariesFlag.bit
        sequence.vui_fields.bits.log2_max_mv_length_horizontal = UInt32(restriction.log2MaxMvLengthHorizontal)
        sequence.vui_fields.bits.log2_max_mv_length_vertical = UInt32(restriction.log2MaxMvLengthVertical)
    }

    func picture(_ plan: PicturePlan, on surfaces: PictureSurfaces) -> VAEncPictureParameterBufferH264 {
        var picture = Self.emptyPicture
        picture.CurrPic = entry(
            slot: plan.slot, referenceIndex: plan.referenceIndex, displayIndex: plan.displayIndex, surfaces)
        picture.CurrPic.flags = 0
        fill(&picture.ReferenceFrames, with: plan.kept) { entry($0, surfaces) }
        picture.coded_buf = surfaces.codedBuffer
        picture.pic_parameter_set_id = UInt8(pps.id)
        picture.seq_parameter_set_id = UInt8(sps.id)
        picture.frame_num = UInt16(frameNumber(plan.referenceIndex))
        picture.pic_init_qp = UInt8(hasPictureQuantizers ? plan.quantizer : pps.picInitQpMinus26 + 26)
        picture.num_ref_idx_l0_active_minus1 = UInt8(pps.numRefIdxL0DefaultActiveMinus1)
        picture.num_ref_idx_l1_active_minus1 = UInt8(pps.numRefIdxL1DefaultActiveMinus1)
        picture.chroma_qp_index_offset = Int8(pps.chromaQpIndexOffset)
        picture.second_chroma_qp_index_offset = Int8(pps.high?.secondChromaQpIndexOffset ?? pps.chromaQpIndexOffset)
        picture.pic_fields.bits.idr_pic_flag = (plan.kind == .idr).bit
        picture.pic_fields.bits.reference_pic_flag = plan.isReference.bit
        picture.pic_fields.bits.entropy_coding_mode_flag = pps.entropyCodingModeFlag.bit
        picture.pic_fields.bits.transform_8x8_mode_flag = (pps.high?.transform8x8ModeFlag ?? false).bit
        picture.pic_fields.bits.deblocking_filter_control_present_flag = pps.deblockingFilterControlPresentFlag.bit
        return picture
    }

    func describe(
        _ rows: Range<Int>, of plan: PicturePlan, on surfaces: PictureSurfaces,
        in slice: inout VAEncSliceParameterBufferH264
    ) throws(ParameterSetError) -> PackedHeader {
        var header = H264SliceHeader()
        describe(plan, in: &header)
        header.firstMbInSlice = rows.lowerBound * (sps.picWidthInMbsMinus1 + 1)
        slice.macroblock_address = UInt32(header.firstMbInSlice)
        slice.num_macroblocks = UInt32(rows.count * (sps.picWidthInMbsMinus1 + 1))
        slice.macroblock_info = VA_INVALID_ID
        slice.slice_type = UInt8(header.kind.rawValue)
        slice.pic_parameter_set_id = UInt8(pps.id)
        slice.idr_pic_id = UInt16(header.idrPicID)
        slice.pic_order_cnt_lsb = UInt16(header.picOrderCntLsb)
        slice.direct_spatial_mv_pred_flag = UInt8(header.directSpatialMvPredFlag.bit)
        slice.num_ref_idx_active_override_flag = UInt8(header.numRefIdxActiveOverrideFlag.bit)
        slice.num_ref_idx_l0_active_minus1 = UInt8(header.numRefIdxL0ActiveMinus1)
        slice.num_ref_idx_l1_active_minus1 = UInt8(header.numRefIdxL1ActiveMinus1)
        fill(&slice.RefPicList0, with: plan.list0) { entry($0, surfaces) }
        fill(&slice.RefPicList1, with: plan.list1) { entry($0, surfaces) }
        slice.cabac_init_idc = UInt8(header.cabacInitIdc)
        slice.slice_qp_delta = hasPictureQuantizers ? 0 : Int8(header.qpDelta)
        slice.disable_deblocking_filter_idc = UInt8(header.disableDeblockingFilterIdc)
        slice.slice_alpha_c0_offset_div2 = Int8(header.alphaC0OffsetDiv2)
        slice.slice_beta_offset_div2 = Int8(header.betaOffsetDiv2)
        let unit = nalUnitHeader(plan)
        return try PackedHeader(VAEncPackedHeaderSlice, unit) { (writer) throws(ParameterSetError) in
            try header.write(with: &writer, header: unit, in: sets)
        }
    }

    private func entry(_ reference: PicturePlan.Reference, _ surfaces: PictureSurfaces) -> VAPictureH264 {
        entry(
            slot: reference.slot, referenceIndex: reference.referenceIndex, displayIndex: reference.displayIndex,
            surfaces)
    }

    private func entry(
        slot: Int, referenceIndex: Int, displayIndex: Int, _ surfaces: PictureSurfaces
    ) -> VAPictureH264 {
        let order = Int32(truncatingIfNeeded: orderCount(displayIndex))
        return VAPictureH264(
            picture_id: surfaces.reconstructions[slot], frame_idx: UInt32(frameNumber(referenceIndex)),
            flags: UInt32(VA_PICTURE_H264_SHORT_TERM_REFERENCE), TopFieldOrderCnt: order, BottomFieldOrderCnt: order,
            va_reserved: (0, 0, 0, 0))
    }

    private static let noPicture = VAPictureH264(
        picture_id: VA_INVALID_SURFACE, frame_idx: 0, flags: UInt32(VA_PICTURE_H264_INVALID), TopFieldOrderCnt: 0,
        BottomFieldOrderCnt: 0, va_reserved: (0, 0, 0, 0))

    /// Without reference pictures.
    private static let emptyPicture = {
        var picture = VAEncPictureParameterBufferH264()
        fill(&picture.ReferenceFrames, with: noPicture)
        return picture
    }()

    /// With empty lists.
    static let emptySlice = {
        var slice = VAEncSliceParameterBufferH264()
        fill(&slice.RefPicList0, with: noPicture)
        fill(&slice.RefPicList1, with: noPicture)
        return slice
    }()
}
