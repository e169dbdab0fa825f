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

/// Such a driver says of every stream that it keeps to Main's limits, and of Baseline's that it is constrained.
static void write_h264_sequence(sv_bits *bits, VAProfile profile, const VAEncSequenceParameterBufferH264 *sequence) {
    sv_bits_u(bits, 8, 0x67);
    sv_bits_u(bits, 8, profile == VAProfileH264High ? 100 : profile == VAProfileH264Main ? 77 : 66);
    sv_bits_u(bits, 8, 0x40);
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
    unit->out = (sv_output){unit->bytes, 0, CAPACITY, false};
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

bool sv_add_sequence_set(sv_work *work) {
    Unit unit;
    if (!begin(&unit)) return false;
    write_h264_sequence(&unit.bits, work->context->config->profile, &work->sequence.h264);
    return add(&unit, work, VAEncPackedHeaderSequence);
}

bool sv_add_picture_set(sv_work *work) {
    Unit unit;
    if (!begin(&unit)) return false;
    if (work->codec == SV_HEVC) {
        write_hevc(&unit.bits, work);
    } else {
        write_h264(&unit.bits, &work->picture.h264);
    }
    return add(&unit, work, VAEncPackedHeaderPicture);
}
