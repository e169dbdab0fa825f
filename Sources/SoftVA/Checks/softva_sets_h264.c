// SPDX-License-Identifier: MIT
// H.264's sequence and picture parameter sets, 7.3.2.1 and 7.3.2.2.
#include "softva_nal.h"

enum { UNIT_SEI = 6, UNIT_SPS = 7, UNIT_PPS = 8, UNIT_AUD = 9, PROFILE_HIGH = 100 };

static void read_hrd(sv_reader *reader) {
    unsigned count = sv_read_ue(reader) + 1;
    sv_read_u(reader, 8);
    for (unsigned i = 0; i < count && i < 32; i++) {
        sv_read_ue(reader);
        sv_read_ue(reader);
        sv_read_u(reader, 1);
    }
    if (count > 32) sv_violation("vui.cpb_cnt_minus1", "%u is over 31", count - 1);
    sv_read_u(reader, 20);
}

static void read_vui(sv_reader *reader, sv_h264_sets *sets) {
    sv_vui_start start = sv_read_vui_start(reader);
    sets->aspect = start.aspect;
    sets->aspect_idc = start.aspect_idc;
    sets->sar[0] = start.sar[0];
    sets->sar[1] = start.sar[1];
    sets->timing = sv_read_u(reader, 1);
    if (sets->timing) {
        sets->tick = sv_read_u(reader, 32);
        sets->scale = sv_read_u(reader, 32);
        sv_read_u(reader, 1);  // fixed_frame_rate_flag
    }
    unsigned nal_hrd = sv_read_u(reader, 1);
    if (nal_hrd) read_hrd(reader);
    unsigned vcl_hrd = sv_read_u(reader, 1);
    if (vcl_hrd) read_hrd(reader);
    if (nal_hrd || vcl_hrd) sv_read_u(reader, 1);
    sv_read_u(reader, 1);  // pic_struct_present_flag
    sets->restriction = sv_read_u(reader, 1);
    if (!sets->restriction) return;
    sv_read_u(reader, 1);
    unsigned bytes = sv_read_ue(reader), bits = sv_read_ue(reader);
    if (bytes > 16) sv_violation("vui.max_bytes_per_pic_denom", "%u is over 16", bytes);
    if (bits > 16) sv_violation("vui.max_bits_per_mb_denom", "%u is over 16", bits);
    sets->log2_mv[0] = sv_read_ue(reader);
    sets->log2_mv[1] = sv_read_ue(reader);
    unsigned reorder = sv_read_ue(reader), buffering = sv_read_ue(reader);
    if (buffering < sets->references) {
        sv_violation("vui.max_dec_frame_buffering", "%u, max_num_ref_frames is %u", buffering, sets->references);
    }
    if (reorder > buffering) sv_violation("vui.max_num_reorder_frames", "%u is over %u", reorder, buffering);
}

static void read_sequence(sv_reader *reader, sv_h264_sets *sets) {
    *sets = (sv_h264_sets){.seen_sequence = true};
    sets->profile = sv_read_u(reader, 8);
    sets->constraints = sv_read_u(reader, 8);
    sv_expect_only("sps.reserved_zero_2bits", sets->constraints & 3, 0);
    sets->level = sv_read_u(reader, 8);
    sets->id = sv_read_ue(reader);
    if (sets->profile == PROFILE_HIGH) {
        sv_expect_only("sps.chroma_format_idc", sv_read_ue(reader), 1);
        sv_expect_only("sps.bit_depth_luma_minus8", sv_read_ue(reader), 0);
        sv_expect_only("sps.bit_depth_chroma_minus8", sv_read_ue(reader), 0);
        sv_expect_only("sps.qpprime_y_zero_transform_bypass_flag", sv_read_u(reader, 1), 0);
        sv_expect_only("sps.seq_scaling_matrix_present_flag", sv_read_u(reader, 1), 0);
    }
    sets->log2_frame_num = sv_read_ue(reader);
    sets->poc_type = sv_read_ue(reader);
    if (sets->poc_type == 0) sets->log2_poc_lsb = sv_read_ue(reader);
    sets->references = sv_read_ue(reader);
    sv_expect_only("sps.gaps_in_frame_num_value_allowed_flag", sv_read_u(reader, 1), 0);
    sets->width = sv_read_ue(reader) + 1;
    sets->height = sv_read_ue(reader) + 1;
    sv_expect_only("sps.frame_mbs_only_flag", sv_read_u(reader, 1), 1);
    sets->direct_8x8 = sv_read_u(reader, 1);
    sets->cropping = sv_read_u(reader, 1);
    for (int i = 0; sets->cropping && i < 4; i++) sets->crop[i] = sv_read_ue(reader);
    sets->vui = sv_read_u(reader, 1);
    if (sets->vui) read_vui(reader, sets);
    sv_expect_trailing(reader, "sps");
}

