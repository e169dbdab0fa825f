// SPDX-License-Identifier: MIT

import CVA
import ParameterSets

extension HEVCDriver {
    func sequence(_ facts: SequenceFacts) -> VAEncSequenceParameterBufferHEVC {
        var sequence = VAEncSequenceParameterBufferHEVC()
        sequence.general_profile_idc = UInt8(sps.profileTierLevel.profile.profileIdc)
        sequence.general_level_idc = UInt8(sps.profileTierLevel.levelIdc)
        sequence.general_tier_flag = UInt8(sps.profileTierLevel.profile.tierFlag.bit)
        sequence.intra_period = facts.period
        sequence.intra_idr_period = facts.period
        sequence.ip_period = UInt32(facts.distance)
        sequence.bits_per_second = UInt32(clamping: facts.bitsPerSecond)
        sequence.pic_width_in_luma_samples = UInt16(codedWidth)
        sequence.pic_height_in_luma_samples = UInt16(codedHeight)
        sequence.seq_fields.bits.chroma_format_idc = UInt32(sps.format.chromaFormatIdc)
        sequence.seq_fields.bits.bit_depth_luma_minus8 = UInt32(sps.format.bitDepthLumaMinus8)
        sequence.seq_fields.bits.bit_depth_chroma_minus8 = UInt32(sps.format.bitDepthChromaMinus8)
        sequence.seq_fields.bits.strong_intra_smoothing_enabled_flag = sps.strongIntraSmoothingEnabledFlag.bit
        sequence.seq_fields.bits.amp_enabled_flag = sps.ampEnabledFlag.bit
        sequence.seq_fields.bits.sample_adaptive_offset_enabled_flag = sps.sampleAdaptiveOffsetEnabledFlag.bit
        sequence.seq_fields.bits.sps_temporal_mvp_enabled_flag = sps.temporalMvpEnabledFlag.bit
        sequence.seq_fields.bits.low_delay_seq = isLowDelay.bit
        let blocks = sps.blocks
        sequence.log2_min_luma_coding_block_size_minus3 = UInt8(blocks.log2MinLumaCodingBlockSizeMinus3)
        sequence.log2_diff_max_min_luma_coding_block_size = UInt8(blocks.log2DiffMaxMinLumaCodingBlockSize)
        sequence.log2_min_transform_block_size_minus2 = UInt8(blocks.log2MinLumaTransformBlockSizeMinus2)
        sequence.log2_diff_max_min_transform_block_size = UInt8(blocks.log2DiffMaxMinLumaTransformBlockSize)
        sequence.max_transform_hierarchy_depth_inter = UInt8(blocks.maxTransformHierarchyDepthInter)
        sequence.max_transform_hierarchy_depth_intra = UInt8(blocks.maxTransformHierarchyDepthIntra)
        setVUI(of: &sequence)
        return sequence
    }

    private func setVUI(of sequence: inout VAEncSequenceParameterBufferHEVC) {
        guard let vui = sps.vui else { return }
        sequence.vui_parameters_present_flag = 1
        if let timing = vui.timing {
            sequence.vui_fields.bits.vui_timing_info_present_flag = 1
            sequence.vui_num_units_in_tick = UInt32(clamping: timing.clock.numUnitsInTick)
            sequence.vui_time_scale = UInt32(clamping: timing.clock.timeScale)
        }
        guard let ratio = vui.aspectRatio else { return }
        sequence.vui_fields.bits.aspect_ratio_info_present_flag = 1
        sequence.aspect_ratio_idc = UInt8(clamping: ratio.aspectRatioIdc)
        sequence.sar_width = UInt32(clamping: ratio.sarWidth)
        sequence.sar_height = UInt32(clamping: ratio.sarHeight)
    }

    func picture(_ plan: PicturePlan, on surfaces: PictureSurfaces) -> VAEncPictureParameterBufferHEVC {
        var picture = Self.emptyPicture
        picture.decoded_curr_pic = entry(slot: plan.slot, displayIndex: plan.displayIndex, flags: 0, surfaces)
        fill(&picture.reference_frames, with: plan.kept) { entry($0, plan, isUsed: plan.uses($0), surfaces) }
        picture.coded_buf = surfaces.codedBuffer
        // Among the pictures kept, not in the list; no picture where there are no temporal motion vectors.
        let collocated = sps.temporalMvpEnabledFlag ? plan.list0.first.flatMap(plan.kept.firstIndex(of:)) : nil
        picture.collocated_ref_pic_index = collocated.map { UInt8($0) } ?? 0xff
        picture.pic_init_qp = UInt8(hasPictureQuantizers ? plan.quantizer : pps.quantisation.initQpMinus26 + 26)
        picture.diff_cu_qp_delta_depth = UInt8(pps.quantisation.diffCuQpDeltaDepth ?? 0)
        picture.pps_cb_qp_offset = Int8(pps.quantisation.cbQpOffset)
        picture.pps_cr_qp_offset = Int8(pps.quantisation.crQpOffset)
        picture.log2_parallel_merge_level_minus2 = UInt8(pps.log2ParallelMergeLevelMinus2)
        picture.num_ref_idx_l0_default_active_minus1 = UInt8(pps.numRefIdxL0DefaultActiveMinus1)
        picture.num_ref_idx_l1_default_active_minus1 = UInt8(pps.numRefIdxL1DefaultActiveMinus1)
        picture.slice_pic_parameter_set_id = UInt8(pps.id)
        picture.nal_unit_type = UInt8(nalUnitHeader(plan).type.rawValue)
        picture.pic_fields.bits.idr_pic_flag = (plan.kind == .idr).bit
        picture.pic_fields.bits.coding_type =
            switch plan.kind {
            case .idr: 1
            case .p: 2
            case .b: 3
            }
        picture.pic_fields.bits.reference_pic_flag = plan.isReference.bit
        picture.pic_fields.bits.sign_data_hiding_enabled_flag = pps.signDataHidingEnabledFlag.bit
        picture.pic_fields.bits.transform_skip_enabled_flag = pps.transformSkipEnabledFlag.bit
        picture.pic_fields.bits.cu_qp_delta_enabled_flag = (pps.quantisation.diffCuQpDeltaDepth != nil).bit
        picture.pic_fields.bits.pps_loop_filter_across_slices_enabled_flag = pps.loopFilterAcrossSlicesEnabledFlag.bit
        return picture
    }

