// SPDX-License-Identifier: MIT
// The rules for HEVC's parameter buffers.
#include "softva_check.h"

#define REFUSE_UNLESS(good, ...) \
    if (!sv_require(good, __VA_ARGS__)) return false
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static bool is_unused(const VAPictureHEVC *picture) {
    return picture->picture_id == VA_INVALID_SURFACE || (picture->flags & VA_PICTURE_HEVC_INVALID);
}

/// Reports a tool that is used and not offered, or required and not used.
static void check_tool(uint32_t features, unsigned shift, bool used, const char *field) {
    uint32_t offer = features >> shift & 3;
    sv_require(!used || offer != VA_FEATURE_NOT_SUPPORTED, field, "1, and the driver does not offer it");
    sv_require(used || offer != VA_FEATURE_REQUIRED, field, "0, and the driver requires it");
}

static bool check_blocks(const sv_work *work) {
    const VAEncSequenceParameterBufferHEVC *sequence = &work->sequence.hevc;
    uint32_t offer = work->context->config->caps->hevc_blocks;
    unsigned min_coding = sequence->log2_min_luma_coding_block_size_minus3 + 3u;
    unsigned tree = min_coding + sequence->log2_diff_max_min_luma_coding_block_size;
    unsigned min_transform = sequence->log2_min_transform_block_size_minus2 + 2u;
    unsigned max_transform = min_transform + sequence->log2_diff_max_min_transform_block_size;
    REFUSE_UNLESS(min_coding <= 6, "seq.log2_min_luma_coding_block_size_minus3", "over 3");
    REFUSE_UNLESS(tree >= 4 && tree <= 6, "seq.log2_diff_max_min_luma_coding_block_size", "tree blocks of 2^%u", tree);
    REFUSE_UNLESS(min_transform < min_coding, "seq.log2_min_transform_block_size_minus2", "%u, coding blocks are 2^%u",
                  sequence->log2_min_transform_block_size_minus2, min_coding);
    REFUSE_UNLESS(max_transform <= MIN(tree, 5), "seq.log2_diff_max_min_transform_block_size", "transforms of 2^%u",
                  max_transform);
    REFUSE_UNLESS(sequence->max_transform_hierarchy_depth_inter <= tree - min_transform,
                  "seq.max_transform_hierarchy_depth_inter", "%u", sequence->max_transform_hierarchy_depth_inter);
    REFUSE_UNLESS(sequence->max_transform_hierarchy_depth_intra <= tree - min_transform,
                  "seq.max_transform_hierarchy_depth_intra", "%u", sequence->max_transform_hierarchy_depth_intra);
    sv_require(tree <= (offer & 3) + 3 && tree >= (offer >> 2 & 3) + 3, "seq.log2_diff_max_min_luma_coding_block_size",
               "tree blocks of 2^%u are not offered", tree);
    sv_require(min_coding >= (offer >> 4 & 3) + 3, "seq.log2_min_luma_coding_block_size_minus3",
               "coding blocks of 2^%u are not offered", min_coding);
    sv_require(sequence->max_transform_hierarchy_depth_inter <= (offer >> 10 & 3),
               "seq.max_transform_hierarchy_depth_inter", "%u is not offered",
               sequence->max_transform_hierarchy_depth_inter);
    sv_require(sequence->max_transform_hierarchy_depth_intra <= (offer >> 14 & 3),
               "seq.max_transform_hierarchy_depth_intra", "%u is not offered",
               sequence->max_transform_hierarchy_depth_intra);
    unsigned unit = 1u << min_coding;
    REFUSE_UNLESS(work->width % (int)unit == 0, "seq.pic_width_in_luma_samples", "%d is no multiple of %u", work->width,
                  unit);
    REFUSE_UNLESS(work->height % (int)unit == 0, "seq.pic_height_in_luma_samples", "%d is no multiple of %u",
                  work->height, unit);
    return true;
}

