// SPDX-License-Identifier: MIT
#include "softva_take_over.h"

#include <string.h>

#include "softva_nal.h"
#include "softva_picture_set.h"

// Counts have five bits in H.264.
enum { MIDDLE_QP = 26, COUNT_MASK = 31, COUNT_BITS_MINUS4 = 1 };

static void take_over_h264(sv_work *work) {
    VAEncSequenceParameterBufferH264 *sequence = &work->sequence.h264;
    VAEncPictureParameterBufferH264 *picture = &work->picture.h264;
    sequence->seq_parameter_set_id = 0;
    sequence->seq_fields.bits.log2_max_frame_num_minus4 = COUNT_BITS_MINUS4;
    sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 =
        sequence->seq_fields.bits.pic_order_cnt_type == 0 ? COUNT_BITS_MINUS4 : 0;
    sequence->seq_fields.bits.direct_8x8_inference_flag = 1;
    if (sequence->vui_parameters_present_flag) {
        sequence->vui_fields.bits.fixed_frame_rate_flag = 0;
        sequence->vui_fields.bits.bitstream_restriction_flag = 1;
        sequence->vui_fields.bits.motion_vectors_over_pic_boundaries_flag = 1;
        sequence->vui_fields.bits.log2_max_mv_length_horizontal = 16;
        sequence->vui_fields.bits.log2_max_mv_length_vertical = 16;
    }
    picture->pic_parameter_set_id = picture->seq_parameter_set_id = 0;
    picture->frame_num &= COUNT_MASK;
    picture->num_ref_idx_l0_active_minus1 = picture->num_ref_idx_l1_active_minus1 = 0;
    picture->second_chroma_qp_index_offset = picture->chroma_qp_index_offset;
    picture->pic_fields.bits.constrained_intra_pred_flag = 0;
    picture->pic_fields.bits.transform_8x8_mode_flag = 0;
    for (int i = 0; i < work->slice_count; i++) {
        VAEncSliceParameterBufferH264 *slice = &work->params[i].h264;
        slice->pic_parameter_set_id = 0;
        slice->pic_order_cnt_lsb = (uint16_t)(picture->CurrPic.TopFieldOrderCnt & COUNT_MASK);
        slice->slice_qp_delta = (int8_t)(picture->pic_init_qp - MIDDLE_QP);
    }
    picture->pic_init_qp = MIDDLE_QP;
}

static void take_over_hevc(sv_work *work) {
    VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    picture->slice_pic_parameter_set_id = 0;
    picture->pic_fields.bits.cu_qp_delta_enabled_flag = !(work->context->config->rate_control & VA_RC_CQP);
    picture->diff_cu_qp_delta_depth = 0;
    picture->num_ref_idx_l0_default_active_minus1 = picture->num_ref_idx_l1_default_active_minus1 = 0;
    picture->pic_fields.bits.pps_loop_filter_across_slices_enabled_flag =
        work->params[0].hevc.slice_fields.bits.slice_loop_filter_across_slices_enabled_flag;
    for (int i = 0; i < work->slice_count; i++) {
        VAEncSliceParameterBufferHEVC *slice = &work->params[i].hevc;
        slice->slice_pic_parameter_set_id = 0;
        slice->slice_qp_delta = (int8_t)(picture->pic_init_qp - MIDDLE_QP);
    }
    picture->pic_init_qp = MIDDLE_QP;
}

bool sv_take_over(sv_work *work, bool idr) {
    unsigned crop[4] = {0};
    if (work->codec == SV_HEVC) {
        // Who packs no SPS shows the padding.
        memcpy(crop, work->context->headers->hevc.crop, sizeof crop);
        take_over_hevc(work);
    } else {
        take_over_h264(work);
    }
    return sv_add_own_headers(work, idr, crop);
}
