// SPDX-License-Identifier: MIT
// Encodes a picture: its planes and lists, then its slices (7.3.8.1, 7.3.8.2), then deblocking.
#include <stdio.h>
#include <stdlib.h>

#include "softva_hevc.h"

static void destroy(sv_hevc *hevc) {
    sv_planes_destroy(&hevc->source);
    sv_planes_destroy(&hevc->decoded);
    for (int i = 0; i < hevc->reference_count; i++) sv_planes_destroy(&hevc->references[i]);
    free(hevc->slices);
    free(hevc->cells);
    free(hevc->choices);
    free(hevc->owners);
    free(hevc->coded);
    free(hevc);
}

static void set_sizes(sv_hevc *hevc) {
    const VAEncSequenceParameterBufferHEVC *sequence = hevc->sequence;
    hevc->width = sequence->pic_width_in_luma_samples;
    hevc->height = sequence->pic_height_in_luma_samples;
    hevc->bit_depth = (int)sequence->seq_fields.bits.bit_depth_luma_minus8 + 8;
    hevc->log2_min_cb = sequence->log2_min_luma_coding_block_size_minus3 + 3;
    hevc->log2_ctb = hevc->log2_min_cb + sequence->log2_diff_max_min_luma_coding_block_size;
    hevc->log2_min_tb = sequence->log2_min_transform_block_size_minus2 + 2;
    hevc->log2_max_tb = hevc->log2_min_tb + sequence->log2_diff_max_min_transform_block_size;
    bool has_deltas = hevc->picture->pic_fields.bits.cu_qp_delta_enabled_flag;
    hevc->log2_group = hevc->log2_ctb - (has_deltas ? hevc->picture->diff_cu_qp_delta_depth : 0);
    hevc->columns = (hevc->width + (1 << hevc->log2_ctb) - 1) >> hevc->log2_ctb;
    hevc->rows = (hevc->height + (1 << hevc->log2_ctb) - 1) >> hevc->log2_ctb;
    hevc->cell_stride = hevc->columns << (hevc->log2_ctb - 3);
    hevc->unit_stride = 2 * hevc->cell_stride;
}

static sv_hevc *create(const sv_job *job) {
    sv_hevc *hevc = calloc(1, sizeof *hevc);
    if (!hevc) return NULL;
    hevc->job = job;
    hevc->sequence = job->sequence;
    hevc->picture = job->picture;
    set_sizes(hevc);
    size_t cells = (size_t)hevc->cell_stride * (size_t)(hevc->rows << (hevc->log2_ctb - 3));
    hevc->slices = calloc((size_t)job->slice_count, sizeof *hevc->slices);
    hevc->cells = calloc(cells, sizeof *hevc->cells);
    hevc->choices = calloc(cells, sizeof *hevc->choices);
    hevc->owners = calloc(4 * cells, sizeof *hevc->owners);
    hevc->coded = calloc(4 * cells, sizeof *hevc->coded);
    if (!hevc->slices || !hevc->cells || !hevc->choices || !hevc->owners || !hevc->coded ||
        !sv_planes_create(&hevc->source, hevc->width, hevc->height, hevc->bit_depth) ||
        !sv_planes_create(&hevc->decoded, hevc->width, hevc->height, hevc->bit_depth)) {
        destroy(hevc);
        return NULL;
    }
    sv_planes_load(&hevc->source, job->input);
    sv_hevc_transforms_create(&hevc->transforms);
    return hevc;
}

/// The samples of a reference surface, loaded once per picture.
static int find_reference(
    sv_hevc *hevc, VASurfaceID surface, const char *field, const sv_planes **planes) {
    const sv_job *job = hevc->job;
    for (int i = 0; i < hevc->reference_count; i++) {
        if (hevc->reference_ids[i] != surface) continue;
        *planes = &hevc->references[i];
        return VA_STATUS_SUCCESS;
    }
    if (hevc->reference_count == SV_HEVC_MAX_REFERENCES) {
        job->violation(job->violation_context, field, "the lists of a picture name more than 16 surfaces");
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    sv_planes *reference = &hevc->references[hevc->reference_count];
    if (!sv_planes_create(reference, hevc->width, hevc->height, hevc->bit_depth)) {
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    hevc->reference_ids[hevc->reference_count++] = surface;
    const sv_picture *picture = job->surfaces.find(job->surfaces.context, surface);
    if (picture) {
        sv_planes_load(reference, picture);
    } else {
        sv_planes_load_grey(reference);
        job->violation(job->violation_context, field, "names a surface that nothing was written to");
    }
    *planes = reference;
    return VA_STATUS_SUCCESS;
}

static int fill_list(sv_hevc *hevc, sv_hevc_slice *slice, int list) {
    static const char *const fields[2] = {"slice.ref_pic_list0", "slice.ref_pic_list1"};
    const VAPictureHEVC *entries = list ? slice->params->ref_pic_list1 : slice->params->ref_pic_list0;
    for (int i = 0; i < slice->counts[list]; i++) {
        char field[32];
        snprintf(field, sizeof field, "%s[%d]", fields[list], i);
        int status = find_reference(hevc, entries[i].picture_id, field, &slice->planes[list][i]);
        if (status) return status;
        slice->order[list][i] = entries[i].pic_order_cnt;
        slice->long_term[list][i] = entries[i].flags & VA_PICTURE_HEVC_LONG_TERM_REFERENCE;
    }
    return VA_STATUS_SUCCESS;
}

/// Finds the motion that vectors are predicted from.
static void find_collocated(sv_hevc *hevc, sv_hevc_slice *slice) {
    const sv_job *job = hevc->job;
    if (!slice->params->slice_fields.bits.slice_temporal_mvp_enabled_flag || slice->type == SV_HEVC_I) return;
    const VAPictureHEVC *picture = &hevc->picture->reference_frames[hevc->picture->collocated_ref_pic_index];
    slice->collocated = job->surfaces.find_motion(job->surfaces.context, picture->picture_id);
    slice->collocated_list = slice->type == SV_HEVC_P || slice->params->slice_fields.bits.collocated_from_l0_flag;
    slice->looks_back = true;
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < slice->counts[list]; i++) {
            if (slice->order[list][i] > hevc->picture->decoded_curr_pic.pic_order_cnt) slice->looks_back = false;
        }
    }
}