static bool check_sequence(sv_work *work, sv_checked *checked) {
    const VAEncSequenceParameterBufferHEVC *sequence = &work->sequence.hevc;
    bool main10 = work->context->config->profile == VAProfileHEVCMain10;
    work->width = sequence->pic_width_in_luma_samples;
    work->height = sequence->pic_height_in_luma_samples;
    REFUSE_UNLESS(work->width >= 16 && work->width <= SV_MAX_SIDE, "seq.pic_width_in_luma_samples", "%d", work->width);
    REFUSE_UNLESS(work->height >= 16 && work->height <= SV_MAX_SIDE, "seq.pic_height_in_luma_samples", "%d",
                  work->height);
    if (!check_blocks(work)) return false;
    REFUSE_UNLESS(sequence->seq_fields.bits.chroma_format_idc == 1, "seq.chroma_format_idc", "only 4:2:0 is coded");
    REFUSE_UNLESS(!sequence->seq_fields.bits.separate_colour_plane_flag, "seq.separate_colour_plane_flag", "not coded");
    REFUSE_UNLESS(!sequence->seq_fields.bits.scaling_list_enabled_flag, "seq.scaling_list_enabled_flag", "not coded");
    REFUSE_UNLESS(!sequence->seq_fields.bits.pcm_enabled_flag, "seq.pcm_enabled_flag", "not coded");
    REFUSE_UNLESS(!sequence->scc_fields.bits.palette_mode_enabled_flag, "seq.palette_mode_enabled_flag", "not coded");
    unsigned depth = sequence->seq_fields.bits.bit_depth_luma_minus8 + 8;
    REFUSE_UNLESS(depth == 8 || (depth == 10 && main10), "seq.bit_depth_luma_minus8", "%u bits", depth);
    REFUSE_UNLESS(sequence->seq_fields.bits.bit_depth_chroma_minus8 + 8u == depth, "seq.bit_depth_chroma_minus8",
                  "%u bits, luma has %u", sequence->seq_fields.bits.bit_depth_chroma_minus8 + 8u, depth);
    checked->bit_depth = (int)depth;
    sv_require(sequence->general_profile_idc == (main10 ? 2 : 1), "seq.general_profile_idc", "%u is not the profile's",
               sequence->general_profile_idc);
    sv_require(sequence->general_tier_flag <= 1, "seq.general_tier_flag", "%u", sequence->general_tier_flag);
    // Table A.8.
    static const sv_level levels[] = {{30, 36864},    {60, 122880},   {63, 245760},   {90, 552960},   {93, 983040},
                                      {120, 2228224}, {123, 2228224}, {150, 8912896}, {153, 8912896}, {156, 8912896},
                                      {180, 35651584}, {183, 35651584}, {186, 35651584}, {0, 0}};
    sv_check_level(levels, sequence->general_level_idc, (unsigned)work->width, (unsigned)work->height,
                   "seq.general_level_idc");
    uint32_t features = work->context->config->caps->hevc_features;
    check_tool(features, 4, sequence->seq_fields.bits.amp_enabled_flag, "seq.amp_enabled_flag");
    check_tool(features, 6, sequence->seq_fields.bits.sample_adaptive_offset_enabled_flag,
               "seq.sample_adaptive_offset_enabled_flag");
    check_tool(features, 10, sequence->seq_fields.bits.sps_temporal_mvp_enabled_flag,
               "seq.sps_temporal_mvp_enabled_flag");
    check_tool(features, 12, sequence->seq_fields.bits.strong_intra_smoothing_enabled_flag,
               "seq.strong_intra_smoothing_enabled_flag");
    return true;
}

static void check_reference(sv_driver *driver, sv_work *work, int index, const VAPictureHEVC *entry) {
    if (is_unused(entry)) return;
    sv_check_add_reference(driver, work, entry->picture_id);
    const sv_surface *surface = sv_object(driver, SV_SURFACE, entry->picture_id);
    if (!surface || !surface->reconstructed) return;
    sv_require(surface->used_for_reference, "picture.reference_frames", "entry %d was not encoded as a reference", index);
    sv_require(entry->pic_order_cnt == surface->poc, "picture.reference_frames.pic_order_cnt",
               "entry %d says %d, the surface holds the picture %d", index, entry->pic_order_cnt, surface->poc);
    int current = work->picture.hevc.decoded_curr_pic.pic_order_cnt;
    uint32_t side = entry->pic_order_cnt < current ? VA_PICTURE_HEVC_RPS_ST_CURR_BEFORE : VA_PICTURE_HEVC_RPS_ST_CURR_AFTER;
    sv_require((entry->flags & ~side) == 0, "picture.reference_frames.flags", "entry %d: %#x", index, entry->flags);
}

