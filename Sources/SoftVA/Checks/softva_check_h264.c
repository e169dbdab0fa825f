// SPDX-License-Identifier: MIT
// The rules for H.264's parameter buffers.
#include "softva_check.h"

#define REFUSE_UNLESS(good, ...) \
    if (!sv_require(good, __VA_ARGS__)) return false

static bool is_unused(const VAPictureH264 *picture) {
    return picture->picture_id == VA_INVALID_SURFACE || (picture->flags & VA_PICTURE_H264_INVALID);
}

static bool check_sequence(sv_work *work, const sv_caps *caps) {
    const VAEncSequenceParameterBufferH264 *sequence = &work->sequence.h264;
    // Table A-1.
    static const sv_level levels[] = {{9, 99},    {10, 99},   {11, 396},  {12, 396},   {13, 396},   {20, 396},   {21, 792},
                                      {22, 1620}, {30, 1620}, {31, 3600}, {32, 5120},  {40, 8192},  {41, 8192},  {42, 8704},
                                      {50, 22080}, {51, 36864}, {52, 36864}, {60, 139264}, {61, 139264}, {62, 139264},
                                      {0, 0}};
    sv_check_level(levels, sequence->level_idc, sequence->picture_width_in_mbs, sequence->picture_height_in_mbs,
                   "seq.level_idc");
    work->width = sequence->picture_width_in_mbs * 16;
    work->height = sequence->picture_height_in_mbs * 16;
    REFUSE_UNLESS(work->width >= 16 && work->width <= SV_MAX_SIDE, "seq.picture_width_in_mbs", "%u",
                  sequence->picture_width_in_mbs);
    REFUSE_UNLESS(work->height >= 16 && work->height <= SV_MAX_SIDE, "seq.picture_height_in_mbs", "%u",
                  sequence->picture_height_in_mbs);
    REFUSE_UNLESS(sequence->seq_fields.bits.chroma_format_idc == 1, "seq.chroma_format_idc", "%u, only 4:2:0 is coded",
                  sequence->seq_fields.bits.chroma_format_idc);
    REFUSE_UNLESS(sequence->seq_fields.bits.frame_mbs_only_flag, "seq.frame_mbs_only_flag", "fields are not coded");
    REFUSE_UNLESS(!sequence->seq_fields.bits.seq_scaling_matrix_present_flag, "seq.seq_scaling_matrix_present_flag",
                  "scaling matrices are not coded");
    REFUSE_UNLESS(sequence->bit_depth_luma_minus8 == 0, "seq.bit_depth_luma_minus8", "%u, only 8 bits are coded",
                  sequence->bit_depth_luma_minus8);
    REFUSE_UNLESS(sequence->bit_depth_chroma_minus8 == 0, "seq.bit_depth_chroma_minus8", "%u, only 8 bits are coded",
                  sequence->bit_depth_chroma_minus8);
    REFUSE_UNLESS(sequence->seq_fields.bits.log2_max_frame_num_minus4 <= 12, "seq.log2_max_frame_num_minus4", "over 12");
    REFUSE_UNLESS(sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 <= 12,
                  "seq.log2_max_pic_order_cnt_lsb_minus4", "over 12");
    REFUSE_UNLESS(sequence->seq_fields.bits.pic_order_cnt_type != 1, "seq.pic_order_cnt_type", "1 is not coded");
    sv_require(!sequence->seq_fields.bits.mb_adaptive_frame_field_flag, "seq.mb_adaptive_frame_field_flag",
               "set, and fields are not coded");
    sv_require(sequence->seq_parameter_set_id <= 31, "seq.seq_parameter_set_id", "%u is over 31",
               sequence->seq_parameter_set_id);
    sv_require(sequence->max_num_ref_frames <= 16, "seq.max_num_ref_frames", "%u is over 16",
               sequence->max_num_ref_frames);
    sv_require(sequence->ip_period <= 1 || caps->references >> 16, "seq.ip_period", "%u, and B pictures are not offered",
               sequence->ip_period);
    if (sequence->frame_cropping_flag) {
        uint64_t across = (uint64_t)sequence->frame_crop_left_offset + sequence->frame_crop_right_offset;
        uint64_t down = (uint64_t)sequence->frame_crop_top_offset + sequence->frame_crop_bottom_offset;
        REFUSE_UNLESS(across * 2 < (unsigned)work->width && down * 2 < (unsigned)work->height, "seq.frame_crop",
                      "leaves nothing");
        work->crop[0] = sequence->frame_crop_left_offset * 2;
        work->crop[1] = sequence->frame_crop_right_offset * 2;
        work->crop[2] = sequence->frame_crop_top_offset * 2;
        work->crop[3] = sequence->frame_crop_bottom_offset * 2;
    } else {
        sv_require(!sequence->frame_crop_left_offset && !sequence->frame_crop_right_offset &&
                       !sequence->frame_crop_top_offset && !sequence->frame_crop_bottom_offset,
                   "seq.frame_cropping_flag", "0, and there are offsets");
    }
    return true;
}

