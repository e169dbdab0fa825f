// SPDX-License-Identifier: MIT
// H.264's slice header, 7.3.3, compared with the structures.
#include "softva_nal.h"

static void read_modification(sv_reader *reader, const char *field) {
    if (!sv_read_u(reader, 1)) return;
    unsigned operation = 0;
    for (int i = 0; i < 34 && operation != 3 && !reader->overrun; i++) {
        operation = sv_read_ue(reader);
        if (operation > 3) sv_violation(field, "modification_of_pic_nums_idc %u", operation);
        if (operation < 3) sv_read_ue(reader);
    }
    if (operation != 3) sv_violation(field, "its modifications have no end");
}

static void read_marking(sv_reader *reader, const VAEncPictureParameterBufferH264 *picture) {
    if (picture->pic_fields.bits.idr_pic_flag) {
        sv_read_u(reader, 1);  // no_output_of_prior_pics_flag
        bool long_term = picture->CurrPic.flags & VA_PICTURE_H264_LONG_TERM_REFERENCE;
        sv_expect("picture.CurrPic.flags (long term)", sv_read_u(reader, 1), long_term);
        return;
    }
    if (!sv_read_u(reader, 1)) return;
    unsigned operation = 1;
    for (int i = 0; i < 66 && operation != 0 && !reader->overrun; i++) {
        operation = sv_read_ue(reader);
        if (operation > 6) sv_violation("slice.memory_management_control_operation", "%u", operation);
        if (operation == 1 || operation == 2 || operation == 3 || operation == 4 || operation == 6) sv_read_ue(reader);
        if (operation == 3) sv_read_ue(reader);
    }
}

static void compare_counts(const sv_work *work, int index, sv_reader *reader, unsigned type) {
    const VAEncPictureParameterBufferH264 *picture = &work->picture.h264;
    const VAEncSliceParameterBufferH264 *slice = &work->params[index].h264;
    bool structure_own = slice->num_ref_idx_active_override_flag;
    unsigned active[2] = {picture->num_ref_idx_l0_active_minus1, picture->num_ref_idx_l1_active_minus1};
    if (sv_read_u(reader, 1)) {
        active[0] = sv_read_ue(reader);
        if (type == 1) active[1] = sv_read_ue(reader);
    }
    sv_expect("slice.num_ref_idx_l0_active_minus1", active[0],
              structure_own ? slice->num_ref_idx_l0_active_minus1 : picture->num_ref_idx_l0_active_minus1);
    if (type == 1) {
        sv_expect("slice.num_ref_idx_l1_active_minus1", active[1],
                  structure_own ? slice->num_ref_idx_l1_active_minus1 : picture->num_ref_idx_l1_active_minus1);
    }
}

static void compare_filter(const VAEncSliceParameterBufferH264 *slice, sv_reader *reader, bool present) {
    unsigned idc = present ? sv_read_ue(reader) : 0;
    sv_expect("slice.disable_deblocking_filter_idc", idc, slice->disable_deblocking_filter_idc);
    if (idc == 1) return;
    sv_expect("slice.slice_alpha_c0_offset_div2", present ? sv_read_se(reader) : 0, slice->slice_alpha_c0_offset_div2);
    sv_expect("slice.slice_beta_offset_div2", present ? sv_read_se(reader) : 0, slice->slice_beta_offset_div2);
}

void sv_h264_compare_slice(sv_work *work, int index, sv_reader *reader) {
    const VAEncSequenceParameterBufferH264 *sequence = &work->sequence.h264;
    const VAEncPictureParameterBufferH264 *picture = &work->picture.h264;
    const VAEncSliceParameterBufferH264 *slice = &work->params[index].h264;
    bool idr = picture->pic_fields.bits.idr_pic_flag;
    sv_expect_only("nal.forbidden_zero_bit", sv_read_u(reader, 1), 0);
    bool reference = sv_read_u(reader, 2) != 0;
    sv_expect("picture.reference_pic_flag", reference, picture->pic_fields.bits.reference_pic_flag != 0);
    sv_expect("picture.idr_pic_flag (NAL unit type)", sv_read_u(reader, 5), idr ? 5 : 1);
    sv_expect("slice.macroblock_address", sv_read_ue(reader), slice->macroblock_address);
    unsigned type = slice->slice_type % 5;
    sv_expect("slice.slice_type", sv_read_ue(reader) % 5, type);
    sv_expect("slice.pic_parameter_set_id", sv_read_ue(reader), slice->pic_parameter_set_id);
    sv_expect("picture.frame_num", sv_read_u(reader, sequence->seq_fields.bits.log2_max_frame_num_minus4 + 4),
              picture->frame_num);
    if (idr) sv_expect("slice.idr_pic_id", sv_read_ue(reader), slice->idr_pic_id);
    if (sequence->seq_fields.bits.pic_order_cnt_type == 0) {
        unsigned bits = sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 + 4;
        sv_expect("slice.pic_order_cnt_lsb", sv_read_u(reader, bits), slice->pic_order_cnt_lsb);
        if (picture->pic_fields.bits.pic_order_present_flag) {
            sv_expect("slice.delta_pic_order_cnt_bottom", sv_read_se(reader), slice->delta_pic_order_cnt_bottom);
        }
    }
    if (type == 1) {
        sv_expect("slice.direct_spatial_mv_pred_flag", sv_read_u(reader, 1), slice->direct_spatial_mv_pred_flag);
    }
    if (type != 2) compare_counts(work, index, reader, type);
    if (type != 2) read_modification(reader, "slice.RefPicList0");
    if (type == 1) read_modification(reader, "slice.RefPicList1");
    if (reference) read_marking(reader, picture);
    if (picture->pic_fields.bits.entropy_coding_mode_flag && type != 2) {
        sv_expect("slice.cabac_init_idc", sv_read_ue(reader), slice->cabac_init_idc);
    }
    sv_expect("slice.slice_qp_delta", sv_read_se(reader), slice->slice_qp_delta);
    compare_filter(slice, reader, picture->pic_fields.bits.deblocking_filter_control_present_flag);
    // cabac_alignment_one_bit may be the application's or the driver's.
    bool cabac = picture->pic_fields.bits.entropy_coding_mode_flag;
    size_t end = cabac && reader->bits > reader->position ? (reader->position + 7) / 8 * 8 : reader->position;
    sv_expect("packed.bit_length (slice header)", (int64_t)reader->bits, (int64_t)end);
    while (reader->position < end && !reader->overrun) {
        if (!sv_read_u(reader, 1)) sv_violation("slice.cabac_alignment_one_bit", "0");
    }
}