static bool check_tools(const sv_work *work) {
    const VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    uint32_t features = work->context->config->caps->hevc_features;
    REFUSE_UNLESS(!picture->pic_fields.bits.weighted_pred_flag, "picture.weighted_pred_flag", "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.weighted_bipred_flag, "picture.weighted_bipred_flag", "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.transquant_bypass_enabled_flag, "picture.transquant_bypass_enabled_flag",
                  "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.tiles_enabled_flag, "picture.tiles_enabled_flag", "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.entropy_coding_sync_enabled_flag, "picture.entropy_coding_sync_enabled_flag",
                  "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.dependent_slice_segments_enabled_flag,
                  "picture.dependent_slice_segments_enabled_flag", "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.sign_data_hiding_enabled_flag, "picture.sign_data_hiding_enabled_flag",
                  "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.scaling_list_data_present_flag, "picture.scaling_list_data_present_flag",
                  "not coded");
    REFUSE_UNLESS(!picture->pic_fields.bits.constrained_intra_pred_flag, "picture.constrained_intra_pred_flag",
                  "not coded");
    REFUSE_UNLESS(!picture->scc_fields.bits.pps_curr_pic_ref_enabled_flag, "picture.pps_curr_pic_ref_enabled_flag",
                  "not coded");
    check_tool(features, 20, picture->pic_fields.bits.transform_skip_enabled_flag,
               "picture.transform_skip_enabled_flag");
    check_tool(features, 22, picture->pic_fields.bits.cu_qp_delta_enabled_flag, "picture.cu_qp_delta_enabled_flag");
    return true;
}

static bool check_picture(sv_driver *driver, sv_work *work, sv_checked *checked) {
    const VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    const VAEncSequenceParameterBufferHEVC *sequence = &work->sequence.hevc;
    bool idr = picture->pic_fields.bits.idr_pic_flag;
    for (int i = 0; i < 15; i++) check_reference(driver, work, i, &picture->reference_frames[i]);
    if (!check_tools(work)) return false;
    int lowest = -6 * (checked->bit_depth - 8);
    REFUSE_UNLESS(picture->pic_init_qp <= 51, "picture.pic_init_qp", "%u is over 51 (from %d)", picture->pic_init_qp,
                  lowest);
    REFUSE_UNLESS(picture->diff_cu_qp_delta_depth <= sequence->log2_diff_max_min_luma_coding_block_size,
                  "picture.diff_cu_qp_delta_depth", "%u", picture->diff_cu_qp_delta_depth);
    sv_require(picture->pic_fields.bits.cu_qp_delta_enabled_flag || picture->diff_cu_qp_delta_depth == 0,
               "picture.diff_cu_qp_delta_depth", "%u without cu_qp_delta_enabled_flag", picture->diff_cu_qp_delta_depth);
    sv_require(!driver->personality->deepest_deltas || !picture->pic_fields.bits.cu_qp_delta_enabled_flag ||
                   picture->diff_cu_qp_delta_depth == sequence->log2_diff_max_min_luma_coding_block_size,
               "picture.diff_cu_qp_delta_depth", "%u with trees of 64: VDEnc changes quantizers at depth %u",
               picture->diff_cu_qp_delta_depth, sequence->log2_diff_max_min_luma_coding_block_size);
    REFUSE_UNLESS(picture->pps_cb_qp_offset >= -12 && picture->pps_cb_qp_offset <= 12, "picture.pps_cb_qp_offset", "%d",
                  picture->pps_cb_qp_offset);
    REFUSE_UNLESS(picture->pps_cr_qp_offset >= -12 && picture->pps_cr_qp_offset <= 12, "picture.pps_cr_qp_offset", "%d",
                  picture->pps_cr_qp_offset);
    unsigned tree = sequence->log2_min_luma_coding_block_size_minus3 + 3u +
                    sequence->log2_diff_max_min_luma_coding_block_size;
    REFUSE_UNLESS(picture->log2_parallel_merge_level_minus2 + 2u <= tree, "picture.log2_parallel_merge_level_minus2",
                  "%u", picture->log2_parallel_merge_level_minus2);
    REFUSE_UNLESS(picture->num_ref_idx_l0_default_active_minus1 <= 14, "picture.num_ref_idx_l0_default_active_minus1",
                  "over 14");
    REFUSE_UNLESS(picture->num_ref_idx_l1_default_active_minus1 <= 14, "picture.num_ref_idx_l1_default_active_minus1",
                  "over 14");
    REFUSE_UNLESS(picture->nal_unit_type <= 9 || (picture->nal_unit_type >= 16 && picture->nal_unit_type <= 21),
                  "picture.nal_unit_type", "%u", picture->nal_unit_type);
    sv_require(idr == (picture->nal_unit_type == 19 || picture->nal_unit_type == 20), "picture.nal_unit_type",
               "%u, idr_pic_flag is %d", picture->nal_unit_type, idr);
    bool irap = picture->nal_unit_type >= 16;
    sv_require(!idr || work->reference_count == 0, "picture.reference_frames", "an IDR picture lists references");
    sv_require(irap == (picture->pic_fields.bits.coding_type == 1) || !irap, "picture.coding_type", "%u in NAL unit %u",
               picture->pic_fields.bits.coding_type, picture->nal_unit_type);
    sv_require(picture->pic_fields.bits.coding_type >= 1 && picture->pic_fields.bits.coding_type <= 3,
               "picture.coding_type", "%u", picture->pic_fields.bits.coding_type);
    sv_require(irap || !picture->pic_fields.bits.no_output_of_prior_pics_flag, "picture.no_output_of_prior_pics_flag",
               "1 in NAL unit type %u", picture->nal_unit_type);
    bool never = picture->nal_unit_type <= 14 && picture->nal_unit_type % 2 == 0;
    sv_require(picture->pic_fields.bits.reference_pic_flag == !never, "picture.reference_pic_flag",
               "%u in NAL unit type %u", picture->pic_fields.bits.reference_pic_flag, picture->nal_unit_type);
    sv_require(!idr || picture->decoded_curr_pic.pic_order_cnt == 0, "picture.decoded_curr_pic.pic_order_cnt",
               "%d in an IDR picture", picture->decoded_curr_pic.pic_order_cnt);
    sv_require(picture->decoded_curr_pic.flags == 0, "picture.decoded_curr_pic.flags", "%#x",
               picture->decoded_curr_pic.flags);
    sv_require(picture->ctu_max_bitsize_allowed == 0, "picture.ctu_max_bitsize_allowed", "%u is not kept",
               picture->ctu_max_bitsize_allowed);
    sv_require(picture->last_picture == 0, "picture.last_picture", "%#x, and no end of a sequence or stream is coded",
               picture->last_picture);
    work->poc = picture->decoded_curr_pic.pic_order_cnt;
    int depth = checked->bit_depth;
    *checked = (sv_checked){picture->decoded_curr_pic.picture_id, picture->coded_buf, depth, !never, idr, true, 0, 0};
    return true;
}

