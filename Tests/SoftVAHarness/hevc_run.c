// SPDX-License-Identifier: MIT
#include "hevc_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hevc_scenario.h"
#include "regions.h"

enum { SURFACES = MAX_FRAMES, CAPACITY = 1 << 22, GUARD = 0x5A };

/// A scenario while it is encoded: one surface per frame, whose id is its place in output order.
typedef struct {
    hevc_scenario scenario;
    uint64_t seed;
    const char *change;
    sv_picture surfaces[SURFACES], input;
    bool written[SURFACES];
    sv_motion *motion[SURFACES];
    VAEncSequenceParameterBufferHEVC sequence;
    VAEncPictureParameterBufferHEVC picture;
    VAEncSliceParameterBufferHEVC params[MAX_SLICES];
    raw_bits parameter_sets[3], headers[MAX_SLICES];
    sv_packed packed_sets[3];
    sv_slice slices[MAX_SLICES];
    int slice_count;
    sv_output output;
    hevc_result *result;
} run;

/// Planes with a pitch larger than their width, and a guard byte in what no sample covers.
static sv_picture create_surface(int width, int height, int bit_depth) {
    sv_picture picture = {.width = width, .height = height, .bit_depth = bit_depth};
    size_t bytes = bit_depth == 8 ? 1 : 2, rows = ((size_t)height + 63) / 64 * 64;
    picture.luma_pitch = picture.chroma_pitch = ((size_t)width + 63) / 64 * 64 * bytes + 32;
    picture.luma = malloc(picture.luma_pitch * rows);
    picture.chroma = malloc(picture.chroma_pitch * rows / 2);
    memset(picture.luma, GUARD, picture.luma_pitch * rows);
    memset(picture.chroma, GUARD, picture.chroma_pitch * rows / 2);
    return picture;
}

static void destroy_surface(sv_picture *picture) {
    free(picture->luma);
    free(picture->chroma);
}

static const sv_picture *find_surface(void *context, VASurfaceID id) {
    const run *r = context;
    return id < SURFACES && r->written[id] ? &r->surfaces[id] : NULL;
}

static const sv_motion *find_motion(void *context, VASurfaceID id) {
    const run *r = context;
    return id < SURFACES && r->written[id] ? r->motion[id] : NULL;
}

static void note_violation(void *context, const char *field, const char *message) {
    run *r = context;
    (void)message;
    if (r->result->violations++ == 0) r->result->field = strdup(field);
}

static void fill_sequence(run *r) {
    const hevc_scenario *s = &r->scenario;
    VAEncSequenceParameterBufferHEVC *sequence = &r->sequence;
    sequence->pic_width_in_luma_samples = (uint16_t)s->coded_width;
    sequence->pic_height_in_luma_samples = (uint16_t)s->coded_height;
    sequence->seq_fields.bits.chroma_format_idc = 1;
    sequence->seq_fields.bits.bit_depth_luma_minus8 = (uint32_t)(s->bit_depth - 8) & 7;
    sequence->seq_fields.bits.bit_depth_chroma_minus8 = (uint32_t)(s->bit_depth - 8) & 7;
    sequence->seq_fields.bits.strong_intra_smoothing_enabled_flag = s->strong & 1;
    sequence->seq_fields.bits.amp_enabled_flag = s->amp & 1;
    sequence->seq_fields.bits.sample_adaptive_offset_enabled_flag = s->sao & 1;
    sequence->seq_fields.bits.sps_temporal_mvp_enabled_flag = s->temporal & 1;
    sequence->log2_min_luma_coding_block_size_minus3 = (uint8_t)(s->log2_min_cb - 3);
    sequence->log2_diff_max_min_luma_coding_block_size = (uint8_t)(s->log2_ctb - s->log2_min_cb);
    sequence->log2_min_transform_block_size_minus2 = (uint8_t)(s->log2_min_tb - 2);
    sequence->log2_diff_max_min_transform_block_size = (uint8_t)(s->log2_max_tb - s->log2_min_tb);
    sequence->max_transform_hierarchy_depth_inter = (uint8_t)s->depth_inter;
    sequence->max_transform_hierarchy_depth_intra = (uint8_t)s->depth_intra;
}