/// Checks one entry of the picture's references against what was encoded to its surface.
static void check_reference(sv_driver *driver, sv_work *work, int index, const VAPictureH264 *entry) {
    if (is_unused(entry)) return;
    sv_check_add_reference(driver, work, entry->picture_id);
    const sv_surface *surface = sv_object(driver, SV_SURFACE, entry->picture_id);
    sv_require(entry->flags & (VA_PICTURE_H264_SHORT_TERM_REFERENCE | VA_PICTURE_H264_LONG_TERM_REFERENCE),
               "picture.ReferenceFrames.flags", "entry %d is neither short-term nor long-term", index);
    const uint32_t kinds = VA_PICTURE_H264_SHORT_TERM_REFERENCE | VA_PICTURE_H264_LONG_TERM_REFERENCE;
    sv_require((entry->flags & ~kinds) == 0, "picture.ReferenceFrames.flags", "entry %d: %#x", index, entry->flags);
    if (!surface || !surface->reconstructed) return;
    sv_require(surface->used_for_reference, "picture.ReferenceFrames", "entry %d was not encoded as a reference", index);
    sv_require(entry->TopFieldOrderCnt == surface->poc, "picture.ReferenceFrames.TopFieldOrderCnt",
               "entry %d says %d, the surface holds the picture %d", index, entry->TopFieldOrderCnt, surface->poc);
    sv_require(entry->BottomFieldOrderCnt == entry->TopFieldOrderCnt, "picture.ReferenceFrames.BottomFieldOrderCnt",
               "entry %d: %d and %d differ", index, entry->BottomFieldOrderCnt, entry->TopFieldOrderCnt);
    bool long_term = entry->flags & VA_PICTURE_H264_LONG_TERM_REFERENCE;
    sv_require(long_term || entry->frame_idx == surface->frame_num, "picture.ReferenceFrames.frame_idx",
               "entry %d says %u, the surface's frame_num is %u", index, entry->frame_idx, surface->frame_num);
}

