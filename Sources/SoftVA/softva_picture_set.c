// SPDX-License-Identifier: MIT
#include "softva_picture_set.h"

#include <stdlib.h>
#include <string.h>

#include "softva_bits.h"

#define CAPACITY 64

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

bool sv_add_picture_set(sv_work *work) {
    uint8_t *bytes = malloc(CAPACITY);
    if (!bytes) return false;
    sv_output out = {bytes, 0, CAPACITY, false};
    sv_bits bits;
    sv_bits_begin(&bits, &out);
    sv_bits_start_code(&bits);
    if (work->codec == SV_HEVC) {
        write_hevc(&bits, work);
    } else {
        write_h264(&bits, &work->picture.h264);
    }
    sv_bits_trailing(&bits);
    if (!sv_work_add_unit(work, bytes, out.count, VAEncPackedHeaderPicture)) return false;
    work->units_taken++;
    return true;
}