static void check_list(sv_driver *driver, sv_work *work, const VAPictureHEVC *list, int active, const char *field) {
    for (int i = 0; i < 15; i++) {
        if (i >= active && is_unused(&list[i])) continue;
        if (!sv_require(!is_unused(&list[i]), field, "entry %d is active and empty", i)) continue;
        sv_require(sv_check_is_reference(work, list[i].picture_id), field, "entry %d is not in reference_frames", i);
        if (i >= active) continue;
        sv_check_add_reference(driver, work, list[i].picture_id);
        for (int j = 0; j < 15; j++) {
            const VAPictureHEVC *entry = &work->picture.hevc.reference_frames[j];
            if (is_unused(entry) || entry->picture_id != list[i].picture_id) continue;
            sv_require(entry->pic_order_cnt == list[i].pic_order_cnt, field,
                       "entry %d says picture %d, reference_frames %d", i, list[i].pic_order_cnt, entry->pic_order_cnt);
            sv_require(entry->flags == list[i].flags, field, "entry %d says flags %#x, reference_frames %#x", i,
                       list[i].flags, entry->flags);
        }
    }
}

/// What slices divide: tree blocks in a row, in all, and the first that is in none so far.
typedef struct {
    unsigned across, total, next;
} Trees;

static bool check_slice(sv_driver *driver, sv_work *work, int index, Trees *trees, sv_checked *checked) {
    const VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    const VAEncSliceParameterBufferHEVC *slice = &work->params[index].hevc;
    const sv_caps *caps = work->context->config->caps;
    REFUSE_UNLESS(slice->slice_type <= 2, "slice.slice_type", "%u", slice->slice_type);
    REFUSE_UNLESS(slice->slice_segment_address == trees->next, "slice.slice_segment_address", "%u, the slice begins at %u",
                  slice->slice_segment_address, trees->next);
    REFUSE_UNLESS(slice->num_ctu_in_slice > 0 && slice->num_ctu_in_slice <= trees->total - trees->next, "slice.num_ctu_in_slice",
                  "%u, %u are left", slice->num_ctu_in_slice, trees->total - trees->next);
    trees->next += slice->num_ctu_in_slice;
    sv_check_rows(caps, slice->num_ctu_in_slice, trees->across, work->params[0].hevc.num_ctu_in_slice,
                  trees->next == trees->total, "slice.num_ctu_in_slice");
    REFUSE_UNLESS(!slice->slice_fields.bits.dependent_slice_segment_flag, "slice.dependent_slice_segment_flag",
                  "not coded");
    bool temporal = slice->slice_fields.bits.slice_temporal_mvp_enabled_flag;
    bool is_used = temporal && slice->slice_type != 2;
    REFUSE_UNLESS(!temporal || work->sequence.hevc.seq_fields.bits.sps_temporal_mvp_enabled_flag,
                  "slice.slice_temporal_mvp_enabled_flag", "1 without the sequence's flag");
    REFUSE_UNLESS(!is_used || picture->collocated_ref_pic_index <= 14, "picture.collocated_ref_pic_index", "%u",
                  picture->collocated_ref_pic_index);
    // FFmpeg has one index for all pictures of a sequence.
    bool intra = slice->slice_type == 2 && work->sequence.hevc.seq_fields.bits.sps_temporal_mvp_enabled_flag;
    sv_require(is_used || intra || picture->collocated_ref_pic_index == 0xff,
               "picture.collocated_ref_pic_index", "%u, and no motion is predicted from another picture",
               picture->collocated_ref_pic_index);
    REFUSE_UNLESS(slice->max_num_merge_cand >= 1 && slice->max_num_merge_cand <= 5, "slice.max_num_merge_cand", "%u",
                  slice->max_num_merge_cand);
    int qp = picture->pic_init_qp + slice->slice_qp_delta;
    REFUSE_UNLESS(qp >= -6 * (checked->bit_depth - 8) && qp <= 51, "slice.slice_qp_delta", "%d, the QP is %d",
                  slice->slice_qp_delta, qp);
    REFUSE_UNLESS(slice->slice_cb_qp_offset + picture->pps_cb_qp_offset >= -12 &&
                      slice->slice_cb_qp_offset + picture->pps_cb_qp_offset <= 12,
                  "slice.slice_cb_qp_offset", "%d", slice->slice_cb_qp_offset);
    REFUSE_UNLESS(slice->slice_cr_qp_offset + picture->pps_cr_qp_offset >= -12 &&
                      slice->slice_cr_qp_offset + picture->pps_cr_qp_offset <= 12,
                  "slice.slice_cr_qp_offset", "%d", slice->slice_cr_qp_offset);
    REFUSE_UNLESS(slice->slice_beta_offset_div2 >= -6 && slice->slice_beta_offset_div2 <= 6,
                  "slice.slice_beta_offset_div2", "%d", slice->slice_beta_offset_div2);
    REFUSE_UNLESS(slice->slice_tc_offset_div2 >= -6 && slice->slice_tc_offset_div2 <= 6, "slice.slice_tc_offset_div2",
                  "%d", slice->slice_tc_offset_div2);
    REFUSE_UNLESS(slice->num_ref_idx_l0_active_minus1 <= 14, "slice.num_ref_idx_l0_active_minus1", "over 14");
    REFUSE_UNLESS(slice->num_ref_idx_l1_active_minus1 <= 14, "slice.num_ref_idx_l1_active_minus1", "over 14");
    sv_require(slice->slice_pic_parameter_set_id == picture->slice_pic_parameter_set_id,
               "slice.slice_pic_parameter_set_id", "%u, the picture's is %u", slice->slice_pic_parameter_set_id,
               picture->slice_pic_parameter_set_id);
    bool last = index + 1 == work->slice_count;
    sv_require(slice->slice_fields.bits.last_slice_of_pic_flag == last, "slice.last_slice_of_pic_flag", "%d in slice %d",
               slice->slice_fields.bits.last_slice_of_pic_flag, index);
    sv_require(slice->slice_type == 2 || picture->nal_unit_type < 16, "slice.slice_type", "%u in NAL unit type %u",
               slice->slice_type, picture->nal_unit_type);
    sv_require(slice->slice_type != 1 || !(caps->direction & VA_PREDICTION_DIRECTION_BI_NOT_EMPTY), "slice.slice_type",
               "P, and the driver offers none: B slices with two equal lists stand for them");
    sv_require(slice->slice_type != 0 || caps->references >> 16, "slice.slice_type", "B slices are not offered");
    bool own = slice->slice_fields.bits.num_ref_idx_active_override_flag;
    int l0 = slice->slice_type == 2 ? 0 : 1 + slice->num_ref_idx_l0_active_minus1;
    int l1 = slice->slice_type != 0 ? 0 : 1 + slice->num_ref_idx_l1_active_minus1;
    sv_require(own || l0 == 0 || l0 == 1 + picture->num_ref_idx_l0_default_active_minus1,
               "slice.num_ref_idx_l0_active_minus1", "%d without an override flag, the picture's is %d", l0 - 1,
               picture->num_ref_idx_l0_default_active_minus1);
    sv_require(own || l1 == 0 || l1 == 1 + picture->num_ref_idx_l1_default_active_minus1,
               "slice.num_ref_idx_l1_active_minus1", "%d without an override flag, the picture's is %d", l1 - 1,
               picture->num_ref_idx_l1_default_active_minus1);
    sv_require(l0 <= (int)(caps->references & 0xffff), "slice.num_ref_idx_l0_active_minus1", "%d references are active",
               l0);
    sv_require(l1 <= (int)(caps->references >> 16), "slice.num_ref_idx_l1_active_minus1", "%d references are active", l1);
    check_list(driver, work, slice->ref_pic_list0, l0, "slice.ref_pic_list0");
    check_list(driver, work, slice->ref_pic_list1, l1, "slice.ref_pic_list1");
    if (slice->slice_type != 2) checked->intra = false;
    return true;
}

