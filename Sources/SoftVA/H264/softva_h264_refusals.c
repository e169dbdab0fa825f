// SPDX-License-Identifier: MIT
// What the structures may say.
#include "softva_h264.h"

/// Something that makes a picture impossible to code, where `is_broken`.
typedef struct {
    bool is_broken;
    const char *field, *message;
} rule;

/// Names the first broken rule; returns whether there is one.
static bool is_refused(const sv_job *job, const rule *rules, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!rules[i].is_broken) continue;
        job->violation(job->violation_context, rules[i].field, rules[i].message);
        return true;
    }
    return false;
}

#define COUNT(rules) (sizeof(rules) / sizeof *(rules))

static bool is_outside(int low, int value, int high) { return value < low || value > high; }

/// Tools that this coder does not have.
static bool asks_too_much(const sv_job *job) {
    const VAEncSequenceParameterBufferH264 *sequence = job->sequence;
    const VAEncPictureParameterBufferH264 *picture = job->picture;
    const rule rules[] = {
        {sequence->seq_fields.bits.chroma_format_idc != 1, "seq.chroma_format_idc", "only 4:2:0 is coded"},
        {sequence->bit_depth_luma_minus8 != 0, "seq.bit_depth_luma_minus8", "only 8 bits are coded"},
        {sequence->bit_depth_chroma_minus8 != 0, "seq.bit_depth_chroma_minus8", "only 8 bits are coded"},
        {!sequence->seq_fields.bits.frame_mbs_only_flag, "seq.frame_mbs_only_flag", "only frames are coded"},
        {sequence->seq_fields.bits.mb_adaptive_frame_field_flag, "seq.mb_adaptive_frame_field_flag",
            "only frames are coded"},
        {picture->CurrPic.flags & (VA_PICTURE_H264_TOP_FIELD | VA_PICTURE_H264_BOTTOM_FIELD), "picture.CurrPic.flags",
            "only frames are coded"},
        {sequence->seq_fields.bits.seq_scaling_matrix_present_flag, "seq.seq_scaling_matrix_present_flag",
            "scaling matrices are not coded"},
        {picture->pic_fields.bits.pic_scaling_matrix_present_flag, "picture.pic_scaling_matrix_present_flag",
            "scaling matrices are not coded"},
        {picture->pic_fields.bits.weighted_pred_flag, "picture.weighted_pred_flag",
            "weighted prediction is not coded"},
        {picture->pic_fields.bits.weighted_bipred_idc != 0, "picture.weighted_bipred_idc",
            "weighted prediction is not coded"},
    };
    return is_refused(job, rules, COUNT(rules));
}

static bool picture_is_out_of_range(const sv_job *job) {
    const VAEncSequenceParameterBufferH264 *sequence = job->sequence;
    const VAEncPictureParameterBufferH264 *picture = job->picture;
    const rule rules[] = {
        {!sequence->picture_width_in_mbs, "seq.picture_width_in_mbs", "0, expected 1 or more"},
        {!sequence->picture_height_in_mbs, "seq.picture_height_in_mbs", "0, expected 1 or more"},
        {sequence->seq_fields.bits.log2_max_frame_num_minus4 > 12, "seq.log2_max_frame_num_minus4",
            "expected 0...12"},
        {sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 > 12,
            "seq.log2_max_pic_order_cnt_lsb_minus4", "expected 0...12"},
        {picture->pic_init_qp > 51, "picture.pic_init_qp", "expected 0...51"},
        {is_outside(-12, picture->chroma_qp_index_offset, 12), "picture.chroma_qp_index_offset", "expected -12...12"},
        {is_outside(-12, picture->second_chroma_qp_index_offset, 12), "picture.second_chroma_qp_index_offset",
            "expected -12...12"},
        {picture->num_ref_idx_l0_active_minus1 > 31, "picture.num_ref_idx_l0_active_minus1", "expected 0...31"},
        {picture->num_ref_idx_l1_active_minus1 > 31, "picture.num_ref_idx_l1_active_minus1", "expected 0...31"},
        {job->qp > 51, "rate control", "the QP is above 51"},
    };
    return is_refused(job, rules, COUNT(rules));
}

