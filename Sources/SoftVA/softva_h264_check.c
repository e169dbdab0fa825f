// SPDX-License-Identifier: MIT
// What the structures may say.
#include "softva_h264.h"

/// Tools that no frame encoder of this kind has. Real drivers refuse them with the sequence or the picture parameters.
static int check_tools(
    const VAEncSequenceParameterBufferH264 *sequence, const VAEncPictureParameterBufferH264 *picture) {
    if (sequence->seq_fields.bits.chroma_format_idc != 1) return VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
    if (sequence->bit_depth_luma_minus8 || sequence->bit_depth_chroma_minus8) {
        return VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
    }
    bool has_fields = !sequence->seq_fields.bits.frame_mbs_only_flag ||
                      sequence->seq_fields.bits.mb_adaptive_frame_field_flag ||
                      picture->CurrPic.flags & (VA_PICTURE_H264_TOP_FIELD | VA_PICTURE_H264_BOTTOM_FIELD);
    bool has_weights = picture->pic_fields.bits.weighted_pred_flag || picture->pic_fields.bits.weighted_bipred_idc;
    bool has_matrices = sequence->seq_fields.bits.seq_scaling_matrix_present_flag ||
                        picture->pic_fields.bits.pic_scaling_matrix_present_flag;
    return has_fields || has_weights || has_matrices ? VA_STATUS_ERROR_INVALID_PARAMETER : VA_STATUS_SUCCESS;
}

static bool is_within(int low, int value, int high) { return value >= low && value <= high; }

static bool slice_is_allowed(
    const VAEncPictureParameterBufferH264 *picture, const VAEncSliceParameterBufferH264 *slice, uint32_t count) {
    int type = slice->slice_type % 5, qp = picture->pic_init_qp + slice->slice_qp_delta;
    return slice->slice_type < 10 && type <= H264_SLICE_I && is_within(0, qp, 51) && slice->cabac_init_idc <= 2 &&
           slice->disable_deblocking_filter_idc <= 2 && is_within(-6, slice->slice_alpha_c0_offset_div2, 6) &&
           is_within(-6, slice->slice_beta_offset_div2, 6) && slice->num_ref_idx_l0_active_minus1 < 32 &&
           slice->num_ref_idx_l1_active_minus1 < 32 && slice->num_macroblocks > 0 &&
           slice->macroblock_address < count && slice->num_macroblocks <= count - slice->macroblock_address;
}

/// Notes fields that contradict each other but can be coded; a decoder will not see what was meant.
static void note_contradictions(
    const sv_job *job, const VAEncPictureParameterBufferH264 *picture, const VAEncSliceParameterBufferH264 *slice) {
    if (picture->pic_fields.bits.idr_pic_flag && slice->slice_type % 5 != H264_SLICE_I) {
        job->violation(job->violation_context, "slice.slice_type", "an IDR picture has I slices only");
    }
    if (!picture->pic_fields.bits.deblocking_filter_control_present_flag &&
        (slice->disable_deblocking_filter_idc || slice->slice_alpha_c0_offset_div2 || slice->slice_beta_offset_div2)) {
        job->violation(job->violation_context, "slice.disable_deblocking_filter_idc",
            "without deblocking_filter_control_present_flag it and the offsets have to be 0");
    }
}

int h264_check(const sv_job *job) {
    const VAEncSequenceParameterBufferH264 *sequence = job->sequence;
    const VAEncPictureParameterBufferH264 *picture = job->picture;
    int status = check_tools(sequence, picture);
    if (status != VA_STATUS_SUCCESS) return status;
    uint32_t count = (uint32_t)sequence->picture_width_in_mbs * sequence->picture_height_in_mbs;
    bool is_allowed = count > 0 && picture->pic_init_qp <= 51 && job->qp <= 51 &&
                      is_within(-12, picture->chroma_qp_index_offset, 12) &&
                      is_within(-12, picture->second_chroma_qp_index_offset, 12) &&
                      sequence->seq_fields.bits.log2_max_frame_num_minus4 <= 12 &&
                      sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 <= 12 &&
                      picture->num_ref_idx_l0_active_minus1 < 32 && picture->num_ref_idx_l1_active_minus1 < 32;
    for (int i = 0; is_allowed && i < job->slice_count; i++) {
        is_allowed = slice_is_allowed(picture, job->slices[i].params, count);
    }
    if (!is_allowed) return VA_STATUS_ERROR_INVALID_PARAMETER;
    if (picture->pic_fields.bits.idr_pic_flag && !picture->pic_fields.bits.reference_pic_flag) {
        job->violation(job->violation_context, "picture.reference_pic_flag", "an IDR picture is a reference");
    }
    for (int i = 0; i < job->slice_count; i++) note_contradictions(job, picture, job->slices[i].params);
    return VA_STATUS_SUCCESS;
}
