// SPDX-License-Identifier: MIT
#include "softva_picture_set.h"

#include <stdlib.h>
#include <string.h>

#include "softva_bits.h"

#define CAPACITY 128

static void write_vui(sv_bits *bits, const VAEncSequenceParameterBufferH264 *sequence) {
    sv_bits_u(bits, 1, sequence->vui_fields.bits.aspect_ratio_info_present_flag);
    if (sequence->vui_fields.bits.aspect_ratio_info_present_flag) {
        sv_bits_u(bits, 8, sequence->aspect_ratio_idc);
        if (sequence->aspect_ratio_idc == 255) {
            sv_bits_u(bits, 16, sequence->sar_width);
            sv_bits_u(bits, 16, sequence->sar_height);
        }
    }
    sv_bits_u(bits, 3, 0);  // no overscan, video signal type or chroma location: no field of the structure says them
    sv_bits_u(bits, 1, sequence->vui_fields.bits.timing_info_present_flag);
    if (sequence->vui_fields.bits.timing_info_present_flag) {
        sv_bits_u(bits, 32, sequence->num_units_in_tick);
        sv_bits_u(bits, 32, sequence->time_scale);
        sv_bits_u(bits, 1, sequence->vui_fields.bits.fixed_frame_rate_flag);
    }
    sv_bits_u(bits, 3, 0);  // no HRD, no picture structure
    sv_bits_u(bits, 1, sequence->vui_fields.bits.bitstream_restriction_flag);
    if (!sequence->vui_fields.bits.bitstream_restriction_flag) return;
    sv_bits_u(bits, 1, sequence->vui_fields.bits.motion_vectors_over_pic_boundaries_flag);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, sequence->vui_fields.bits.log2_max_mv_length_horizontal);
    sv_bits_ue(bits, sequence->vui_fields.bits.log2_max_mv_length_vertical);
    sv_bits_ue(bits, 0);  // max_num_reorder_frames: such drivers code no B pictures
    sv_bits_ue(bits, sequence->max_num_ref_frames);
}

/// Such a driver says of every stream that it keeps to Main's limits and has no B slices, and of Baseline's that it is
/// constrained.
static void write_h264_sequence(sv_bits *bits, VAProfile profile, const VAEncSequenceParameterBufferH264 *sequence) {
    sv_bits_u(bits, 8, 0x67);
    sv_bits_u(bits, 8, profile == VAProfileH264High ? 100 : profile == VAProfileH264Main ? 77 : 66);
    sv_bits_u(bits, 8, 0x44);
    sv_bits_u(bits, 8, sequence->level_idc);
    sv_bits_ue(bits, sequence->seq_parameter_set_id);
    if (profile == VAProfileH264High) {
        sv_bits_ue(bits, 1);    // chroma_format_idc
        sv_bits_u(bits, 4, 12);  // eight bits each, no bypass, no scaling lists
    }
    sv_bits_ue(bits, sequence->seq_fields.bits.log2_max_frame_num_minus4);
    sv_bits_ue(bits, sequence->seq_fields.bits.pic_order_cnt_type);
    if (sequence->seq_fields.bits.pic_order_cnt_type == 0) {
        sv_bits_ue(bits, sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4);
    }
    sv_bits_ue(bits, sequence->max_num_ref_frames);
    sv_bits_u(bits, 1, 0);  // gaps_in_frame_num_value_allowed_flag
    sv_bits_ue(bits, sequence->picture_width_in_mbs - 1u);
    sv_bits_ue(bits, sequence->picture_height_in_mbs - 1u);
    sv_bits_u(bits, 1, 1);  // frame_mbs_only_flag
    sv_bits_u(bits, 1, sequence->seq_fields.bits.direct_8x8_inference_flag);
    sv_bits_u(bits, 1, sequence->frame_cropping_flag);
    if (sequence->frame_cropping_flag) {
        sv_bits_ue(bits, sequence->frame_crop_left_offset);
        sv_bits_ue(bits, sequence->frame_crop_right_offset);
        sv_bits_ue(bits, sequence->frame_crop_top_offset);
        sv_bits_ue(bits, sequence->frame_crop_bottom_offset);
    }
    sv_bits_u(bits, 1, sequence->vui_parameters_present_flag);
    if (sequence->vui_parameters_present_flag) write_vui(bits, sequence);
}

