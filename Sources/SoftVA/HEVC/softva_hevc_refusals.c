// SPDX-License-Identifier: MIT
// Refuses what this coder, like the hardware it stands for, does not encode.
#include "softva_hevc.h"

/// A condition that a job must not meet, and the field to name if it does.
typedef struct {
    bool wrong;
    const char *field, *message;
} objection;

static bool refused(const sv_job *job, const objection *objections, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!objections[i].wrong) continue;
        job->violation(job->violation_context, objections[i].field, objections[i].message);
        return true;
    }
    return false;
}

#define REFUSED(job, objections) refused(job, objections, sizeof(objections) / sizeof((objections)[0]))

/// Tools of a sequence or picture that are not there.
static bool lacks_tools(const sv_job *job) {
    const VAEncSequenceParameterBufferHEVC *sequence = job->sequence;
    const VAEncPictureParameterBufferHEVC *picture = job->picture;
    const objection objections[] = {
        {sequence->seq_fields.bits.chroma_format_idc != 1, "seq_fields.chroma_format_idc", "only 4:2:0 is encoded"},
        {sequence->seq_fields.bits.separate_colour_plane_flag, "seq_fields.separate_colour_plane_flag",
            "separate color planes are not encoded"},
        {sequence->seq_fields.bits.scaling_list_enabled_flag, "seq_fields.scaling_list_enabled_flag",
            "only flat scaling lists are encoded"},
        {sequence->seq_fields.bits.pcm_enabled_flag, "seq_fields.pcm_enabled_flag", "PCM is not encoded"},
        {sequence->scc_fields.bits.palette_mode_enabled_flag, "scc_fields.palette_mode_enabled_flag",
            "palettes are not encoded"},
        {picture->pic_fields.bits.sign_data_hiding_enabled_flag, "pic_fields.sign_data_hiding_enabled_flag",
            "signs are not hidden"},
        {picture->pic_fields.bits.constrained_intra_pred_flag, "pic_fields.constrained_intra_pred_flag",
            "constrained intra prediction is not encoded"},
        {picture->pic_fields.bits.weighted_pred_flag || picture->pic_fields.bits.weighted_bipred_flag,
            "pic_fields.weighted_pred_flag", "weighted prediction is not encoded"},
        {picture->pic_fields.bits.transquant_bypass_enabled_flag, "pic_fields.transquant_bypass_enabled_flag",
            "lossless blocks are not encoded"},
        {picture->pic_fields.bits.tiles_enabled_flag, "pic_fields.tiles_enabled_flag", "tiles are not encoded"},
        {picture->pic_fields.bits.entropy_coding_sync_enabled_flag, "pic_fields.entropy_coding_sync_enabled_flag",
            "wavefronts are not encoded"},
        {picture->scc_fields.bits.pps_curr_pic_ref_enabled_flag, "scc_fields.pps_curr_pic_ref_enabled_flag",
            "a picture does not refer to itself"},
    };
    return REFUSED(job, objections);
}