static void fill_picture(run *r, const hevc_frame *frame, const hevc_references *references) {
    const hevc_scenario *s = &r->scenario;
    VAEncPictureParameterBufferHEVC *picture = &r->picture;
    memset(picture, 0, sizeof *picture);
    picture->decoded_curr_pic.picture_id = (VASurfaceID)frame->order;
    picture->decoded_curr_pic.pic_order_cnt = frame->order;
    for (int i = 0; i < 15; i++) {
        bool valid = i < references->count;
        picture->reference_frames[i].picture_id = valid ? (VASurfaceID)references->orders[i] : VA_INVALID_SURFACE;
        picture->reference_frames[i].pic_order_cnt = valid ? references->orders[i] : 0;
        picture->reference_frames[i].flags = valid ? 0 : VA_PICTURE_HEVC_INVALID;
    }
    picture->collocated_ref_pic_index = 0xFF;
    if (references->temporal) {
        int list = references->from_list0 ? 0 : 1;
        picture->collocated_ref_pic_index = (uint8_t)references->lists[list][references->collocated];
    }
    picture->pic_init_qp = (uint8_t)s->init_qp;
    picture->diff_cu_qp_delta_depth = (uint8_t)s->diff_cu_qp_delta_depth;
    picture->pps_cb_qp_offset = (int8_t)s->cb_offset;
    picture->pps_cr_qp_offset = (int8_t)s->cr_offset;
    picture->log2_parallel_merge_level_minus2 = (uint8_t)s->merge_level;
    picture->nal_unit_type = frame->idr ? 19 : frame->kept ? 1 : 0;
    picture->pic_fields.bits.idr_pic_flag = frame->idr;
    picture->pic_fields.bits.coding_type = frame->type == 2 ? 1 : frame->type == 1 ? 2 : 3;
    picture->pic_fields.bits.reference_pic_flag = frame->kept;
    picture->pic_fields.bits.transform_skip_enabled_flag = s->transform_skip & 1;
    picture->pic_fields.bits.cu_qp_delta_enabled_flag = s->cu_qp_delta & 1;
    picture->pic_fields.bits.pps_loop_filter_across_slices_enabled_flag = s->pps_across & 1;
}

static void fill_slice(run *r, const hevc_frame *frame, const hevc_references *references, int index) {
    const hevc_scenario *s = &r->scenario;
    VAEncSliceParameterBufferHEVC *slice = &r->params[index];
    slice->slice_type = (uint8_t)frame->type;
    for (int list = 0; list < 2; list++) {
        VAPictureHEVC *entries = list ? slice->ref_pic_list1 : slice->ref_pic_list0;
        VAPictureHEVC none = {.picture_id = VA_INVALID_SURFACE, .flags = VA_PICTURE_HEVC_INVALID};
        for (int i = 0; i < 15; i++) entries[i] = none;
        for (int i = 0; i < references->counts[list]; i++) {
            int order = references->orders[references->lists[list][i]];
            entries[i] = (VAPictureHEVC){.picture_id = (VASurfaceID)order, .pic_order_cnt = order};
        }
    }
    slice->num_ref_idx_l0_active_minus1 = (uint8_t)(references->counts[0] ? references->counts[0] - 1 : 0);
    slice->num_ref_idx_l1_active_minus1 = (uint8_t)(references->counts[1] ? references->counts[1] - 1 : 0);
    slice->max_num_merge_cand = (uint8_t)s->merge_candidates;
    slice->slice_qp_delta = (int8_t)s->slice_qp_delta;
    slice->slice_cb_qp_offset = (int8_t)s->slice_cb_offset;
    slice->slice_cr_qp_offset = (int8_t)s->slice_cr_offset;
    slice->slice_beta_offset_div2 = (int8_t)s->beta_offset;
    slice->slice_tc_offset_div2 = (int8_t)s->tc_offset;
    slice->slice_fields.bits.last_slice_of_pic_flag = index == r->slice_count - 1;
    slice->slice_fields.bits.slice_sao_luma_flag = s->sao_luma & 1;
    slice->slice_fields.bits.slice_sao_chroma_flag = s->sao_chroma & 1;
    slice->slice_fields.bits.mvd_l1_zero_flag = s->mvd_l1_zero & 1;
    slice->slice_fields.bits.cabac_init_flag = s->cabac_init & 1;
    slice->slice_fields.bits.slice_deblocking_filter_disabled_flag = s->filter_disabled & 1;
    slice->slice_fields.bits.slice_temporal_mvp_enabled_flag = references->temporal;
    slice->slice_fields.bits.collocated_from_l0_flag = references->from_list0;
    slice->slice_fields.bits.slice_loop_filter_across_slices_enabled_flag = s->slice_across & 1;
}