static void write_h264(sv_bits *bits, const VAEncPictureParameterBufferH264 *picture) {
    sv_bits_u(bits, 8, 0x68);
    sv_bits_ue(bits, picture->pic_parameter_set_id);
    sv_bits_ue(bits, picture->seq_parameter_set_id);
    sv_bits_u(bits, 1, picture->pic_fields.bits.entropy_coding_mode_flag);
    sv_bits_u(bits, 1, picture->pic_fields.bits.pic_order_present_flag);
    sv_bits_ue(bits, 0);  // num_slice_groups_minus1
    sv_bits_ue(bits, picture->num_ref_idx_l0_active_minus1);
    sv_bits_ue(bits, picture->num_ref_idx_l1_active_minus1);
    sv_bits_u(bits, 3, 0);  // no weighted prediction
    sv_bits_se(bits, picture->pic_init_qp - 26);
    sv_bits_se(bits, 0);  // pic_init_qs_minus26
    sv_bits_se(bits, picture->chroma_qp_index_offset);
    sv_bits_u(bits, 1, picture->pic_fields.bits.deblocking_filter_control_present_flag);
    sv_bits_u(bits, 1, picture->pic_fields.bits.constrained_intra_pred_flag);
    sv_bits_u(bits, 1, picture->pic_fields.bits.redundant_pic_cnt_present_flag);
    if (picture->pic_fields.bits.transform_8x8_mode_flag ||
        picture->second_chroma_qp_index_offset != picture->chroma_qp_index_offset) {
        sv_bits_u(bits, 1, picture->pic_fields.bits.transform_8x8_mode_flag);
        sv_bits_u(bits, 1, 0);  // pic_scaling_matrix_present_flag
        sv_bits_se(bits, picture->second_chroma_qp_index_offset);
    }
}

/// profile_tier_level() and, the same in VPS and SPS, the buffering: one reference, nothing is reordered.
static void write_hevc_profile(sv_bits *bits, const VAEncSequenceParameterBufferHEVC *sequence) {
    sv_bits_u(bits, 2, 0);  // general_profile_space
    sv_bits_u(bits, 1, sequence->general_tier_flag);
    sv_bits_u(bits, 5, sequence->general_profile_idc);
    sv_bits_u(bits, 32, 0x60000000);  // Main and Main 10
    sv_bits_u(bits, 32, 0xb0000000);  // frames only, not packed
    sv_bits_u(bits, 16, 0);
    sv_bits_u(bits, 8, sequence->general_level_idc);
}

static void write_hevc_buffering(sv_bits *bits) {
    sv_bits_u(bits, 1, 0);   // sub_layer_ordering_info_present_flag
    sv_bits_ue(bits, 1);     // max_dec_pic_buffering_minus1
    sv_bits_ue(bits, 0);     // max_num_reorder_pics
    sv_bits_ue(bits, 0);     // max_latency_increase_plus1
}

static void write_hevc_video(sv_bits *bits, const VAEncSequenceParameterBufferHEVC *sequence) {
    sv_bits_u(bits, 16, 32 << 9 | 1);
    sv_bits_u(bits, 4, 0);
    sv_bits_u(bits, 2, 3);       // the base layer is there
    sv_bits_u(bits, 9, 0);       // one layer, one sub-layer
    sv_bits_u(bits, 1, 1);       // vps_temporal_id_nesting_flag
    sv_bits_u(bits, 16, 0xffff);
    write_hevc_profile(bits, sequence);
    write_hevc_buffering(bits);
    sv_bits_u(bits, 6, 0);  // vps_max_layer_id
    sv_bits_ue(bits, 0);    // vps_num_layer_sets_minus1
    sv_bits_u(bits, 2, 0);  // no timing, no extension
}