static void read_picture(sv_reader *reader, sv_h264_sets *sets) {
    sets->seen_picture = true;
    sets->pps_id = sv_read_ue(reader);
    sets->pps_sps_id = sv_read_ue(reader);
    sets->cabac = sv_read_u(reader, 1);
    sets->bottom_order = sv_read_u(reader, 1);
    sv_expect_only("pps.num_slice_groups_minus1", sv_read_ue(reader), 0);
    for (int i = 0; i < 2; i++) sets->references_active[i] = sv_read_ue(reader);
    sets->weighted = sv_read_u(reader, 1);
    sets->bipred = sv_read_u(reader, 2);
    sets->init_qp = 26 + sv_read_se(reader);
    sv_read_se(reader);  // pic_init_qs_minus26, of SP and SI slices
    sets->chroma_offset[0] = sets->chroma_offset[1] = sv_read_se(reader);
    sets->deblocking_control = sv_read_u(reader, 1);
    sets->constrained = sv_read_u(reader, 1);
    sets->redundant = sv_read_u(reader, 1);
    sets->transform_8x8 = 0;
    if (sv_more_rbsp_data(reader)) {
        sets->transform_8x8 = sv_read_u(reader, 1);
        sv_expect_only("pps.pic_scaling_matrix_present_flag", sv_read_u(reader, 1), 0);
        sets->chroma_offset[1] = sv_read_se(reader);
    }
    sv_expect_trailing(reader, "pps");
}

bool sv_h264_read_unit(sv_work *work, sv_reader *reader) {
    sv_h264_sets *sets = &work->context->headers->h264;
    sv_expect_only("nal.forbidden_zero_bit", sv_read_u(reader, 1), 0);
    unsigned idc = sv_read_u(reader, 2), type = sv_read_u(reader, 5);
    bool is_set = type == UNIT_SPS || type == UNIT_PPS;
    if (is_set == (idc == 0)) sv_violation("nal.nal_ref_idc", "%u in NAL unit type %u", idc, type);
    switch (type) {
        case UNIT_SPS: read_sequence(reader, sets); return true;
        case UNIT_PPS: read_picture(reader, sets); return true;
        case UNIT_SEI: return true;
        case UNIT_AUD: {
            unsigned kind = sv_read_u(reader, 3);
            for (int i = 0; i < work->slice_count; i++) {
                unsigned slice = work->params[i].h264.slice_type % 5;  // P 0, B 1, I 2
                unsigned least = slice == 2 ? 0 : slice == 0 ? 1 : 2;
                if (kind < least) sv_violation("aud.primary_pic_type", "%u does not allow slice type %u", kind, slice);
            }
            sv_expect_trailing(reader, "aud");
            return true;
        }
        default: return false;
    }
}

static void compare_vui(const sv_h264_sets *sets, const VAEncSequenceParameterBufferH264 *sequence) {
    sv_expect("seq.aspect_ratio_info_present_flag", sets->aspect,
              sequence->vui_fields.bits.aspect_ratio_info_present_flag);
    if (sets->aspect) sv_expect("seq.aspect_ratio_idc", sets->aspect_idc, sequence->aspect_ratio_idc);
    if (sets->aspect && sets->aspect_idc == 255) {
        sv_expect("seq.sar_width", sets->sar[0], sequence->sar_width);
        sv_expect("seq.sar_height", sets->sar[1], sequence->sar_height);
    }
    sv_expect("seq.timing_info_present_flag", sets->timing, sequence->vui_fields.bits.timing_info_present_flag);
    if (sets->timing) {
        sv_expect("seq.num_units_in_tick", sets->tick, sequence->num_units_in_tick);
        sv_expect("seq.time_scale", sets->scale, sequence->time_scale);
    }
    sv_expect("seq.bitstream_restriction_flag", sets->restriction,
              sequence->vui_fields.bits.bitstream_restriction_flag);
    if (sets->restriction) {
        sv_expect("seq.log2_max_mv_length_horizontal", sets->log2_mv[0],
                  sequence->vui_fields.bits.log2_max_mv_length_horizontal);
        sv_expect("seq.log2_max_mv_length_vertical", sets->log2_mv[1],
                  sequence->vui_fields.bits.log2_max_mv_length_vertical);
    }
}