/// Inserts emulation prevention after the start code; bits of the last byte stay as they are.
static void escape(raw_bits *bits) {
    raw_bits out = {.bits = 32};
    memcpy(out.bytes, bits->bytes, 4);
    size_t whole = bits->bits / 8, count = 4, zeros = 0;
    for (size_t i = 4; i < whole; i++) {
        if (zeros >= 2 && bits->bytes[i] <= 3) {
            out.bytes[count++] = 3;
            zeros = 0;
        }
        zeros = bits->bytes[i] ? 0 : zeros + 1;
        out.bytes[count++] = bits->bytes[i];
    }
    out.bits = 8 * count;
    if (bits->bits % 8) raw_u(&out, (unsigned)(bits->bits % 8), bits->bytes[whole] >> (8 - bits->bits % 8));
    *bits = out;
}

/// Packs the header of slice `index` as the scenario's client does: escaped and aligned, plain and aligned, or plain
/// and without byte_alignment() unless its bits fill a byte.
static void pack_header(run *r, const hevc_frame *frame, const hevc_references *references, int index) {
    int kind = r->scenario.headers;
    sv_slice *slice = &r->slices[index];
    slice->params = &r->params[index];
    slice->header = (sv_packed){0};
    if (kind == HEADERS_NONE) return;
    raw_bits *bits = &r->headers[index];
    hevc_write_slice_header(&r->scenario, frame, references, (int)r->params[index].slice_segment_address, bits);
    if (kind != HEADERS_UNALIGNED || bits->bits % 8 == 0) raw_trailing(bits);
    if (kind == HEADERS_ESCAPED) escape(bits);
    slice->header = (sv_packed){bits->bytes, bits->bits, kind == HEADERS_ESCAPED, 3};
}

static void divide_slices(run *r, const hevc_frame *frame, const hevc_references *references) {
    const hevc_scenario *s = &r->scenario;
    unsigned ctb = 1u << s->log2_ctb;
    unsigned total = (((unsigned)s->coded_width + ctb - 1) / ctb) * (((unsigned)s->coded_height + ctb - 1) / ctb);
    unsigned next = 0;
    memset(r->params, 0, sizeof r->params);
    r->slice_count = (unsigned)s->slices < total ? s->slices : (int)total;
    for (int i = 0; i < r->slice_count; i++) {
        unsigned left = total - next, later = (unsigned)(r->slice_count - 1 - i);
        unsigned count = later ? 1 + random_below(&r->scenario.numbers, left - later) : left;
        r->params[i].slice_segment_address = next;
        r->params[i].num_ctu_in_slice = count;
        next += count;
        fill_slice(r, frame, references, i);
        pack_header(r, frame, references, i);
    }
}

static void encode_frame(run *r, const hevc_frame *frame, hevc_references *references) {
    hevc_references_draw(&r->scenario, frame, references);
    fill_picture(r, frame, references);
    divide_slices(r, frame, references);
    r->slices[0].before = frame->idr ? r->packed_sets : NULL;
    r->slices[0].before_count = frame->idr ? 3 : 0;
    VAEncSequenceParameterBufferHEVC sequence = r->sequence;
    if (r->change && !frame->idr &&
        !hevc_change(r->change, &sequence, &r->picture, &r->params[r->slice_count - 1])) {
        r->result->status = -1;
    }
    scenario_picture(&r->scenario, r->seed, frame->order, &r->input);
    sv_region regions[MAX_REGIONS];
    // FFmpeg's decoder errs where chroma's quantizers are over 57.
    uint64_t seed = r->seed * 1000 + (uint64_t)frame->order;
    int region_count = random_regions(seed, r->input.width, r->input.height, 0, regions);
    sv_job job = {.sequence = &sequence, .picture = &r->picture, .slices = r->slices, .regions = regions,
        .region_count = region_count,
        .slice_count = r->slice_count, .surfaces = {find_surface, find_motion, r}, .input = &r->input,
        .reconstruction = &r->surfaces[frame->order], .motion = r->motion[frame->order], .qp = r->scenario.rate_control_qp,
        .violation = note_violation, .violation_context = r};
    int status = softva_hevc_encode(&job, &r->output);
    if (!r->result->status) r->result->status = status;
    r->written[frame->order] = true;
}