static void write_hevc_vui(sv_bits *bits, const VAEncSequenceParameterBufferHEVC *sequence) {
    sv_bits_u(bits, 1, sequence->vui_fields.bits.aspect_ratio_info_present_flag);
    if (sequence->vui_fields.bits.aspect_ratio_info_present_flag) {
        sv_bits_u(bits, 8, sequence->aspect_ratio_idc);
        if (sequence->aspect_ratio_idc == 255) {
            sv_bits_u(bits, 16, sequence->sar_width);
            sv_bits_u(bits, 16, sequence->sar_height);
        }
    }
    sv_bits_u(bits, 7, 0);  // no overscan, video signal type, chroma location, fields or display window
    sv_bits_u(bits, 1, sequence->vui_fields.bits.vui_timing_info_present_flag);
    if (sequence->vui_fields.bits.vui_timing_info_present_flag) {
        sv_bits_u(bits, 32, sequence->vui_num_units_in_tick);
        sv_bits_u(bits, 32, sequence->vui_time_scale);
        sv_bits_u(bits, 2, 0);  // not proportional to counts, no HRD
    }
    sv_bits_u(bits, 1, 0);  // bitstream_restriction_flag
}

/// The bits of slice_pic_order_cnt_lsb: one more than count from one IDR picture to the next.
static unsigned hevc_order_bits(const VAEncSequenceParameterBufferHEVC *sequence) {
    unsigned count = 4;
    while (count < 31 && 1u << count < sequence->intra_period) count++;
    return count + 1;
}

/// `crop` is in units of two samples: left, right, top, bottom.
static void write_hevc_sequence(sv_bits *bits, const VAEncSequenceParameterBufferHEVC *sequence,
                                const unsigned crop[4]) {
    sv_bits_u(bits, 16, 33 << 9 | 1);
    sv_bits_u(bits, 7, 0);  // VPS 0, one sub-layer
    sv_bits_u(bits, 1, 1);  // sps_temporal_id_nesting_flag
    write_hevc_profile(bits, sequence);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, 1);  // chroma_format_idc
    sv_bits_ue(bits, sequence->pic_width_in_luma_samples);
    sv_bits_ue(bits, sequence->pic_height_in_luma_samples);
    bool is_cropped = crop[0] || crop[1] || crop[2] || crop[3];
    sv_bits_u(bits, 1, is_cropped);
    for (int i = 0; is_cropped && i < 4; i++) sv_bits_ue(bits, crop[i]);
    sv_bits_ue(bits, sequence->seq_fields.bits.bit_depth_luma_minus8);
    sv_bits_ue(bits, sequence->seq_fields.bits.bit_depth_chroma_minus8);
    sv_bits_ue(bits, hevc_order_bits(sequence) - 4);
    write_hevc_buffering(bits);
    sv_bits_ue(bits, sequence->log2_min_luma_coding_block_size_minus3);
    sv_bits_ue(bits, sequence->log2_diff_max_min_luma_coding_block_size);
    sv_bits_ue(bits, sequence->log2_min_transform_block_size_minus2);
    sv_bits_ue(bits, sequence->log2_diff_max_min_transform_block_size);
    sv_bits_ue(bits, sequence->max_transform_hierarchy_depth_inter);
    sv_bits_ue(bits, sequence->max_transform_hierarchy_depth_intra);
    sv_bits_u(bits, 1, 0);  // scaling_list_enabled_flag
    sv_bits_u(bits, 1, sequence->seq_fields.bits.amp_enabled_flag);
    sv_bits_u(bits, 1, sequence->seq_fields.bits.sample_adaptive_offset_enabled_flag);
    sv_bits_u(bits, 1, 0);  // pcm_enabled_flag
    sv_bits_ue(bits, 0);    // slices have their sets of references
    sv_bits_u(bits, 2, 0);  // no long-term references, no motion of other pictures
    sv_bits_u(bits, 1, sequence->seq_fields.bits.strong_intra_smoothing_enabled_flag);
    sv_bits_u(bits, 1, sequence->vui_parameters_present_flag);
    if (sequence->vui_parameters_present_flag) write_hevc_vui(bits, sequence);
    sv_bits_u(bits, 1, 0);  // sps_extension_present_flag
}

