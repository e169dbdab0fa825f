// SPDX-License-Identifier: MIT
// What an application can get wrong, one field at a time.
#include "h264_stream.h"

void h264_spoil_header(const h264_encoder *encoder, VAEncPictureParameterBufferH264 *picture,
    VAEncSliceParameterBufferH264 *slice) {
    bool is_idr = picture->pic_fields.bits.idr_pic_flag;
    if (encoder->options.fault == H264_FAULT_FRAME_NUM && !is_idr) {
        int period = 16 << encoder->sequence.seq_fields.bits.log2_max_frame_num_minus4;
        picture->frame_num = (uint16_t)((picture->frame_num + 2) % period);
    }
    if (encoder->options.fault == H264_FAULT_ORDER_COUNT && !is_idr && slice->slice_type != SLICE_B) {
        int period = 16 << encoder->sequence.seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4;
        slice->pic_order_cnt_lsb = (uint16_t)((slice->pic_order_cnt_lsb + period - 5) % period);
    }
}

/// Replaces the first reference by another one.
static void spoil_reference(const h264_encoder *encoder, VAPictureH264 *entry) {
    for (int i = 0; i < encoder->reference_count; i++) {
        VAPictureH264 other = h264_entry(encoder, encoder->references[i]);
        if (other.picture_id == entry->picture_id) continue;
        *entry = other;
        return;
    }
}

void h264_spoil_structures(const h264_encoder *encoder, VAEncSequenceParameterBufferH264 *sequence,
    VAEncPictureParameterBufferH264 *picture, VAEncSliceParameterBufferH264 *slice) {
    bool is_inter = slice->slice_type != SLICE_I;
    switch (encoder->options.fault) {
    case H264_FAULT_REFERENCE:
        if (is_inter) spoil_reference(encoder, &slice->RefPicList0[0]);
        break;
    case H264_FAULT_REFERENCE_COUNT:
        if (!is_inter) break;
        if (!slice->num_ref_idx_active_override_flag) {
            slice->num_ref_idx_l0_active_minus1 = picture->num_ref_idx_l0_active_minus1;
            slice->num_ref_idx_l1_active_minus1 = picture->num_ref_idx_l1_active_minus1;
        }
        slice->num_ref_idx_active_override_flag = 1;
        slice->RefPicList0[++slice->num_ref_idx_l0_active_minus1] = slice->RefPicList0[0];
        break;
    case H264_FAULT_SLICE_TYPE:
        if (slice->slice_type == SLICE_P) slice->slice_type = SLICE_I;
        break;
    case H264_FAULT_SLICE_QP:
        slice->slice_qp_delta += (int8_t)(picture->pic_init_qp + slice->slice_qp_delta < 51 ? 1 : -1);
        break;
    case H264_FAULT_CABAC_INIT: slice->cabac_init_idc = (uint8_t)((slice->cabac_init_idc + 1) % 3); break;
    case H264_FAULT_DEBLOCKING:
        slice->disable_deblocking_filter_idc = slice->disable_deblocking_filter_idc == 1 ? 0 : 1;
        break;
    case H264_FAULT_DEBLOCKING_OFFSET:
        slice->slice_alpha_c0_offset_div2 = slice->slice_beta_offset_div2 =
            (int8_t)(slice->slice_alpha_c0_offset_div2 > 0 ? -6 : 6);
        break;
    case H264_FAULT_ENTROPY_CODING: picture->pic_fields.bits.entropy_coding_mode_flag ^= 1; break;
    case H264_FAULT_CHROMA_QP:
        picture->chroma_qp_index_offset += (int8_t)(picture->chroma_qp_index_offset > 0 ? -6 : 6);
        break;
    case H264_FAULT_CONSTRAINED_INTRA: picture->pic_fields.bits.constrained_intra_pred_flag ^= 1; break;
    case H264_FAULT_TRANSFORM_SIZE: picture->pic_fields.bits.transform_8x8_mode_flag ^= 1; break;
    case H264_FAULT_UNWRITTEN:
        if (is_inter) slice->RefPicList0[0].picture_id = H264_SURFACES;
        break;
    case H264_ASK_422: sequence->seq_fields.bits.chroma_format_idc = 2; break;
    case H264_ASK_10_BITS: sequence->bit_depth_luma_minus8 = sequence->bit_depth_chroma_minus8 = 2; break;
    case H264_ASK_FIELDS: sequence->seq_fields.bits.frame_mbs_only_flag = 0; break;
    case H264_ASK_WEIGHTS: picture->pic_fields.bits.weighted_bipred_idc = 2; break;
    case H264_ASK_SCALING_MATRIX: picture->pic_fields.bits.pic_scaling_matrix_present_flag = 1; break;
    default: break;
    }
}