/// Sizes and depths that contradict each other or leave their range.
static bool is_inconsistent(const sv_job *job) {
    const VAEncSequenceParameterBufferHEVC *sequence = job->sequence;
    const VAEncPictureParameterBufferHEVC *picture = job->picture;
    int min_cb = sequence->log2_min_luma_coding_block_size_minus3 + 3;
    int ctb = min_cb + sequence->log2_diff_max_min_luma_coding_block_size;
    int min_tb = sequence->log2_min_transform_block_size_minus2 + 2;
    int max_tb = min_tb + sequence->log2_diff_max_min_transform_block_size;
    int size_mask = (1 << sv_min(min_cb, 6)) - 1;
    int depth = (int)sequence->seq_fields.bits.bit_depth_luma_minus8;
    const objection objections[] = {
        {ctb < 4 || ctb > 6, "log2_diff_max_min_luma_coding_block_size",
            "coding tree blocks have 16, 32 or 64 samples"},
        {min_tb >= min_cb, "log2_min_transform_block_size_minus2", "not smaller than the smallest coding block"},
        {max_tb > sv_min(ctb, 5), "log2_diff_max_min_transform_block_size", "larger than 32 or a coding tree block"},
        {sequence->max_transform_hierarchy_depth_intra > ctb - min_tb, "max_transform_hierarchy_depth_intra",
            "deeper than the smallest transform block"},
        {sequence->max_transform_hierarchy_depth_inter > ctb - min_tb, "max_transform_hierarchy_depth_inter",
            "deeper than the smallest transform block"},
        {(sequence->pic_width_in_luma_samples & size_mask) || !sequence->pic_width_in_luma_samples,
            "pic_width_in_luma_samples", "not a multiple of the smallest coding block"},
        {(sequence->pic_height_in_luma_samples & size_mask) || !sequence->pic_height_in_luma_samples,
            "pic_height_in_luma_samples", "not a multiple of the smallest coding block"},
        {depth != 0 && depth != 2, "seq_fields.bit_depth_luma_minus8", "only 8 and 10 bits are encoded"},
        {(int)sequence->seq_fields.bits.bit_depth_chroma_minus8 != depth, "seq_fields.bit_depth_chroma_minus8",
            "not the depth of luma"},
        {job->input->bit_depth != depth + 8, "seq_fields.bit_depth_luma_minus8", "not the depth of the input surface"},
        {picture->diff_cu_qp_delta_depth > ctb - min_cb, "diff_cu_qp_delta_depth",
            "deeper than the smallest coding block"},
        {picture->log2_parallel_merge_level_minus2 + 2 > ctb, "log2_parallel_merge_level_minus2",
            "larger than a coding tree block"},
        {picture->pps_cb_qp_offset < -12 || picture->pps_cb_qp_offset > 12, "pps_cb_qp_offset", "not within -12...12"},
        {picture->pps_cr_qp_offset < -12 || picture->pps_cr_qp_offset > 12, "pps_cr_qp_offset", "not within -12...12"},
        {job->slice_count < 1 || job->slice_count > SV_HEVC_MAX_SLICES, "slice", "not 1...600 slices"},
    };
    return REFUSED(job, objections);
}

/// Tools of a slice that are not there.
static bool lacks_slice_tools(const sv_job *job, const VAEncSliceParameterBufferHEVC *slice) {
    const objection objections[] = {
        {slice->slice_fields.bits.dependent_slice_segment_flag, "slice.dependent_slice_segment_flag",
            "dependent slice segments are not encoded"},
    };
    return REFUSED(job, objections);
}

static bool is_temporal_wrong(const sv_job *job, const VAEncSliceParameterBufferHEVC *slice) {
    const VAEncSequenceParameterBufferHEVC *sequence = job->sequence;
    const VAEncPictureParameterBufferHEVC *picture = job->picture;
    const VAEncSliceParameterBufferHEVC *first = job->slices[0].params;
    // I slices may say so, and their pictures name no other.
    bool temporal = slice->slice_fields.bits.slice_temporal_mvp_enabled_flag;
    bool is_used = temporal && slice->slice_type != SV_HEVC_I;
    const objection objections[] = {
        {temporal && !sequence->seq_fields.bits.sps_temporal_mvp_enabled_flag,
            "slice.slice_temporal_mvp_enabled_flag", "set without the sequence's flag"},
        {temporal != first->slice_fields.bits.slice_temporal_mvp_enabled_flag, "slice.slice_temporal_mvp_enabled_flag",
            "not that of the picture's first slice"},
        {is_used && picture->collocated_ref_pic_index > 14, "picture.collocated_ref_pic_index", "names no picture"},
        {is_used && sv_collocated_place(picture, slice) < 0,
            "picture.collocated_ref_pic_index", "names a picture that is not in the slice's list"},
    };
    return REFUSED(job, objections);
}