static void write_hevc(sv_bits *bits, const sv_work *work) {
    const VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    const VAEncSliceParameterBufferHEVC *slice = &work->params[0].hevc;
    sv_bits_u(bits, 16, 34 << 9 | 1);
    sv_bits_ue(bits, picture->slice_pic_parameter_set_id);
    sv_bits_ue(bits, 0);     // pps_seq_parameter_set_id
    sv_bits_u(bits, 7, 0);   // no dependent slices, output flag, extra bits, hidden signs, cabac_init
    sv_bits_ue(bits, picture->num_ref_idx_l0_default_active_minus1);
    sv_bits_ue(bits, picture->num_ref_idx_l1_default_active_minus1);
    sv_bits_se(bits, picture->pic_init_qp - 26);
    sv_bits_u(bits, 1, 0);  // constrained_intra_pred_flag
    sv_bits_u(bits, 1, picture->pic_fields.bits.transform_skip_enabled_flag);
    sv_bits_u(bits, 1, picture->pic_fields.bits.cu_qp_delta_enabled_flag);
    if (picture->pic_fields.bits.cu_qp_delta_enabled_flag) sv_bits_ue(bits, picture->diff_cu_qp_delta_depth);
    sv_bits_se(bits, picture->pps_cb_qp_offset);
    sv_bits_se(bits, picture->pps_cr_qp_offset);
    sv_bits_u(bits, 6, 0);  // no slice offsets, weights, lossless blocks, tiles, wavefronts
    sv_bits_u(bits, 1, picture->pic_fields.bits.pps_loop_filter_across_slices_enabled_flag);
    bool disabled = slice->slice_fields.bits.slice_deblocking_filter_disabled_flag;
    sv_bits_u(bits, 1, 1);  // deblocking_filter_control_present_flag
    sv_bits_u(bits, 1, 0);  // deblocking_filter_override_enabled_flag
    sv_bits_u(bits, 1, disabled);
    if (!disabled) {
        sv_bits_se(bits, slice->slice_beta_offset_div2);
        sv_bits_se(bits, slice->slice_tc_offset_div2);
    }
    sv_bits_u(bits, 2, 0);  // no scaling lists, no list modification
    sv_bits_ue(bits, picture->log2_parallel_merge_level_minus2);
    sv_bits_u(bits, 2, 0);  // no extensions
}

/// Where a unit is written.
typedef struct {
    uint8_t *bytes;
    sv_output out;
    sv_bits bits;
} Unit;

static bool begin(Unit *unit) {
    unit->bytes = malloc(CAPACITY);
    if (!unit->bytes) return false;
    unit->out = (sv_output){.bytes = unit->bytes, .capacity = CAPACITY};
    sv_bits_begin(&unit->bits, &unit->out);
    sv_bits_start_code(&unit->bits);
    return true;
}

static bool add(Unit *unit, sv_work *work, uint32_t type) {
    sv_bits_trailing(&unit->bits);
    if (!sv_work_add_unit(work, unit->bytes, unit->out.count, type)) return false;
    work->units_taken++;
    return true;
}

static bool add_delimiter(sv_work *work, bool idr) {
    Unit unit;
    if (!begin(&unit)) return false;
    if (work->codec == SV_HEVC) {
        sv_bits_u(&unit.bits, 16, 35 << 9 | 1);
    } else {
        sv_bits_u(&unit.bits, 8, 9);
    }
    sv_bits_u(&unit.bits, 3, idr ? 0 : 1);  // I slices, or P slices too
    return add(&unit, work, VAEncPackedHeaderRawData);
}

static bool add_h264_sets(sv_work *work) {
    Unit unit;
    if (!begin(&unit)) return false;
    write_h264_sequence(&unit.bits, work->context->config->profile, &work->sequence.h264);
    if (!add(&unit, work, VAEncPackedHeaderSequence) || !begin(&unit)) return false;
    write_h264(&unit.bits, &work->picture.h264);
    return add(&unit, work, VAEncPackedHeaderPicture);
}

static bool add_hevc_sets(sv_work *work, const unsigned crop[4]) {
    Unit unit;
    if (!begin(&unit)) return false;
    write_hevc_video(&unit.bits, &work->sequence.hevc);
    if (!add(&unit, work, VAEncPackedHeaderSequence) || !begin(&unit)) return false;
    write_hevc_sequence(&unit.bits, &work->sequence.hevc, crop);
    if (!add(&unit, work, VAEncPackedHeaderSequence) || !begin(&unit)) return false;
    write_hevc(&unit.bits, work);
    return add(&unit, work, VAEncPackedHeaderPicture);
}

bool sv_add_own_headers(sv_work *work, bool idr, const unsigned crop[4]) {
    sv_work_drop_units(work);
    if (!add_delimiter(work, idr)) return false;
    if (!idr) return true;
    return work->codec == SV_HEVC ? add_hevc_sets(work, crop) : add_h264_sets(work);
}