static bool slice_is_out_of_range(const sv_job *job, const VAEncSliceParameterBufferH264 *slice) {
    const VAEncSequenceParameterBufferH264 *sequence = job->sequence;
    const VAEncPictureParameterBufferH264 *picture = job->picture;
    uint32_t count = (uint32_t)sequence->picture_width_in_mbs * sequence->picture_height_in_mbs;
    const rule rules[] = {
        {slice->slice_type > 9 || slice->slice_type % 5 > H264_SLICE_I, "slice.slice_type", "expected P, B or I"},
        {is_outside(0, picture->pic_init_qp + slice->slice_qp_delta, 51), "slice.slice_qp_delta",
            "the slice's QP is not within 0...51"},
        {slice->cabac_init_idc > 2, "slice.cabac_init_idc", "expected 0...2"},
        {slice->disable_deblocking_filter_idc > 2, "slice.disable_deblocking_filter_idc", "expected 0...2"},
        {is_outside(-6, slice->slice_alpha_c0_offset_div2, 6), "slice.slice_alpha_c0_offset_div2", "expected -6...6"},
        {is_outside(-6, slice->slice_beta_offset_div2, 6), "slice.slice_beta_offset_div2", "expected -6...6"},
        {slice->num_ref_idx_l0_active_minus1 > 31, "slice.num_ref_idx_l0_active_minus1", "expected 0...31"},
        {slice->num_ref_idx_l1_active_minus1 > 31, "slice.num_ref_idx_l1_active_minus1", "expected 0...31"},
        {slice->macroblock_address >= count, "slice.macroblock_address", "outside of the picture"},
        {!slice->num_macroblocks || slice->num_macroblocks > count - slice->macroblock_address,
            "slice.num_macroblocks", "the slice is empty or leaves the picture"},
    };
    return is_refused(job, rules, COUNT(rules));
}

/// Notes fields that contradict each other but can be coded; a decoder will not see what was meant.
static void note_contradictions(const sv_job *job, const VAEncSliceParameterBufferH264 *slice) {
    const VAEncPictureParameterBufferH264 *picture = job->picture;
    if (picture->pic_fields.bits.idr_pic_flag && slice->slice_type % 5 != H264_SLICE_I) {
        job->violation(job->violation_context, "slice.slice_type", "an IDR picture has I slices only");
    }
    if (!picture->pic_fields.bits.deblocking_filter_control_present_flag &&
        (slice->disable_deblocking_filter_idc || slice->slice_alpha_c0_offset_div2 || slice->slice_beta_offset_div2)) {
        job->violation(job->violation_context, "slice.disable_deblocking_filter_idc",
            "without deblocking_filter_control_present_flag it and the offsets have to be 0");
    }
}

int sv_h264_check(const sv_job *job) {
    // What iHD's vaEndPicture returns for a picture it cannot begin.
    if (asks_too_much(job)) return VA_STATUS_ERROR_ENCODING_ERROR;
    if (picture_is_out_of_range(job)) return VA_STATUS_ERROR_INVALID_PARAMETER;
    for (int i = 0; i < job->slice_count; i++) {
        if (slice_is_out_of_range(job, job->slices[i].params)) return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    const VAEncPictureParameterBufferH264 *picture = job->picture;
    if (picture->pic_fields.bits.idr_pic_flag && !picture->pic_fields.bits.reference_pic_flag) {
        job->violation(job->violation_context, "picture.reference_pic_flag", "an IDR picture is a reference");
    }
    for (int i = 0; i < job->slice_count; i++) note_contradictions(job, job->slices[i].params);
    return VA_STATUS_SUCCESS;
}
