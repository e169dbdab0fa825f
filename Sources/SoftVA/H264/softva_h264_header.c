// SPDX-License-Identifier: MIT
// The slice header as the structures give it, 7.3.3, for applications that pack none.
#include <stdlib.h>

#include "softva_h264.h"

int sv_h264_active_references(const sv_h264_frame *frame, const VAEncSliceParameterBufferH264 *slice, int list) {
    int type = slice->slice_type % 5;
    if (type == H264_SLICE_I || (list && type != H264_SLICE_B)) return 0;
    if (slice->num_ref_idx_active_override_flag) {
        return 1 + (list ? slice->num_ref_idx_l1_active_minus1 : slice->num_ref_idx_l0_active_minus1);
    }
    return 1 + (list ? frame->picture->num_ref_idx_l1_active_minus1 : frame->picture->num_ref_idx_l0_active_minus1);
}

static bool is_long_term(const VAPictureH264 *picture) { return picture->flags & VA_PICTURE_H264_LONG_TERM_REFERENCE; }

static int maximum_frame_num(const sv_h264_frame *frame) {
    return 1 << (frame->sequence->seq_fields.bits.log2_max_frame_num_minus4 + 4);
}

/// PicNum of a short-term reference or LongTermPicNum, 8.2.4.1; all pictures are frames.
static int picture_number(const sv_h264_frame *frame, const VAPictureH264 *picture) {
    int number = (int)(picture->frame_idx % (uint32_t)maximum_frame_num(frame));
    if (is_long_term(picture) || number <= frame->picture->frame_num) return number;
    return number - maximum_frame_num(frame);
}

/// Whether `a` comes before `b` in the initial list, 8.2.4.2.1 and 8.2.4.2.3.
static bool comes_before(const sv_h264_frame *frame, int type, int list, const VAPictureH264 *a, const VAPictureH264 *b) {
    if (is_long_term(a) != is_long_term(b)) return is_long_term(b);
    if (is_long_term(a)) return a->frame_idx < b->frame_idx;
    if (type == H264_SLICE_P) return picture_number(frame, a) > picture_number(frame, b);
    // Nearest first; list 0 begins with the past, list 1 with the future.
    int now = frame->picture->CurrPic.TopFieldOrderCnt;
    bool a_past = a->TopFieldOrderCnt < now, b_past = b->TopFieldOrderCnt < now;
    if (a_past != b_past) return a_past == (list == 0);
    return a_past ? a->TopFieldOrderCnt > b->TopFieldOrderCnt : a->TopFieldOrderCnt < b->TopFieldOrderCnt;
}

/// Fills `out` with the initial list; returns its length.
static int initial_list(const sv_h264_frame *frame, int type, int list, const VAPictureH264 *out[16]) {
    int count = 0;
    for (int i = 0; i < 16; i++) {
        const VAPictureH264 *picture = &frame->picture->ReferenceFrames[i];
        if (picture->picture_id == VA_INVALID_SURFACE || picture->flags & VA_PICTURE_H264_INVALID) continue;
        int place = count++;
        for (; place > 0 && comes_before(frame, type, list, picture, out[place - 1]); place--) {
            out[place] = out[place - 1];
        }
        out[place] = picture;
    }
    return count;
}

static bool is_initial(const sv_h264_frame *frame, int type, int list, const VAPictureH264 *entries, int active) {
    const VAPictureH264 *initial[16], *other[16];
    int count = initial_list(frame, type, list, initial);
    if (list && count > 1) {
        bool is_same = true;
        initial_list(frame, type, 0, other);
        for (int i = 0; i < count; i++) is_same &= other[i] == initial[i];
        if (is_same) {
            const VAPictureH264 *first = initial[0];
            initial[0] = initial[1];
            initial[1] = first;
        }
    }
    for (int i = 0; i < active; i++) {
        if (i >= count || initial[i]->picture_id != entries[i].picture_id) return false;
    }
    return true;
}

/// ref_pic_list_modification() of one list: nothing if the initial list is the one wanted, else every entry.
static void write_modification(
    const sv_h264_frame *frame, int type, int list, const VAPictureH264 *entries, int active, sv_bits *bits) {
    bool is_modified = !is_initial(frame, type, list, entries, active);
    sv_bits_u(bits, 1, is_modified);
    if (!is_modified) return;
    int predicted = frame->picture->frame_num;
    for (int i = 0; i < active; i++) {
        int number = picture_number(frame, &entries[i]);
        if (is_long_term(&entries[i])) {
            sv_bits_ue(bits, 2);
            sv_bits_ue(bits, (uint32_t)number);
            continue;
        }
        // The same picture again is a whole turn away.
        int difference = number == predicted ? maximum_frame_num(frame) : abs(number - predicted);
        sv_bits_ue(bits, number > predicted);
        sv_bits_ue(bits, (uint32_t)(difference - 1));
        predicted = number;
    }
    sv_bits_ue(bits, 3);
}