static int create_slice(sv_hevc *hevc, int index) {
    sv_hevc_slice *slice = &hevc->slices[index];
    const VAEncSliceParameterBufferHEVC *params = hevc->job->slices[index].params;
    slice->params = params;
    slice->type = params->slice_type;
    slice->qp = (int8_t)hevc->picture->pic_init_qp + params->slice_qp_delta;
    if (slice->type != SV_HEVC_I) slice->counts[0] = params->num_ref_idx_l0_active_minus1 + 1;
    if (slice->type == SV_HEVC_B) slice->counts[1] = params->num_ref_idx_l1_active_minus1 + 1;
    int status = fill_list(hevc, slice, 0);
    if (!status) status = fill_list(hevc, slice, 1);
    find_collocated(hevc, slice);
    return status;
}

/// The packed units before a slice and its header, up to byte_alignment() at the header's end. A packed header that
/// ends within a byte has no byte_alignment() yet; one that ends with a byte has it.
static void write_headers(sv_hevc *hevc, const sv_slice *slice) {
    for (int i = 0; i < slice->before_count; i++) {
        sv_bits_packed(&hevc->bits, &slice->before[i]);
        sv_bits_align(&hevc->bits, 0);
    }
    if (slice->header.data) {
        sv_bits_packed(&hevc->bits, &slice->header);
        if (!sv_bits_aligned(&hevc->bits)) sv_bits_trailing(&hevc->bits);
    } else {
        sv_hevc_write_header(hevc);
    }
}

/// sao() that leaves a coding tree block as it is.
static void write_no_offset(sv_hevc *hevc, int column, int row) {
    const VAEncSliceParameterBufferHEVC *slice = hevc->slice->params;
    bool luma = slice->slice_fields.bits.slice_sao_luma_flag, chroma = slice->slice_fields.bits.slice_sao_chroma_flag;
    if (!luma && !chroma) return;
    int x = column << hevc->log2_ctb, y = row << hevc->log2_ctb;
    if (sv_hevc_available(hevc, x - 1, y)) sv_hevc_bin(hevc, SV_HEVC_SAO_MERGE, 0);
    if (sv_hevc_available(hevc, x, y - 1)) sv_hevc_bin(hevc, SV_HEVC_SAO_MERGE, 0);
    if (luma) sv_hevc_bin(hevc, SV_HEVC_SAO_TYPE, 0);
    if (chroma) sv_hevc_bin(hevc, SV_HEVC_SAO_TYPE, 0);
}

/// Lambda of absolute differences, 0.75 * 2^((qp - 12) / 6), in sixteenths and at the samples' depth.
static unsigned difference_lambda(int qp, int bit_depth) {
    static const uint16_t sixths[6] = {768, 862, 968, 1086, 1219, 1368};  // 0.75 * 1024 * 2^(i / 6)
    int step = qp + 12;
    return (((unsigned)sixths[step % 6] << (step / 6) >> 10) + 1) << (bit_depth - 8);
}

static void code_slice(sv_hevc *hevc, int index) {
    const sv_hevc_slice *slice = hevc->slice = &hevc->slices[index];
    bool swapped = slice->params->slice_fields.bits.cabac_init_flag;
    int type = slice->type == SV_HEVC_I ? 0 : (slice->type == SV_HEVC_P) != swapped ? 1 : 2;
    hevc->lambda = difference_lambda(sv_hevc_wanted_qp(hevc), hevc->bit_depth);
    hevc->qp_last = slice->qp;
    write_headers(hevc, &hevc->job->slices[index]);
    sv_hevc_contexts_create(hevc->contexts, type, slice->qp);
    sv_cabac_begin(&hevc->cabac, &hevc->bits);
    int first = (int)slice->params->slice_segment_address, count = (int)slice->params->num_ctu_in_slice;
    for (int i = 0; i < count; i++) {
        int column = (first + i) % hevc->columns, row = (first + i) / hevc->columns;
        int x = column << hevc->log2_ctb, y = row << hevc->log2_ctb;
        sv_hevc_decide(hevc, x, y);
        write_no_offset(hevc, column, row);
        sv_hevc_code_quadtree(hevc, x, y, hevc->log2_ctb, 0);
        sv_cabac_terminate(&hevc->cabac, i == count - 1);
    }
    sv_bits_align(&hevc->bits, 0);
}

int softva_hevc_encode(const sv_job *job, sv_output *out) {
    int status = sv_hevc_check(job);
    if (status) return status;
    sv_hevc *hevc = create(job);
    if (!hevc) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    for (int i = 0; i < job->slice_count && !status; i++) status = create_slice(hevc, i);
    if (!status) {
        sv_bits_begin(&hevc->bits, out);
        for (int i = 0; i < job->slice_count; i++) code_slice(hevc, i);
        sv_hevc_deblock(hevc);
        sv_hevc_keep_motion(hevc);
        sv_planes_store(&hevc->decoded, job->reconstruction);
    }
    destroy(hevc);
    return status;
}