    func describe(
        _ rows: Range<Int>, of plan: PicturePlan, on surfaces: PictureSurfaces,
        in slice: inout VAEncSliceParameterBufferHEVC
    ) throws(ParameterSetError) -> PackedHeader {
        var segment = HEVCSliceSegmentHeader()
        segment.ppsID = pps.id
        segment.firstSliceSegmentInPicFlag = rows.lowerBound == 0
        segment.sliceSegmentAddress = rows.lowerBound * treeBlocksAcross
        var header = HEVCSliceHeader()
        describe(plan, in: &header)
        slice.slice_segment_address = UInt32(segment.sliceSegmentAddress)
        slice.num_ctu_in_slice = UInt32(rows.count * treeBlocksAcross)
        slice.slice_type = UInt8(header.kind.rawValue)
        slice.slice_pic_parameter_set_id = UInt8(pps.id)
        slice.num_ref_idx_l0_active_minus1 = UInt8(header.prediction?.numRefIdxL0ActiveMinus1 ?? 0)
        slice.num_ref_idx_l1_active_minus1 = UInt8(header.prediction?.numRefIdxL1ActiveMinus1 ?? 0)
        fill(&slice.ref_pic_list0, with: plan.list0) { entry($0, plan, isUsed: true, surfaces) }
        fill(&slice.ref_pic_list1, with: plan.list1) { entry($0, plan, isUsed: true, surfaces) }
        slice.max_num_merge_cand = UInt8(5 - (header.prediction?.fiveMinusMaxNumMergeCand ?? 0))
        slice.slice_qp_delta = hasPictureQuantizers ? 0 : Int8(header.qpDelta)
        slice.slice_cb_qp_offset = Int8(header.cbQpOffset)
        slice.slice_cr_qp_offset = Int8(header.crQpOffset)
        slice.slice_fields.bits.last_slice_of_pic_flag = (rows.upperBound == sliceRows.last?.upperBound).bit
        slice.slice_fields.bits.slice_temporal_mvp_enabled_flag =
            (header.references?.temporalMvpEnabledFlag ?? false).bit
        slice.slice_fields.bits.slice_sao_luma_flag = header.saoLumaFlag.bit
        slice.slice_fields.bits.slice_sao_chroma_flag = header.saoChromaFlag.bit
        slice.slice_fields.bits.num_ref_idx_active_override_flag =
            (header.prediction?.numRefIdxActiveOverrideFlag ?? false).bit
        slice.slice_fields.bits.slice_loop_filter_across_slices_enabled_flag =
            header.loopFilterAcrossSlicesEnabledFlag.bit
        slice.slice_fields.bits.collocated_from_l0_flag = 1
        let unit = nalUnitHeader(plan)
        segment.slice = consume header
        return try PackedHeader(VAEncPackedHeaderSlice, unit) { (writer) throws(ParameterSetError) in
            try segment.write(with: &writer, header: unit, in: sets)
        }
    }

    /// A kept picture, with its place among the pictures that this one is predicted from (8.3.2).
    private func entry(
        _ reference: PicturePlan.Reference, _ plan: PicturePlan, isUsed: Bool, _ surfaces: PictureSurfaces
    ) -> VAPictureHEVC {
        let side =
            reference.displayIndex < plan.displayIndex
            ? VA_PICTURE_HEVC_RPS_ST_CURR_BEFORE : VA_PICTURE_HEVC_RPS_ST_CURR_AFTER
        return entry(
            slot: reference.slot, displayIndex: reference.displayIndex, flags: isUsed ? UInt32(side) : 0,
            surfaces)
    }

    private func entry(
        slot: Int, displayIndex: Int, flags: UInt32, _ surfaces: PictureSurfaces
    ) -> VAPictureHEVC {
        VAPictureHEVC(
            picture_id: surfaces.reconstructions[slot], pic_order_cnt: Int32(truncatingIfNeeded: displayIndex),
            flags: flags, va_reserved: (0, 0, 0, 0))
    }

    private static let noPicture = VAPictureHEVC(
        picture_id: VA_INVALID_SURFACE, pic_order_cnt: 0, flags: UInt32(VA_PICTURE_HEVC_INVALID),
        va_reserved: (0, 0, 0, 0))

    /// Without reference pictures.
    private static let emptyPicture = {
        var picture = VAEncPictureParameterBufferHEVC()
        fill(&picture.reference_frames, with: noPicture)
        return picture
    }()

    /// With empty lists.
    static let emptySlice = {
        var slice = VAEncSliceParameterBufferHEVC()
        fill(&slice.ref_pic_list0, with: noPicture)
        fill(&slice.ref_pic_list1, with: noPicture)
        return slice
    }()
}