/// Order counts of a picture and of what it refers to differ by sixteen bits with a sign, 8.3.1; more is refused, so
/// that nobody has to mind what their difference is. Of a list the first `active` entries count, and others with a
/// surface.
static bool orders_are_near(int current, const VAPictureHEVC *list, int active, const char *field) {
    for (int i = 0; i < 15; i++) {
        if (i >= active && list[i].picture_id == VA_INVALID_SURFACE) continue;
        int64_t distance = (int64_t)list[i].pic_order_cnt - current;
        REFUSE_UNLESS(distance >= -32768 && distance <= 32767, field, "entry %d: picture %d is far from %d", i,
                      list[i].pic_order_cnt, current);
    }
    return true;
}

static bool check_orders(const sv_work *work) {
    int current = work->picture.hevc.decoded_curr_pic.pic_order_cnt;
    REFUSE_UNLESS(current > -(1 << 30) && current < 1 << 30, "picture.decoded_curr_pic.pic_order_cnt", "%d", current);
    if (!orders_are_near(current, work->picture.hevc.reference_frames, 0, "picture.reference_frames.pic_order_cnt")) {
        return false;
    }
    for (int i = 0; i < work->slice_count; i++) {
        const VAEncSliceParameterBufferHEVC *slice = &work->params[i].hevc;
        int l0 = slice->slice_type == 2 ? 0 : slice->num_ref_idx_l0_active_minus1 + 1;
        int l1 = slice->slice_type == 0 ? slice->num_ref_idx_l1_active_minus1 + 1 : 0;
        if (!orders_are_near(current, slice->ref_pic_list0, l0, "slice.ref_pic_list0.pic_order_cnt") ||
            !orders_are_near(current, slice->ref_pic_list1, l1, "slice.ref_pic_list1.pic_order_cnt")) {
            return false;
        }
    }
    return true;
}