static bool check_picture(sv_driver *driver, sv_work *work, sv_checked *checked) {
    const VAEncSequenceParameterBufferH264 *sequence = &work->sequence.h264;
    const VAEncPictureParameterBufferH264 *picture = &work->picture.h264;
    bool idr = picture->pic_fields.bits.idr_pic_flag;
    for (int i = 0; i < 16; i++) check_reference(driver, work, i, &picture->ReferenceFrames[i]);
    sv_require(!idr || work->reference_count == 0, "picture.ReferenceFrames", "an IDR picture lists references");
    sv_require(work->reference_count <= (int)sequence->max_num_ref_frames, "picture.ReferenceFrames",
               "%d references, max_num_ref_frames is %u", work->reference_count, sequence->max_num_ref_frames);
    REFUSE_UNLESS(picture->pic_init_qp <= 51, "picture.pic_init_qp", "%u is over 51", picture->pic_init_qp);
    REFUSE_UNLESS(!picture->pic_fields.bits.weighted_pred_flag, "picture.weighted_pred_flag", "is not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.weighted_bipred_idc, "picture.weighted_bipred_idc", "is not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.redundant_pic_cnt_present_flag, "picture.redundant_pic_cnt_present_flag",
                  "is not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.pic_scaling_matrix_present_flag, "picture.pic_scaling_matrix_present_flag",
                  "is not coded");
    REFUSE_UNLESS(picture->chroma_qp_index_offset >= -12 && picture->chroma_qp_index_offset <= 12,
                  "picture.chroma_qp_index_offset", "%d", picture->chroma_qp_index_offset);
    REFUSE_UNLESS(picture->second_chroma_qp_index_offset >= -12 && picture->second_chroma_qp_index_offset <= 12,
                  "picture.second_chroma_qp_index_offset", "%d", picture->second_chroma_qp_index_offset);
    REFUSE_UNLESS(picture->num_ref_idx_l0_active_minus1 <= 15, "picture.num_ref_idx_l0_active_minus1", "over 15");
    REFUSE_UNLESS(picture->num_ref_idx_l1_active_minus1 <= 15, "picture.num_ref_idx_l1_active_minus1", "over 15");
    sv_require(picture->seq_parameter_set_id == sequence->seq_parameter_set_id, "picture.seq_parameter_set_id",
               "%u, the sequence's is %u", picture->seq_parameter_set_id, sequence->seq_parameter_set_id);
    sv_require(picture->frame_num < 1u << (sequence->seq_fields.bits.log2_max_frame_num_minus4 + 4),
               "picture.frame_num", "%u is over its maximum", picture->frame_num);
    sv_require(!idr || picture->frame_num == 0, "picture.frame_num", "%u in an IDR picture", picture->frame_num);
    sv_require(!idr || picture->pic_fields.bits.reference_pic_flag, "picture.reference_pic_flag",
               "an IDR picture is a reference");
    sv_require(picture->CurrPic.frame_idx == picture->frame_num, "picture.CurrPic.frame_idx", "%u, frame_num is %u",
               picture->CurrPic.frame_idx, picture->frame_num);
    sv_require(picture->CurrPic.BottomFieldOrderCnt == picture->CurrPic.TopFieldOrderCnt,
               "picture.CurrPic.BottomFieldOrderCnt", "%d and %d differ", picture->CurrPic.BottomFieldOrderCnt,
               picture->CurrPic.TopFieldOrderCnt);
    const uint32_t kinds = VA_PICTURE_H264_SHORT_TERM_REFERENCE | VA_PICTURE_H264_LONG_TERM_REFERENCE;
    sv_require((picture->CurrPic.flags & ~kinds) == 0,
               "picture.CurrPic.flags", "%#x", picture->CurrPic.flags);
    sv_require(picture->last_picture == 0, "picture.last_picture", "%#x, and no end of a sequence or stream is coded",
               picture->last_picture);
    sv_require(work->context->config->profile == VAProfileH264High || !picture->pic_fields.bits.transform_8x8_mode_flag,
               "picture.transform_8x8_mode_flag", "needs High profile");
    sv_require(work->context->config->profile != VAProfileH264ConstrainedBaseline ||
                   !picture->pic_fields.bits.entropy_coding_mode_flag,
               "picture.entropy_coding_mode_flag", "needs Main profile");
    work->poc = picture->CurrPic.TopFieldOrderCnt;
    *checked = (sv_checked){picture->CurrPic.picture_id, picture->coded_buf, 8,
                            picture->pic_fields.bits.reference_pic_flag != 0, idr, true, picture->frame_num,
                            (16u << sequence->seq_fields.bits.log2_max_frame_num_minus4) - 1};
    return true;
}

