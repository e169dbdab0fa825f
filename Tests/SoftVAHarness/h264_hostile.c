// SPDX-License-Identifier: MIT
// Random bytes in place of parameters.
#include <stdlib.h>
#include <string.h>

#include "h264_stream.h"

enum { SURFACES = 4, SLICES = 3 };

typedef struct {
    uint64_t random;
    h264_surface surfaces[SURFACES];
    VAEncSequenceParameterBufferH264 sequence;
    VAEncPictureParameterBufferH264 picture;
    VAEncSliceParameterBufferH264 params[SLICES];
    uint8_t headers[SLICES][16];
    sv_slice slices[SLICES];
} hostile;

static const sv_picture *find_surface(void *context, VASurfaceID id) {
    hostile *h = context;
    return id < SURFACES ? &h->surfaces[id].picture : NULL;
}

static void ignore_violation(void *context, const char *field, const char *message) {
    (void)context;
    (void)field;
    (void)message;
}

static void scramble(hostile *h, void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint8_t *)bytes)[i] = (uint8_t)h264_random(&h->random);
}

/// Brings the sequence and the picture into the range that is coded.
static void make_allowed(hostile *h) {
    VAEncSequenceParameterBufferH264 *sequence = &h->sequence;
    VAEncPictureParameterBufferH264 *picture = &h->picture;
    sequence->seq_fields.bits.chroma_format_idc = 1;
    sequence->seq_fields.bits.frame_mbs_only_flag = 1;
    sequence->seq_fields.bits.mb_adaptive_frame_field_flag = 0;
    sequence->seq_fields.bits.seq_scaling_matrix_present_flag = 0;
    sequence->seq_fields.bits.log2_max_frame_num_minus4 %= 13;
    sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 %= 13;
    sequence->bit_depth_luma_minus8 = sequence->bit_depth_chroma_minus8 = 0;
    picture->CurrPic.flags = 0;
    picture->pic_fields.bits.weighted_pred_flag = 0;
    picture->pic_fields.bits.weighted_bipred_idc = 0;
    picture->pic_fields.bits.pic_scaling_matrix_present_flag = 0;
    picture->pic_init_qp %= 52;
    picture->chroma_qp_index_offset %= 13;
    picture->second_chroma_qp_index_offset %= 13;
    picture->num_ref_idx_l0_active_minus1 %= 16;
    picture->num_ref_idx_l1_active_minus1 %= 16;
}

static void make_slice_allowed(hostile *h, VAEncSliceParameterBufferH264 *slice) {
    slice->slice_type %= 3;
    slice->cabac_init_idc %= 3;
    slice->disable_deblocking_filter_idc %= 3;
    slice->slice_alpha_c0_offset_div2 %= 7;
    slice->slice_beta_offset_div2 %= 7;
    slice->slice_qp_delta = (int8_t)(h264_random_below(&h->random, 52) - h->picture.pic_init_qp);
}

/// A slice of `count` macroblocks from `first` on, with or without a packed header of random bits.
static void make_slice(hostile *h, int index, int first, int count, bool is_allowed) {
    VAEncSliceParameterBufferH264 *params = &h->params[index];
    if (is_allowed) make_slice_allowed(h, params);
    params->macroblock_address = (uint32_t)first;
    params->num_macroblocks = (uint32_t)count;
    params->num_ref_idx_l0_active_minus1 %= 16;
    params->num_ref_idx_l1_active_minus1 %= 16;
    for (int i = 0; i < 32; i++) {
        params->RefPicList0[i].picture_id %= SURFACES + 2;
        params->RefPicList1[i].picture_id %= SURFACES + 2;
    }
    h->slices[index] = (sv_slice){.params = params};
    if (h264_random_below(&h->random, 2)) return;
    scramble(h, h->headers[index], sizeof h->headers[index]);
    h->slices[index].header = (sv_packed){.data = h->headers[index], .bits = h264_random(&h->random) % 128,
        .has_emulation = h264_random(&h->random) & 1, .type = VAEncPackedHeaderSlice};
}

int h264_run_hostile(uint64_t seed) {
    hostile *h = calloc(1, sizeof *h);
    h->random = seed;
    int width = 16 + h264_random_below(&h->random, 100), height = 16 + h264_random_below(&h->random, 100);
    for (int i = 0; i < SURFACES; i++) h264_surface_create(&h->surfaces[i], width, height, &h->random);
    scramble(h, &h->sequence, sizeof h->sequence);
    scramble(h, &h->picture, sizeof h->picture);
    scramble(h, h->params, sizeof h->params);
    bool is_allowed = h264_random_below(&h->random, 8) > 0;
    if (is_allowed) make_allowed(h);
    h->sequence.picture_width_in_mbs = (uint16_t)((width + 15) / 16);
    h->sequence.picture_height_in_mbs = (uint16_t)((height + 15) / 16);
    int total = h->sequence.picture_width_in_mbs * h->sequence.picture_height_in_mbs;
    int count = total < SLICES ? 1 : 1 + h264_random_below(&h->random, SLICES);
    for (int i = 0, first = 0; i < count; i++) {
        int left = total - first, later = count - 1 - i;
        int length = later ? 1 + h264_random_below(&h->random, left - later) : left;
        make_slice(h, i, first, length, is_allowed);
        first += length;
    }
    // Every third time the output is too small.
    sv_output out = {.capacity = h264_random_below(&h->random, h264_random_below(&h->random, 3) ? 200000 : 2000) + 1u};
    out.bytes = malloc(out.capacity);
    sv_job job = {.sequence = &h->sequence, .picture = &h->picture, .slices = h->slices, .slice_count = count,
        .surfaces = {find_surface, NULL, h}, .input = &h->surfaces[0].picture,
        .reconstruction = &h->surfaces[h264_random_below(&h->random, SURFACES)].picture,
        .max_slice_bytes = (size_t)h264_random_below(&h->random, 2) * h264_random_below(&h->random, 1000),
        .qp = h264_random_below(&h->random, 53) - 1, .violation = ignore_violation};
    int status = softva_h264_encode(&job, &out);
    if (out.count > out.capacity) status = -1;
    free(out.bytes);
    for (int i = 0; i < SURFACES; i++) free(h->surfaces[i].memory);
    free(h);
    return status;
}