bool sv_check_hevc(sv_driver *driver, sv_work *work, sv_checked *checked) {
    if (!check_sequence(work, checked) || !check_picture(driver, work, checked) || !check_orders(work)) return false;
    const VAEncSequenceParameterBufferHEVC *sequence = &work->sequence.hevc;
    sv_require(work->slice_count <= (int)work->context->config->caps->slices, "slice", "%d slices, %u are offered",
               work->slice_count, work->context->config->caps->slices);
    unsigned tree = 1u << (sequence->log2_min_luma_coding_block_size_minus3 + 3u +
                           sequence->log2_diff_max_min_luma_coding_block_size);
    unsigned across = ((unsigned)work->width + tree - 1) / tree;
    Trees trees = {across, across * (((unsigned)work->height + tree - 1) / tree), 0};
    for (int i = 0; i < work->slice_count; i++) {
        if (!check_slice(driver, work, i, &trees, checked)) return false;
    }
    bool intra = work->picture.hevc.pic_fields.bits.coding_type == 1;
    sv_require(intra == checked->intra, "picture.coding_type", "%u, and %s slices are intra",
               work->picture.hevc.pic_fields.bits.coding_type, checked->intra ? "all" : "not all");
    return sv_require(trees.next == trees.total, "slice.num_ctu_in_slice", "%u of %u tree blocks are in slices", trees.next,
                      trees.total);
}
