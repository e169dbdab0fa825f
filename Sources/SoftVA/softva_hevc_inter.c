// SPDX-License-Identifier: MIT
// Prediction from other pictures: fractional samples and their average (8.5.3.3).
#include "softva_hevc.h"

static const int8_t luma_taps[4][8] = {
    {0, 0, 0, 64, 0, 0, 0, 0}, {-1, 4, -10, 58, 17, -5, 1, 0}, {-1, 4, -11, 40, 40, -11, 4, -1},
    {0, 1, -5, 17, 58, -10, 4, -1}};
static const int8_t chroma_taps[8][4] = {{0, 64, 0, 0}, {-2, 58, 10, -2}, {-4, 54, 16, -2}, {-6, 46, 28, -4},
    {-4, 36, 36, -4}, {-4, 28, 46, -6}, {-2, 16, 54, -4}, {-2, 10, 58, -2}};

/// A block at a fractional position: taps of both directions, NULL at whole samples.
typedef struct {
    const sv_plane *plane;
    int x, y, width, height, tap_count;
    const int8_t *horizontal, *vertical;
} fractional_block;

/// Filters with `taps` that lie `step` samples apart.
static inline __attribute__((always_inline)) void filter_rows(const int16_t *in, ptrdiff_t in_stride, ptrdiff_t step,
    const int8_t *taps, int tap_count, int width, int height, int shift, int16_t *out) {
    for (int y = 0; y < height; y++, in += in_stride, out += 64) {
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int k = 0; k < tap_count; k++) sum += taps[k] * in[x + k * step];
            out[x] = (int16_t)(sum >> shift);
        }
    }
}

/// The same for samples of eight bits, whose sums fit sixteen bits.
static inline __attribute__((always_inline)) void filter_bytes(const int16_t *in, ptrdiff_t in_stride, ptrdiff_t step,
    const int8_t *taps, int tap_count, int width, int height, int16_t *out) {
    for (int y = 0; y < height; y++, in += in_stride, out += 64) {
        for (int x = 0; x < width; x++) {
            uint16_t sum = 0;
            for (int k = 0; k < tap_count; k++) sum = (uint16_t)(sum + taps[k] * in[x + k * step]);
            out[x] = (int16_t)sum;
        }
    }
}

static void filter(const int16_t *in, ptrdiff_t in_stride, ptrdiff_t step, const int8_t *taps, int tap_count,
    int width, int height, int shift, int16_t *out) {
    if (tap_count == 8 && shift == 0) {
        filter_bytes(in, in_stride, step, taps, 8, width, height, out);
    } else if (tap_count == 8) {
        filter_rows(in, in_stride, step, taps, 8, width, height, shift, out);
    } else {
        filter_rows(in, in_stride, step, taps, 4, width, height, shift, out);
    }
}

/// predSamples with 14 bits, in rows of 64.
static void interpolate(const fractional_block *block, int bit_depth, int16_t *out) {
    int before = block->tap_count / 2 - 1, shift = bit_depth - 8;
    int left = block->horizontal ? before : 0, above = block->vertical ? before : 0;
    int width = block->width + (block->horizontal ? block->tap_count - 1 : 0);
    int height = block->height + (block->vertical ? block->tap_count - 1 : 0);
    sv_sample scratch[71 * 71];
    ptrdiff_t stride;
    // Samples have at most ten bits, so that they are the same number with a sign.
    const int16_t *in = (const int16_t *)sv_plane_block(
        block->plane, block->x - left, block->y - above, width, height, scratch, &stride);
    if (!block->horizontal && !block->vertical) {
        for (int y = 0; y < block->height; y++) {
            for (int x = 0; x < block->width; x++) out[64 * y + x] = (int16_t)(in[y * stride + x] << (14 - bit_depth));
        }
    } else if (!block->vertical) {
        filter(in, stride, 1, block->horizontal, block->tap_count, block->width, block->height, shift, out);
    } else if (!block->horizontal) {
        filter(in, stride, stride, block->vertical, block->tap_count, block->width, block->height, shift, out);
    } else {
        int16_t rows[64 * 71];
        filter(in, stride, 1, block->horizontal, block->tap_count, block->width, height, shift, rows);
        filter(rows, 64, 64, block->vertical, block->tap_count, block->width, block->height, 6, out);
    }
}

/// One list's prediction of a component of the block at luma position (x, y).
static void predict_list(const sv_hevc *hevc, int component, int x, int y, int size, int list,
    const sv_hevc_motion *motion, int16_t *out) {
    const sv_planes *planes = hevc->slice->planes[list][motion->reference[list]];
    sv_vector vector = motion->vector[list];
    int scale = component ? 1 : 0, bits = 2 + scale, part_x = vector.x & ((1 << bits) - 1);
    int part_y = vector.y & ((1 << bits) - 1);
    fractional_block block = {.plane = &planes->planes[component], .x = (x >> scale) + (vector.x >> bits),
        .y = (y >> scale) + (vector.y >> bits), .width = size >> scale, .height = size >> scale,
        .tap_count = component ? 4 : 8};
    if (part_x) block.horizontal = component ? chroma_taps[part_x] : luma_taps[part_x];
    if (part_y) block.vertical = component ? chroma_taps[part_y] : luma_taps[part_y];
    interpolate(&block, hevc->bit_depth, out);
}

void sv_hevc_predict(const sv_hevc *hevc, int component, int x, int y, int size, const sv_hevc_motion *motion,
    sv_sample *out, ptrdiff_t stride) {
    int16_t samples[2][64 * 64];
    int maximum = (1 << hevc->bit_depth) - 1, count = component ? size / 2 : size, lists = 0;
    for (int list = 0; list < 2; list++) {
        if (motion->reference[list] < 0) continue;
        predict_list(hevc, component, x, y, size, list, motion, samples[lists++]);
    }
    int shift = 14 - hevc->bit_depth + (lists == 2), rounding = 1 << (shift - 1);
    for (int row = 0; row < count; row++, out += stride) {
        const int16_t *a = samples[0] + 64 * row, *b = samples[1] + 64 * row;
        if (lists == 2) {
            for (int i = 0; i < count; i++) out[i] = (sv_sample)sv_clip(0, maximum, (a[i] + b[i] + rounding) >> shift);
        } else {
            for (int i = 0; i < count; i++) out[i] = (sv_sample)sv_clip(0, maximum, (a[i] + rounding) >> shift);
        }
    }
}