/// Checks the active part of a reference list.
static void check_list(sv_driver *driver, sv_work *work, const VAPictureH264 *list, int active, const char *field) {
    for (int i = 0; i < active; i++) {
        if (!sv_require(!is_unused(&list[i]), field, "entry %d is active and empty", i)) continue;
        sv_require(sv_check_is_reference(work, list[i].picture_id), field, "entry %d is not in ReferenceFrames", i);
        sv_check_add_reference(driver, work, list[i].picture_id);
        for (int j = 0; j < 16; j++) {
            const VAPictureH264 *entry = &work->picture.h264.ReferenceFrames[j];
            if (is_unused(entry) || entry->picture_id != list[i].picture_id) continue;
            sv_require(entry->TopFieldOrderCnt == list[i].TopFieldOrderCnt, field,
                       "entry %d says picture %d, ReferenceFrames %d", i, list[i].TopFieldOrderCnt,
                       entry->TopFieldOrderCnt);
            sv_require(entry->frame_idx == list[i].frame_idx, field, "entry %d says frame_idx %u, ReferenceFrames %u", i,
                       list[i].frame_idx, entry->frame_idx);
            sv_require(entry->BottomFieldOrderCnt == list[i].BottomFieldOrderCnt, field,
                       "entry %d says bottom field %d, ReferenceFrames %d", i, list[i].BottomFieldOrderCnt,
                       entry->BottomFieldOrderCnt);
            sv_require(entry->flags == list[i].flags, field, "entry %d says flags %#x, ReferenceFrames %#x", i,
                       list[i].flags, entry->flags);
        }
    }
    for (int i = active; i < 32; i++) {
        // An entry that is not active is ignored; one that is not empty has to be known all the same.
        sv_require(is_unused(&list[i]) || sv_check_is_reference(work, list[i].picture_id), field,
                   "entry %d is not in ReferenceFrames", i);
    }
}

