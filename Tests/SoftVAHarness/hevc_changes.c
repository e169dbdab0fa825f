// SPDX-License-Identifier: MIT
// Changes to the structures of a picture whose headers stay as they are.
#include <string.h>

#include "hevc_scenario.h"

typedef VAEncSequenceParameterBufferHEVC sequence_parameters;
typedef VAEncPictureParameterBufferHEVC picture_parameters;
typedef VAEncSliceParameterBufferHEVC slice_parameters;

/// A function that changes a field of all three structures' reach.
#define CHANGE(name, statement)                                                                                 \
    static void name(sequence_parameters *sequence, picture_parameters *picture, slice_parameters *slice) { \
        (void)sequence, (void)picture, (void)slice;                                                             \
        statement;                                                                                              \
    }

CHANGE(swap_references, {
    VAPictureHEVC first = slice->ref_pic_list0[0];
    slice->ref_pic_list0[0] = slice->ref_pic_list0[1];
    slice->ref_pic_list0[1] = first;
    if (slice->ref_pic_list0[0].picture_id == VA_INVALID_SURFACE) slice->ref_pic_list0[0] = first;
})
CHANGE(replace_reference, slice->ref_pic_list0[0].picture_id = picture->reference_frames[0].picture_id)
CHANGE(shift_reference_order, slice->ref_pic_list0[0].pic_order_cnt += 2)
CHANGE(shift_picture_order, picture->decoded_curr_pic.pic_order_cnt += 3)
CHANGE(drop_reference, slice->num_ref_idx_l0_active_minus1 -= slice->num_ref_idx_l0_active_minus1 > 0)
CHANGE(unwritten_reference, slice->ref_pic_list0[0].picture_id = 1000)
CHANGE(raise_slice_qp, slice->slice_qp_delta += picture->pic_init_qp + slice->slice_qp_delta < 51 ? 1 : -1)
CHANGE(raise_chroma_qp, picture->pps_cb_qp_offset += 3)
CHANGE(flip_cabac_init, slice->slice_fields.bits.cabac_init_flag ^= 1)
CHANGE(flip_sao, slice->slice_fields.bits.slice_sao_luma_flag ^= 1)
CHANGE(flip_mvd_zero, slice->slice_fields.bits.mvd_l1_zero_flag ^= 1)
CHANGE(change_merge_candidates, slice->max_num_merge_cand = slice->max_num_merge_cand > 1 ? 1 : 4)
CHANGE(change_merge_level, picture->log2_parallel_merge_level_minus2 = !picture->log2_parallel_merge_level_minus2)
CHANGE(flip_deblocking, slice->slice_fields.bits.slice_deblocking_filter_disabled_flag ^= 1)
CHANGE(shift_beta, slice->slice_beta_offset_div2 = slice->slice_beta_offset_div2 > 0 ? -6 : 6)
CHANGE(shift_tc, slice->slice_tc_offset_div2 = slice->slice_tc_offset_div2 > 0 ? -6 : 6)
CHANGE(flip_across, slice->slice_fields.bits.slice_loop_filter_across_slices_enabled_flag ^= 1)
CHANGE(flip_qp_delta, {
    picture->pic_fields.bits.cu_qp_delta_enabled_flag ^= 1;
    picture->diff_cu_qp_delta_depth = 0;
})
CHANGE(flip_transform_skip, picture->pic_fields.bits.transform_skip_enabled_flag ^= 1)
CHANGE(flip_strong_smoothing, sequence->seq_fields.bits.strong_intra_smoothing_enabled_flag ^= 1)
CHANGE(change_intra_depth, sequence->max_transform_hierarchy_depth_intra ^= 1)
CHANGE(change_inter_depth, sequence->max_transform_hierarchy_depth_inter ^= 1)

