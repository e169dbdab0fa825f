// SPDX-License-Identifier: MIT
#include "h264_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h264_stream.h"

h264_options h264_options_random(uint64_t seed) {
    uint64_t random = seed;
    h264_options options = {.frame_count = 6 + h264_random_below(&random, 8), .qp = -1};
    static const int profiles[3] = {66, 77, 100};
    options.profile = profiles[h264_random_below(&random, 3)];
    options.input_width = 16 + h264_random_below(&random, 130);
    options.input_height = 16 + h264_random_below(&random, 90);
    options.cropped_width = options.input_width & ~1;
    options.cropped_height = options.input_height & ~1;
    options.reference_frames = 1 + h264_random_below(&random, 4);
    options.uses_b = options.profile != 66 && h264_random_below(&random, 3) > 0;
    if (options.uses_b && options.reference_frames < 2) options.reference_frames = 2;
    options.mixes_slices = h264_random_below(&random, 3) == 0;
    options.packs_headers = h264_random_below(&random, 2);
    options.reorders = h264_random_below(&random, 2);
    options.is_plain = h264_random_below(&random, 2);
    options.uses_order_type_2 = !options.uses_b && h264_random_below(&random, 3) == 0;
    options.noise = h264_random_below(&random, 4) ? h264_random_below(&random, 12) : h264_random_below(&random, 256);
    // FFmpeg complains of 32 slices of a picture, which has 70 macroblocks of 400 bytes at most.
    options.most_slice_bytes = h264_random_below(&random, 2) ? 950 + h264_random_below(&random, 1000) : 0;
    return options;
}

static void make_parameters(h264_encoder *encoder) {
    const h264_options *options = &encoder->options;
    uint64_t *random = &encoder->random;
    VAEncSequenceParameterBufferH264 *sequence = &encoder->sequence;
    sequence->level_idc = 40;
    sequence->max_num_ref_frames = (uint32_t)options->reference_frames;
    sequence->picture_width_in_mbs = (uint16_t)((options->input_width + 15) / 16);
    sequence->picture_height_in_mbs = (uint16_t)((options->input_height + 15) / 16);
    sequence->seq_fields.bits.chroma_format_idc = 1;
    sequence->seq_fields.bits.frame_mbs_only_flag = 1;
    sequence->seq_fields.bits.direct_8x8_inference_flag = 1;
    sequence->seq_fields.bits.log2_max_frame_num_minus4 = (unsigned)h264_random_below(random, 4);
    sequence->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 = 2u + (unsigned)h264_random_below(random, 4);
    sequence->seq_fields.bits.pic_order_cnt_type = options->uses_order_type_2 ? 2 : 0;
    VAEncPictureParameterBufferH264 *picture = &encoder->picture;
    picture->pic_init_qp = options->gop ? 26 : (uint8_t)h264_random_below(random, 52);
    picture->num_ref_idx_l0_active_minus1 = (uint8_t)h264_random_below(random, options->reference_frames);
    picture->num_ref_idx_l1_active_minus1 = (uint8_t)h264_random_below(random, 2);
    bool has_offsets = !options->gop && !options->is_plain;
    picture->chroma_qp_index_offset = has_offsets ? (int8_t)(h264_random_below(random, 25) - 12) : 0;
    picture->second_chroma_qp_index_offset = picture->chroma_qp_index_offset;
    if (options->profile == 100 && !options->gop) {
        if (has_offsets) picture->second_chroma_qp_index_offset = (int8_t)(h264_random_below(random, 25) - 12);
        picture->pic_fields.bits.transform_8x8_mode_flag = (unsigned)h264_random_below(random, 2);
    }
    picture->pic_fields.bits.entropy_coding_mode_flag = options->profile != 66 && h264_random_below(random, 3) > 0;
    if (options->gop) picture->pic_fields.bits.entropy_coding_mode_flag = options->profile != 66;
    picture->pic_fields.bits.constrained_intra_pred_flag = !options->gop && h264_random_below(random, 2);
    picture->pic_fields.bits.deblocking_filter_control_present_flag = h264_random_below(random, 4) > 0;
}

static int by_output(const void *a, const void *b) {
    const h264_picture *p = a, *q = b;
    return p->period != q->period ? p->period - q->period : p->order - q->order;
}