static bool is_slice_wrong(const sv_job *job, const VAEncSliceParameterBufferHEVC *slice) {
    const VAEncSequenceParameterBufferHEVC *sequence = job->sequence;
    const VAEncPictureParameterBufferHEVC *picture = job->picture;
    int qp = (int8_t)picture->pic_init_qp + slice->slice_qp_delta;
    int lowest = -6 * (int)sequence->seq_fields.bits.bit_depth_luma_minus8;
    int cb = picture->pps_cb_qp_offset + slice->slice_cb_qp_offset;
    int cr = picture->pps_cr_qp_offset + slice->slice_cr_qp_offset;
    bool disabled = slice->slice_fields.bits.slice_deblocking_filter_disabled_flag;
    const objection objections[] = {
        {slice->slice_type > 2, "slice.slice_type", "not within 0...2"},
        {slice->slice_type != SV_HEVC_I && slice->num_ref_idx_l0_active_minus1 > 14,
            "slice.num_ref_idx_l0_active_minus1", "not within 0...14"},
        {slice->slice_type == SV_HEVC_B && slice->num_ref_idx_l1_active_minus1 > 14,
            "slice.num_ref_idx_l1_active_minus1", "not within 0...14"},
        {slice->slice_type != SV_HEVC_I && (slice->max_num_merge_cand < 1 || slice->max_num_merge_cand > 5),
            "slice.max_num_merge_cand", "not within 1...5"},
        {qp < lowest || qp > 51, "slice.slice_qp_delta", "the slice's QP is not within its range"},
        {cb < -12 || cb > 12, "slice.slice_cb_qp_offset", "the sum of offsets is not within -12...12"},
        {cr < -12 || cr > 12, "slice.slice_cr_qp_offset", "the sum of offsets is not within -12...12"},
        {!disabled && (slice->slice_beta_offset_div2 < -6 || slice->slice_beta_offset_div2 > 6),
            "slice.slice_beta_offset_div2", "not within -6...6"},
        {!disabled && (slice->slice_tc_offset_div2 < -6 || slice->slice_tc_offset_div2 > 6),
            "slice.slice_tc_offset_div2", "not within -6...6"},
    };
    return REFUSED(job, objections);
}

/// Whether the slices are not all blocks of the picture, one after the other.
static bool is_incomplete(const sv_job *job) {
    const VAEncSequenceParameterBufferHEVC *sequence = job->sequence;
    int log2_ctb = sequence->log2_min_luma_coding_block_size_minus3 + 3 +
        sequence->log2_diff_max_min_luma_coding_block_size;
    int mask = (1 << log2_ctb) - 1;
    unsigned columns = (unsigned)(sequence->pic_width_in_luma_samples + mask) >> log2_ctb;
    unsigned rows = (unsigned)(sequence->pic_height_in_luma_samples + mask) >> log2_ctb, next = 0;
    for (int i = 0; i < job->slice_count; i++) {
        const VAEncSliceParameterBufferHEVC *slice = job->slices[i].params;
        const objection objections[] = {
            {slice->slice_segment_address != next, "slice.slice_segment_address",
                "does not begin where the previous slice ends"},
            {slice->num_ctu_in_slice < 1 || slice->num_ctu_in_slice > columns * rows - next, "slice.num_ctu_in_slice",
                "leaves the picture"},
        };
        if (REFUSED(job, objections)) return true;
        next += slice->num_ctu_in_slice;
    }
    const objection objections[] = {
        {next != columns * rows, "slice.num_ctu_in_slice", "the slices do not cover the picture"}};
    return REFUSED(job, objections);
}

int sv_hevc_check(const sv_job *job) {
    if (lacks_tools(job)) return VA_STATUS_ERROR_ENCODING_ERROR;
    if (is_inconsistent(job)) return VA_STATUS_ERROR_INVALID_PARAMETER;
    for (int i = 0; i < job->slice_count; i++) {
        if (lacks_slice_tools(job, job->slices[i].params)) return VA_STATUS_ERROR_ENCODING_ERROR;
        if (is_slice_wrong(job, job->slices[i].params) || is_temporal_wrong(job, job->slices[i].params)) {
            return VA_STATUS_ERROR_INVALID_PARAMETER;
        }
    }
    return is_incomplete(job) ? VA_STATUS_ERROR_INVALID_PARAMETER : VA_STATUS_SUCCESS;
}
