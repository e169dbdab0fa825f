// SPDX-License-Identifier: MIT
// Prediction from other pictures: fractional samples and their average (8.5.3.3).
#include <string.h>

#include "softva_hevc.h"
#include "softva_lanes.h"

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

// Filters work on eight samples at once, also where a width of four leaves the other four without meaning.

/// Filters with `taps` that lie `step` samples apart.
static void filter_wide(const int16_t *in, ptrdiff_t in_stride, ptrdiff_t step, const int8_t *taps, int tap_count,
    int width, int height, int shift, int16_t *out) {
    for (int y = 0; y < height; y++, in += in_stride, out += 64) {
        for (int x = 0; x < width; x += 8) {
            sv_words low = {0}, high = {0};
            for (int k = 0; k < tap_count; k += 2) {
                sv_lanes first = sv_load(in + x + k * step), second = sv_load(in + x + (k + 1) * step);
                sv_lanes factors = sv_interleave_low(sv_all(taps[k]), sv_all(taps[k + 1]));
                low += sv_multiply_pairs(sv_interleave_low(first, second), factors);
                high += sv_multiply_pairs(sv_interleave_high(first, second), factors);
            }
            sv_store(out + x, sv_narrow(low >> shift, high >> shift));
        }
    }
}

/// Filters samples of eight bits, whose sums fit sixteen bits.
static void filter_bytes(const int16_t *in, ptrdiff_t in_stride, ptrdiff_t step, const int8_t *taps, int tap_count,
    int width, int height, int16_t *out) {
    for (int y = 0; y < height; y++, in += in_stride, out += 64) {
        for (int x = 0; x < width; x += 8) {
            sv_unsigned_lanes sum = {0};
            for (int k = 0; k < tap_count; k++) {
                sum += (sv_unsigned_lanes)sv_load(in + x + k * step) * (uint16_t)taps[k];
            }
            sv_store(out + x, (sv_lanes)sum);
        }
    }
}

static void filter(const int16_t *in, ptrdiff_t in_stride, ptrdiff_t step, const int8_t *taps, int tap_count,
    int width, int height, int shift, int16_t *out) {
    if (shift == 0) {
        filter_bytes(in, in_stride, step, taps, tap_count, width, height, out);
    } else {
        filter_wide(in, in_stride, step, taps, tap_count, width, height, shift, out);
    }
}

/// predSamples with 14 bits, in rows of 64.
static void interpolate(const fractional_block *block, int bit_depth, int16_t *restrict out) {
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
            for (int x = 0; x < block->width; x += 8) {
                sv_store(out + 64 * y + x, sv_load(in + y * stride + x) << (14 - bit_depth));
            }
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

/// Rounds one prediction, or the sum of two if `b` is not NULL, of 14 bits to samples.
static void round_rows(const int16_t *a, const int16_t *b, int size, int bit_depth, sv_sample *out, ptrdiff_t stride) {
    sv_lanes maximum = sv_all((int16_t)((1 << bit_depth) - 1)), ones = sv_all(1);
    int shift = 14 - bit_depth + (b != NULL), rounding = 1 << (shift - 1);
    for (int y = 0; y < size; y++, a += 64, out += stride) {
        for (int x = 0; x < size; x += 8) {
            sv_lanes sum = sv_load(a + x);
            if (b) {
                sv_lanes other = sv_load(b + 64 * y + x);
                sv_words low = sv_multiply_pairs(sv_interleave_low(sum, other), ones);
                sv_words high = sv_multiply_pairs(sv_interleave_high(sum, other), ones);
                sum = sv_narrow((low + rounding) >> shift, (high + rounding) >> shift);
            } else {
                // Of a width of four the other samples are anything: their sum may wrap around.
                sum = (sv_lanes)((sv_unsigned_lanes)sum + (uint16_t)rounding) >> shift;
            }
            sum = sv_lanes_clip(sum, maximum);
            if (size == 4) {
                sv_store_four(out, sum);
            } else {
                sv_store(out + x, sum);
            }
        }
    }
}

/// Copies a block that one list predicts at whole samples; false, and nothing is done, if it is another.
static bool copy_whole(const sv_hevc *hevc, int component, int x, int y, int size, const sv_hevc_motion *motion,
    sv_sample *out, ptrdiff_t stride) {
    int list = motion->reference[0] < 0, scale = component ? 1 : 0, bits = 2 + scale;
    sv_vector vector = motion->vector[list];
    if (motion->reference[1 - list] >= 0 || ((vector.x | vector.y) & ((1 << bits) - 1))) return false;
    const sv_plane *plane = &hevc->slice->planes[list][motion->reference[list]]->planes[component];
    sv_sample scratch[64 * 64];
    ptrdiff_t in_stride;
    size >>= scale;
    const sv_sample *in = sv_plane_block(
        plane, (x >> scale) + (vector.x >> bits), (y >> scale) + (vector.y >> bits), size, size, scratch, &in_stride);
    for (int row = 0; row < size; row++) {
        memcpy(out + row * stride, in + row * in_stride, (size_t)size * sizeof *out);
    }
    return true;
}

void sv_hevc_predict(const sv_hevc *hevc, int component, int x, int y, int size, const sv_hevc_motion *motion,
    sv_sample *out, ptrdiff_t stride) {
    if (copy_whole(hevc, component, x, y, size, motion, out, stride)) return;
    int16_t samples[2][64 * 64];
    int lists = 0;
    for (int list = 0; list < 2; list++) {
        if (motion->reference[list] < 0) continue;
        predict_list(hevc, component, x, y, size, list, motion, samples[lists++]);
    }
    round_rows(samples[0], lists == 2 ? samples[1] : NULL, component ? size / 2 : size, hevc->bit_depth, out, stride);
}