/// Hands what was encoded to the result.
static void collect(h264_encoder *encoder, h264_result *result) {
    const h264_options *options = &encoder->options;
    size_t size = (size_t)options->cropped_width * (size_t)options->cropped_height * 3 / 2;
    qsort(encoder->pictures, (size_t)encoder->count, sizeof *encoder->pictures, by_output);
    result->stream = encoder->bytes.bytes;
    result->stream_size = encoder->bytes.count;
    result->reconstruction_size = size * (size_t)encoder->count;
    result->reconstruction = malloc(result->reconstruction_size + 1);
    result->frames = encoder->count;
    result->violations = encoder->violations;
    memcpy(result->field, encoder->field, sizeof result->field);
    result->is_plain = options->is_plain && !options->uses_b;
    result->lowest_psnr = 99;
    result->milliseconds = encoder->count ? encoder->seconds * 1000 / encoder->count : 0;
    for (int i = 0; i < encoder->count; i++) {
        const h264_picture *picture = &encoder->pictures[i];
        memcpy(result->reconstruction + size * (size_t)i, picture->samples, size);
        if (i) result->later_bytes += picture->bytes;
        if (picture->psnr < result->lowest_psnr) result->lowest_psnr = picture->psnr;
        free(picture->samples);
    }
    snprintf(result->description, sizeof result->description,
        "profile %d, %d x %d, references %d, frames %d, %s, %s, B %d, mixed %d, packed %d, reordered %d, "
        "order type %d, plain %d, noise %d, slices of %d bytes",
        options->profile, options->input_width, options->input_height, options->reference_frames, options->frame_count,
        encoder->picture.pic_fields.bits.entropy_coding_mode_flag ? "CABAC" : "CAVLC",
        encoder->picture.pic_fields.bits.transform_8x8_mode_flag ? "8x8 flag" : "no 8x8 flag", encoder->has_b,
        options->mixes_slices, options->packs_headers, options->reorders, options->uses_order_type_2 ? 2 : 0,
        options->is_plain, options->noise, options->most_slice_bytes);
}

static h264_result run(const h264_options *options, uint64_t seed) {
    h264_result result = {0};
    h264_encoder *encoder = calloc(1, sizeof *encoder);
    size_t area = (size_t)(options->input_width + 16) * (size_t)(options->input_height + 16);
    size_t capacity = (size_t)options->frame_count * (area * 3 + 4096);
    encoder->options = *options;
    encoder->bytes = (sv_output){.bytes = malloc(capacity), .capacity = capacity};
    encoder->pictures = calloc((size_t)options->frame_count, sizeof *encoder->pictures);
    encoder->random = seed ^ 0x9e3779b97f4a7c15u;
    h264_surface_create(&encoder->input, options->input_width, options->input_height, &encoder->random);
    make_parameters(encoder);
    result.status = h264_encode_pictures(encoder);
    if (encoder->bytes.overflow) result.status = VA_STATUS_ERROR_NOT_ENOUGH_BUFFER;
    collect(encoder, &result);
    free(encoder->input.memory);
    for (int i = 0; i < H264_SURFACES; i++) free(encoder->surfaces[i].memory);
    free(encoder->pictures);
    free(encoder);
    return result;
}

h264_result h264_run(uint64_t seed, h264_fault fault) {
    h264_options options = h264_options_random(seed);
    options.fault = fault;
    // A driver that writes the headers itself has nothing to disagree with.
    options.packs_headers |= fault != H264_NO_FAULT;
    return run(&options, seed);
}

h264_result h264_run_clip(const char *path, int width, int height, int frames, char gop, bool cabac) {
    h264_options options = {.frame_count = frames, .qp = 28, .gop = gop, .source = path, .profile = cabac ? 77 : 66,
        .reference_frames = gop == 'B' ? 2 : 1, .uses_b = gop == 'B', .packs_headers = true};
    options.input_width = options.cropped_width = width;
    options.input_height = options.cropped_height = height;
    return run(&options, 1);
}

void h264_result_free(h264_result *result) {
    free(result->stream);
    free(result->reconstruction);
    *result = (h264_result){0};
}