/// Copies a plane of a surface, cropped; in two bytes a sample the value moves to the lower bits.
static uint8_t *copy_plane(const hevc_scenario *s, const sv_picture *surface, int plane, uint8_t *out) {
    int width = plane ? s->width / 2 : s->width, height = plane ? s->height / 2 : s->height;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = plane ? surface->chroma + (size_t)y * surface->chroma_pitch
                                   : surface->luma + (size_t)y * surface->luma_pitch;
        for (int x = 0; x < width; x++) {
            int index = plane ? 2 * x + plane - 1 : x;
            if (s->bit_depth == 8) {
                *out++ = row[index];
            } else {
                int value = (row[2 * index] | row[2 * index + 1] << 8) >> 6;
                *out++ = (uint8_t)value;
                *out++ = (uint8_t)(value >> 8);
            }
        }
    }
    return out;
}

static void copy_reconstruction(run *r, int frames) {
    const hevc_scenario *s = &r->scenario;
    size_t bytes = (size_t)(s->width * s->height * 3 / 2 * (s->bit_depth == 8 ? 1 : 2));
    uint8_t *out = r->result->reconstruction = malloc(bytes * (size_t)frames);
    r->result->reconstruction_size = bytes * (size_t)frames;
    for (int i = 0; i < frames; i++) {
        for (int plane = 0; plane < 3; plane++) out = copy_plane(s, &r->surfaces[i], plane, out);
    }
}

static void describe(const hevc_scenario *s, hevc_result *result) {
    enum { LENGTH = 400 };
    result->width = s->width;
    result->height = s->height;
    result->bit_depth = s->bit_depth;
    result->description = malloc(LENGTH);
    snprintf(result->description, LENGTH,
        "%dx%d %d bit, CTB %d CB %d TB %d...%d depth %d/%d, QP %d rate %d group %d/%d, types %d refs %d active %d/%d "
        "merge %d level %d, slices %d across %d/%d, frames %d, deblock %d %d/%d, headers %d, content %d",
        s->width, s->height, s->bit_depth, 1 << s->log2_ctb, 1 << s->log2_min_cb, 1 << s->log2_min_tb,
        1 << s->log2_max_tb, s->depth_intra, s->depth_inter, s->init_qp + s->slice_qp_delta, s->rate_control_qp,
        s->cu_qp_delta, s->diff_cu_qp_delta_depth, s->types, s->references, s->active[0], s->active[1],
        s->merge_candidates, s->merge_level, s->slices, s->pps_across, s->slice_across, s->frames, !s->filter_disabled,
        s->beta_offset, s->tc_offset, s->headers, s->content);
}

hevc_result hevc_run(uint64_t seed, const char *change) {
    hevc_result result = {0};
    run *r = calloc(1, sizeof *r);
    *r = (run){.scenario = hevc_scenario_create(seed), .seed = seed, .change = change, .result = &result};
    hevc_scenario *s = &r->scenario;
    describe(s, &result);
    r->output = (sv_output){.bytes = malloc(CAPACITY), .capacity = CAPACITY};
    r->input = create_surface(s->width, s->height, s->bit_depth);
    for (int i = 0; i < SURFACES; i++) {
        r->surfaces[i] = create_surface(s->coded_width, s->coded_height, s->bit_depth);
        size_t blocks = (size_t)((s->coded_width + 15) / 16) * (size_t)((s->coded_height + 15) / 16);
        r->motion[i] = calloc(blocks, sizeof *r->motion[i]);
    }
    fill_sequence(r);
    hevc_write_parameter_sets(s, r->parameter_sets);
    for (int i = 0; i < 3; i++) {
        r->packed_sets[i] = (sv_packed){r->parameter_sets[i].bytes, r->parameter_sets[i].bits, false, 1};
    }
    hevc_frame frames[MAX_FRAMES + 4];
    int count = hevc_scenario_frames(s, frames);
    hevc_references references = {0};
    for (int i = 0; i < count; i++) {
        encode_frame(r, &frames[i], &references);
        if (!frames[i].kept) continue;
        // The oldest reference makes room.
        if (references.count == s->references) {
            memmove(references.orders, references.orders + 1, sizeof(int) * (size_t)--references.count);
        }
        references.orders[references.count++] = frames[i].order;
    }
    copy_reconstruction(r, count);
    result.stream = r->output.bytes;
    result.stream_size = r->output.count;
    for (int i = 0; i < SURFACES; i++) {
        destroy_surface(&r->surfaces[i]);
        free(r->motion[i]);
    }
    destroy_surface(&r->input);
    free(r);
    return result;
}

void hevc_result_free(hevc_result *result) {
    free(result->stream);
    free(result->reconstruction);
    free(result->description);
    free(result->field);
    *result = (hevc_result){0};
}