CHANGE(ask_scaling_lists, sequence->seq_fields.bits.scaling_list_enabled_flag = 1)
CHANGE(ask_pcm, sequence->seq_fields.bits.pcm_enabled_flag = 1)
CHANGE(ask_422, sequence->seq_fields.bits.chroma_format_idc = 2)
CHANGE(ask_sign_hiding, picture->pic_fields.bits.sign_data_hiding_enabled_flag = 1)
CHANGE(ask_constrained_intra, picture->pic_fields.bits.constrained_intra_pred_flag = 1)
CHANGE(ask_weights, picture->pic_fields.bits.weighted_pred_flag = 1)
CHANGE(ask_lossless, picture->pic_fields.bits.transquant_bypass_enabled_flag = 1)
CHANGE(ask_tiles, picture->pic_fields.bits.tiles_enabled_flag = 1)
CHANGE(ask_wavefronts, picture->pic_fields.bits.entropy_coding_sync_enabled_flag = 1)
CHANGE(ask_dependent_slice, slice->slice_fields.bits.dependent_slice_segment_flag = 1)
CHANGE(ask_temporal, {
    sequence->seq_fields.bits.sps_temporal_mvp_enabled_flag = 0;
    slice->slice_fields.bits.slice_temporal_mvp_enabled_flag = 1;
})
CHANGE(shift_slice, slice->slice_segment_address++)
CHANGE(lengthen_slice, slice->num_ctu_in_slice++)
CHANGE(shorten_slice, slice->num_ctu_in_slice--)
CHANGE(raise_qp_too_far, slice->slice_qp_delta = 100)
CHANGE(no_merge_candidates, slice->max_num_merge_cand = 0)
CHANGE(uneven_width, sequence->pic_width_in_luma_samples -= 4)
CHANGE(deep_tree, sequence->max_transform_hierarchy_depth_inter = 5)
CHANGE(large_transform, sequence->log2_diff_max_min_transform_block_size = 4)
CHANGE(wrong_depth, sequence->seq_fields.bits.bit_depth_luma_minus8 ^= 2)
CHANGE(far_beta, {
    slice->slice_fields.bits.slice_deblocking_filter_disabled_flag = 0;
    slice->slice_beta_offset_div2 = 7;
})

typedef void change_function(sequence_parameters *, picture_parameters *, slice_parameters *);

#define ENTRY(name) {#name, name}

static const struct {
    const char *name;
    change_function *apply;
} changes[] = {
    ENTRY(swap_references), ENTRY(replace_reference), ENTRY(shift_reference_order), ENTRY(shift_picture_order),
    ENTRY(drop_reference), ENTRY(unwritten_reference), ENTRY(raise_slice_qp), ENTRY(raise_chroma_qp),
    ENTRY(flip_cabac_init), ENTRY(flip_sao), ENTRY(flip_mvd_zero), ENTRY(change_merge_candidates),
    ENTRY(change_merge_level), ENTRY(flip_deblocking), ENTRY(shift_beta), ENTRY(shift_tc), ENTRY(flip_across),
    ENTRY(flip_qp_delta), ENTRY(flip_transform_skip), ENTRY(flip_strong_smoothing), ENTRY(change_intra_depth),
    ENTRY(change_inter_depth), ENTRY(ask_scaling_lists), ENTRY(ask_pcm), ENTRY(ask_422), ENTRY(ask_sign_hiding),
    ENTRY(ask_constrained_intra), ENTRY(ask_weights), ENTRY(ask_lossless), ENTRY(ask_tiles), ENTRY(ask_wavefronts),
    ENTRY(ask_dependent_slice), ENTRY(ask_temporal), ENTRY(shift_slice), ENTRY(lengthen_slice), ENTRY(shorten_slice),
    ENTRY(raise_qp_too_far), ENTRY(no_merge_candidates), ENTRY(uneven_width), ENTRY(deep_tree),
    ENTRY(large_transform), ENTRY(wrong_depth), ENTRY(far_beta),
};

bool hevc_change(
    const char *name, sequence_parameters *sequence, picture_parameters *picture, slice_parameters *slice) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (strcmp(changes[i].name, name)) continue;
        changes[i].apply(sequence, picture, slice);
        return true;
    }
    return false;
}