static bool check_slice(sv_driver *driver, sv_work *work, int index, unsigned *next, sv_checked *checked) {
    const VAEncSequenceParameterBufferH264 *sequence = &work->sequence.h264;
    const VAEncPictureParameterBufferH264 *picture = &work->picture.h264;
    const VAEncSliceParameterBufferH264 *slice = &work->params[index].h264;
    const sv_caps *caps = work->context->config->caps;
    unsigned total = (unsigned)(work->width / 16) * (unsigned)(work->height / 16);
    unsigned type = slice->slice_type % 5;
    REFUSE_UNLESS(slice->slice_type <= 9 && type <= 2, "slice.slice_type", "%u", slice->slice_type);
    REFUSE_UNLESS(slice->macroblock_address == *next, "slice.macroblock_address", "%u, the slice begins at %u",
                  slice->macroblock_address, *next);
    REFUSE_UNLESS(slice->num_macroblocks > 0 && slice->num_macroblocks <= total - *next, "slice.num_macroblocks",
                  "%u, %u are left", slice->num_macroblocks, total - *next);
    *next += slice->num_macroblocks;
    sv_check_rows(caps, slice->num_macroblocks, sequence->picture_width_in_mbs, work->params[0].h264.num_macroblocks,
                  *next == total, "slice.num_macroblocks");
    sv_require(slice->macroblock_info == VA_INVALID_ID, "slice.macroblock_info", "is not supported");
    sv_require(slice->pic_parameter_set_id == picture->pic_parameter_set_id, "slice.pic_parameter_set_id",
               "%u, the picture's is %u", slice->pic_parameter_set_id, picture->pic_parameter_set_id);
    sv_require(type == 2 || !picture->pic_fields.bits.idr_pic_flag, "slice.slice_type", "%u in an IDR picture",
               slice->slice_type);
    sv_require(type != 1 || (caps->references >> 16 && work->context->config->profile !=
                                 VAProfileH264ConstrainedBaseline), "slice.slice_type", "B slices are not offered");
    if (sequence->seq_fields.bits.pic_order_cnt_type == 0) {
        uint32_t mask = (1u << (sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 + 4)) - 1;
        sv_require(slice->pic_order_cnt_lsb == ((uint32_t)picture->CurrPic.TopFieldOrderCnt & mask),
                   "slice.pic_order_cnt_lsb", "%u does not belong to picture %d", slice->pic_order_cnt_lsb,
                   picture->CurrPic.TopFieldOrderCnt);
    }
    sv_require(!slice->delta_pic_order_cnt_bottom, "slice.delta_pic_order_cnt_bottom", "%d, the fields' counts are equal",
               slice->delta_pic_order_cnt_bottom);
    sv_require(!slice->delta_pic_order_cnt[0] && !slice->delta_pic_order_cnt[1], "slice.delta_pic_order_cnt",
               "needs pic_order_cnt_type 1");
    const VAEncSliceParameterBufferH264 *first = &work->params[0].h264;
    sv_require(slice->idr_pic_id == first->idr_pic_id, "slice.idr_pic_id", "%u, the first slice's is %u",
               slice->idr_pic_id, first->idr_pic_id);
    int qp = picture->pic_init_qp + slice->slice_qp_delta;
    REFUSE_UNLESS(qp >= 0 && qp <= 51, "slice.slice_qp_delta", "%d, the QP is %d", slice->slice_qp_delta, qp);
    REFUSE_UNLESS(slice->cabac_init_idc <= 2, "slice.cabac_init_idc", "%u is over 2", slice->cabac_init_idc);
    REFUSE_UNLESS(slice->disable_deblocking_filter_idc <= 2, "slice.disable_deblocking_filter_idc", "%u is over 2",
                  slice->disable_deblocking_filter_idc);
    REFUSE_UNLESS(slice->slice_alpha_c0_offset_div2 >= -6 && slice->slice_alpha_c0_offset_div2 <= 6,
                  "slice.slice_alpha_c0_offset_div2", "%d", slice->slice_alpha_c0_offset_div2);
    REFUSE_UNLESS(slice->slice_beta_offset_div2 >= -6 && slice->slice_beta_offset_div2 <= 6,
                  "slice.slice_beta_offset_div2", "%d", slice->slice_beta_offset_div2);
    REFUSE_UNLESS(slice->num_ref_idx_l0_active_minus1 <= 15, "slice.num_ref_idx_l0_active_minus1", "over 15");
    REFUSE_UNLESS(slice->num_ref_idx_l1_active_minus1 <= 15, "slice.num_ref_idx_l1_active_minus1", "over 15");
    sv_require(slice->num_ref_idx_active_override_flag <= 1, "slice.num_ref_idx_active_override_flag", "%u",
               slice->num_ref_idx_active_override_flag);
    bool own = slice->num_ref_idx_active_override_flag;
    int l0 = type == 2 ? 0 : 1 + (own ? slice->num_ref_idx_l0_active_minus1 : picture->num_ref_idx_l0_active_minus1);
    int l1 = type != 1 ? 0 : 1 + (own ? slice->num_ref_idx_l1_active_minus1 : picture->num_ref_idx_l1_active_minus1);
    sv_require(l0 <= (int)(caps->references & 0xffff), "slice.num_ref_idx_l0_active_minus1", "%d references are active",
               l0);
    sv_require(l1 <= (int)(caps->references >> 16), "slice.num_ref_idx_l1_active_minus1", "%d references are active", l1);
    check_list(driver, work, slice->RefPicList0, l0, "slice.RefPicList0");
    check_list(driver, work, slice->RefPicList1, l1, "slice.RefPicList1");
    sv_require(type != 1 || slice->direct_spatial_mv_pred_flag, "slice.direct_spatial_mv_pred_flag",
               "0, only spatial prediction is coded");
    if (type != 2) checked->intra = false;
    return true;
}

bool sv_check_h264(sv_driver *driver, sv_work *work, sv_checked *checked) {
    if (!check_sequence(work, work->context->config->caps) || !check_picture(driver, work, checked)) return false;
    sv_require(work->slice_count <= (int)work->context->config->caps->slices, "slice", "%d slices, %u are offered",
               work->slice_count, work->context->config->caps->slices);
    sv_require(!work->max_slice_bytes || work->slice_count == 1, "max_slice_size", "divides %d slices, expected one",
               work->slice_count);
    unsigned next = 0;
    for (int i = 0; i < work->slice_count; i++) {
        if (!check_slice(driver, work, i, &next, checked)) return false;
    }
    unsigned total = (unsigned)(work->width / 16) * (unsigned)(work->height / 16);
    return sv_require(next == total, "slice.num_macroblocks", "%u of %u macroblocks are in slices", next, total);
}