static void compare_sequence(const sv_work *work, const sv_h264_sets *sets) {
    const VAEncSequenceParameterBufferH264 *sequence = &work->sequence.h264;
    VAProfile profile = work->context->config->profile;
    unsigned profile_idc = profile == VAProfileH264High ? PROFILE_HIGH : profile == VAProfileH264Main ? 77 : 66;
    sv_expect("config.profile", sets->profile, profile_idc);
    // Constrained Baseline is Baseline with constraint_set1_flag, A.2.1.1.
    sv_require(profile != VAProfileH264ConstrainedBaseline || sets->constraints & 0x40, "sps.constraint_set1_flag",
               "0 in Constrained Baseline");
    sv_expect("seq.level_idc", sets->level, sequence->level_idc);
    sv_expect("seq.seq_parameter_set_id", sets->id, sequence->seq_parameter_set_id);
    sv_expect("seq.log2_max_frame_num_minus4", sets->log2_frame_num,
              sequence->seq_fields.bits.log2_max_frame_num_minus4);
    sv_expect("seq.pic_order_cnt_type", sets->poc_type, sequence->seq_fields.bits.pic_order_cnt_type);
    if (sets->poc_type == 0) {
        sv_expect("seq.log2_max_pic_order_cnt_lsb_minus4", sets->log2_poc_lsb,
                  sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4);
    }
    sv_expect("seq.max_num_ref_frames", sets->references, sequence->max_num_ref_frames);
    sv_expect("seq.picture_width_in_mbs", sets->width, sequence->picture_width_in_mbs);
    sv_expect("seq.picture_height_in_mbs", sets->height, sequence->picture_height_in_mbs);
    sv_expect("seq.direct_8x8_inference_flag", sets->direct_8x8,
              sequence->seq_fields.bits.direct_8x8_inference_flag);
    sv_expect("seq.frame_cropping_flag", sets->cropping, sequence->frame_cropping_flag);
    sv_expect("seq.frame_crop_left_offset", sets->crop[0], sequence->frame_crop_left_offset);
    sv_expect("seq.frame_crop_right_offset", sets->crop[1], sequence->frame_crop_right_offset);
    sv_expect("seq.frame_crop_top_offset", sets->crop[2], sequence->frame_crop_top_offset);
    sv_expect("seq.frame_crop_bottom_offset", sets->crop[3], sequence->frame_crop_bottom_offset);
    sv_expect("seq.vui_parameters_present_flag", sets->vui, sequence->vui_parameters_present_flag);
    if (sets->vui) compare_vui(sets, sequence);
}

void sv_h264_compare_sets(sv_work *work) {
    const sv_h264_sets *sets = &work->context->headers->h264;
    const VAEncPictureParameterBufferH264 *picture = &work->picture.h264;
    if (sets->seen_sequence) compare_sequence(work, sets);
    if (!sets->seen_picture) return;
    sv_expect("picture.pic_parameter_set_id", sets->pps_id, picture->pic_parameter_set_id);
    sv_expect("picture.seq_parameter_set_id", sets->pps_sps_id, picture->seq_parameter_set_id);
    sv_expect("picture.entropy_coding_mode_flag", sets->cabac, picture->pic_fields.bits.entropy_coding_mode_flag);
    sv_expect("picture.pic_order_present_flag", sets->bottom_order, picture->pic_fields.bits.pic_order_present_flag);
    sv_expect("picture.num_ref_idx_l0_active_minus1", sets->references_active[0], picture->num_ref_idx_l0_active_minus1);
    sv_expect("picture.num_ref_idx_l1_active_minus1", sets->references_active[1], picture->num_ref_idx_l1_active_minus1);
    sv_expect("picture.weighted_pred_flag", sets->weighted, picture->pic_fields.bits.weighted_pred_flag);
    sv_expect("picture.weighted_bipred_idc", sets->bipred, picture->pic_fields.bits.weighted_bipred_idc);
    sv_expect("picture.pic_init_qp", sets->init_qp, picture->pic_init_qp);
    sv_expect("picture.chroma_qp_index_offset", sets->chroma_offset[0], picture->chroma_qp_index_offset);
    sv_expect("picture.second_chroma_qp_index_offset", sets->chroma_offset[1], picture->second_chroma_qp_index_offset);
    sv_expect("picture.deblocking_filter_control_present_flag", sets->deblocking_control,
              picture->pic_fields.bits.deblocking_filter_control_present_flag);
    sv_expect("picture.constrained_intra_pred_flag", sets->constrained,
              picture->pic_fields.bits.constrained_intra_pred_flag);
    sv_expect("picture.redundant_pic_cnt_present_flag", sets->redundant,
              picture->pic_fields.bits.redundant_pic_cnt_present_flag);
    sv_expect("picture.transform_8x8_mode_flag", sets->transform_8x8, picture->pic_fields.bits.transform_8x8_mode_flag);
}