static void write_order_count(const sv_h264_frame *frame, const VAEncSliceParameterBufferH264 *slice, sv_bits *bits) {
    const VAEncSequenceParameterBufferH264 *sequence = frame->sequence;
    bool has_bottom = frame->picture->pic_fields.bits.pic_order_present_flag;
    if (sequence->seq_fields.bits.pic_order_cnt_type == 0) {
        sv_bits_u(bits, sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 + 4, slice->pic_order_cnt_lsb);
        if (has_bottom) sv_bits_se(bits, slice->delta_pic_order_cnt_bottom);
    } else if (sequence->seq_fields.bits.pic_order_cnt_type == 1 &&
               !sequence->seq_fields.bits.delta_pic_order_always_zero_flag) {
        sv_bits_se(bits, slice->delta_pic_order_cnt[0]);
        if (has_bottom) sv_bits_se(bits, slice->delta_pic_order_cnt[1]);
    }
}

static void write_references(
    const sv_h264_frame *frame, const VAEncSliceParameterBufferH264 *slice, int type, sv_bits *bits) {
    int lists = type == H264_SLICE_I ? 0 : type == H264_SLICE_B ? 2 : 1;
    if (type == H264_SLICE_B) sv_bits_u(bits, 1, slice->direct_spatial_mv_pred_flag != 0);
    if (lists) {
        sv_bits_u(bits, 1, slice->num_ref_idx_active_override_flag != 0);
        if (slice->num_ref_idx_active_override_flag) {
            sv_bits_ue(bits, slice->num_ref_idx_l0_active_minus1);
            if (lists == 2) sv_bits_ue(bits, slice->num_ref_idx_l1_active_minus1);
        }
    }
    for (int list = 0; list < lists; list++) {
        write_modification(frame, type, list, list ? slice->RefPicList1 : slice->RefPicList0,
            sv_h264_active_references(frame, slice, list), bits);
    }
}

void sv_h264_write_slice_header(const sv_h264_frame *frame, const VAEncSliceParameterBufferH264 *slice, sv_bits *bits) {
    const VAEncPictureParameterBufferH264 *picture = frame->picture;
    unsigned type = slice->slice_type % 5, is_idr = picture->pic_fields.bits.idr_pic_flag;
    sv_bits_start_code(bits);
    sv_bits_u(bits, 1, 0);
    sv_bits_u(bits, 2, picture->pic_fields.bits.reference_pic_flag);
    sv_bits_u(bits, 5, is_idr ? 5 : 1);
    sv_bits_ue(bits, slice->macroblock_address);
    sv_bits_ue(bits, type);
    sv_bits_ue(bits, picture->pic_parameter_set_id);
    sv_bits_u(bits, frame->sequence->seq_fields.bits.log2_max_frame_num_minus4 + 4, picture->frame_num);
    if (is_idr) sv_bits_ue(bits, slice->idr_pic_id);
    write_order_count(frame, slice, bits);
    if (picture->pic_fields.bits.redundant_pic_cnt_present_flag) sv_bits_ue(bits, 0);
    write_references(frame, slice, (int)type, bits);
    if (picture->pic_fields.bits.reference_pic_flag) {
        sv_bits_u(bits, 1, 0);  // no_output_of_prior_pics_flag or adaptive_ref_pic_marking_mode_flag
        if (is_idr) sv_bits_u(bits, 1, 0);  // long_term_reference_flag
    }
    if (picture->pic_fields.bits.entropy_coding_mode_flag && type != H264_SLICE_I) {
        sv_bits_ue(bits, slice->cabac_init_idc);
    }
    sv_bits_se(bits, slice->slice_qp_delta);
    if (!picture->pic_fields.bits.deblocking_filter_control_present_flag) return;
    sv_bits_ue(bits, slice->disable_deblocking_filter_idc);
    if (slice->disable_deblocking_filter_idc == 1) return;
    sv_bits_se(bits, slice->slice_alpha_c0_offset_div2);
    sv_bits_se(bits, slice->slice_beta_offset_div2);
}
