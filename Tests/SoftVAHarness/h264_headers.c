// SPDX-License-Identifier: MIT
// The headers an application would pack, written from the standard's syntax tables.
#include <stdlib.h>

#include "h264_stream.h"

static void begin_unit(sv_bits *bits, unsigned importance, unsigned type) {
    sv_bits_start_code(bits);
    sv_bits_u(bits, 8, importance << 5 | type);
}

static void write_sps(
    const VAEncSequenceParameterBufferH264 *sequence, const h264_options *options, sv_bits *bits) {
    begin_unit(bits, 3, 7);
    sv_bits_u(bits, 8, (unsigned)options->profile);
    sv_bits_u(bits, 8, 0);
    sv_bits_u(bits, 8, sequence->level_idc);
    sv_bits_ue(bits, 0);
    if (options->profile == 100) {
        sv_bits_ue(bits, 1);
        sv_bits_ue(bits, 0);
        sv_bits_ue(bits, 0);
        sv_bits_u(bits, 2, 0);
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
    sv_bits_u(bits, 2, 3);  // frame_mbs_only_flag, direct_8x8_inference_flag
    sv_bits_u(bits, 1, 1);  // frame_cropping_flag
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, (unsigned)(sequence->picture_width_in_mbs * 16 - options->cropped_width) / 2);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, (unsigned)(sequence->picture_height_in_mbs * 16 - options->cropped_height) / 2);
    sv_bits_u(bits, 1, 1);  // vui_parameters_present_flag: only bitstream_restriction
    sv_bits_u(bits, 8, 0);
    sv_bits_u(bits, 1, 1);
    sv_bits_u(bits, 1, 1);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, 13);
    sv_bits_ue(bits, 11);
    unsigned reordered = options->uses_order_type_2 || !options->uses_b ? 0 : 2;
    sv_bits_ue(bits, reordered);
    sv_bits_ue(bits, sequence->max_num_ref_frames + reordered);
    sv_bits_trailing(bits);
}

void h264_write_parameter_sets(const VAEncSequenceParameterBufferH264 *sequence,
    const VAEncPictureParameterBufferH264 *picture, const h264_options *options, sv_bits *bits) {
    write_sps(sequence, options, bits);
    begin_unit(bits, 3, 8);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, 0);
    sv_bits_u(bits, 1, picture->pic_fields.bits.entropy_coding_mode_flag);
    sv_bits_u(bits, 1, picture->pic_fields.bits.pic_order_present_flag);
    sv_bits_ue(bits, 0);
    sv_bits_ue(bits, picture->num_ref_idx_l0_active_minus1);
    sv_bits_ue(bits, picture->num_ref_idx_l1_active_minus1);
    sv_bits_u(bits, 3, 0);  // no weighted prediction
    sv_bits_se(bits, picture->pic_init_qp - 26);
    sv_bits_se(bits, 0);
    sv_bits_se(bits, picture->chroma_qp_index_offset);
    sv_bits_u(bits, 1, picture->pic_fields.bits.deblocking_filter_control_present_flag);
    sv_bits_u(bits, 1, picture->pic_fields.bits.constrained_intra_pred_flag);
    sv_bits_u(bits, 1, picture->pic_fields.bits.redundant_pic_cnt_present_flag);
    if (options->profile == 100) {
        sv_bits_u(bits, 1, picture->pic_fields.bits.transform_8x8_mode_flag);
        sv_bits_u(bits, 1, 0);
        sv_bits_se(bits, picture->second_chroma_qp_index_offset);
    }
    sv_bits_trailing(bits);
}

/// Names every entry, whether or not the initial list has it in the same place, unless all are.
static void write_list(const VAEncSequenceParameterBufferH264 *sequence, unsigned frame_num, const VAPictureH264 *list,
    const VAPictureH264 *initial, int active, sv_bits *bits) {
    int period = 16 << sequence->seq_fields.bits.log2_max_frame_num_minus4, predicted = (int)frame_num;
    bool differs = false;
    for (int i = 0; i < active; i++) differs |= i >= 16 || list[i].picture_id != initial[i].picture_id;
    sv_bits_u(bits, 1, differs);
    for (int i = 0; i < active && differs; i++) {
        int back = predicted - (int)list[i].frame_idx;
        if (back <= 0) back += period;
        sv_bits_ue(bits, 0);
        sv_bits_ue(bits, (unsigned)back - 1);
        predicted = (int)list[i].frame_idx;
    }
    if (differs) sv_bits_ue(bits, 3);
}

void h264_write_packed_slice_header(const VAEncSequenceParameterBufferH264 *sequence,
    const VAEncPictureParameterBufferH264 *picture, const VAEncSliceParameterBufferH264 *slice,
    VAPictureH264 initial[2][16], sv_bits *bits) {
    bool is_idr = picture->pic_fields.bits.idr_pic_flag;
    int type = slice->slice_type;
    begin_unit(bits, picture->pic_fields.bits.reference_pic_flag, is_idr ? 5 : 1);
    sv_bits_ue(bits, slice->macroblock_address);
    sv_bits_ue(bits, (unsigned)type);
    sv_bits_ue(bits, 0);
    sv_bits_u(bits, sequence->seq_fields.bits.log2_max_frame_num_minus4 + 4, picture->frame_num);
    if (is_idr) sv_bits_ue(bits, slice->idr_pic_id);
    if (sequence->seq_fields.bits.pic_order_cnt_type == 0) {
        sv_bits_u(bits, sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 + 4, slice->pic_order_cnt_lsb);
        if (picture->pic_fields.bits.pic_order_present_flag) sv_bits_se(bits, slice->delta_pic_order_cnt_bottom);
    }
    if (picture->pic_fields.bits.redundant_pic_cnt_present_flag) sv_bits_ue(bits, 0);
    if (type == SLICE_B) sv_bits_u(bits, 1, slice->direct_spatial_mv_pred_flag);
    if (type != SLICE_I) {
        int counts[2] = {picture->num_ref_idx_l0_active_minus1 + 1, picture->num_ref_idx_l1_active_minus1 + 1};
        sv_bits_u(bits, 1, slice->num_ref_idx_active_override_flag);
        if (slice->num_ref_idx_active_override_flag) {
            counts[0] = slice->num_ref_idx_l0_active_minus1 + 1;
            counts[1] = slice->num_ref_idx_l1_active_minus1 + 1;
            sv_bits_ue(bits, slice->num_ref_idx_l0_active_minus1);
            if (type == SLICE_B) sv_bits_ue(bits, slice->num_ref_idx_l1_active_minus1);
        }
        write_list(sequence, picture->frame_num, slice->RefPicList0, initial[0], counts[0], bits);
        if (type == SLICE_B) {
            write_list(sequence, picture->frame_num, slice->RefPicList1, initial[1], counts[1], bits);
        }
    }
    if (picture->pic_fields.bits.reference_pic_flag) sv_bits_u(bits, is_idr ? 2 : 1, 0);
    if (picture->pic_fields.bits.entropy_coding_mode_flag && type != SLICE_I) sv_bits_ue(bits, slice->cabac_init_idc);
    sv_bits_se(bits, slice->slice_qp_delta);
    if (!picture->pic_fields.bits.deblocking_filter_control_present_flag) return;
    sv_bits_ue(bits, slice->disable_deblocking_filter_idc);
    if (slice->disable_deblocking_filter_idc == 1) return;
    sv_bits_se(bits, slice->slice_alpha_c0_offset_div2);
    sv_bits_se(bits, slice->slice_beta_offset_div2);
}
