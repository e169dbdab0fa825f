// SPDX-License-Identifier: MIT
// Samples between samples, 8.4.2.2.
#include <string.h>

#include "softva_h264.h"
#include "softva_lanes.h"

enum { ROWS = H264_WINDOW_ROWS, STRIDE = H264_WINDOW_STRIDE };

/// The six taps between `s` and the next sample, `step` apart. Sums of bytes fit sixteen bits.
static inline sv_lanes six_taps(const sv_sample *s, ptrdiff_t step) {
    sv_lanes outer = sv_load(s - 2 * step) + sv_load(s + 3 * step);
    sv_lanes middle = sv_load(s - step) + sv_load(s + 2 * step), inner = sv_load(s) + sv_load(s + step);
    return outer - 5 * middle + 20 * inner;
}

/// Six taps of sums of six taps, in rows of STRIDE, rounded back to samples.
static inline sv_lanes six_taps_of_sums(const int16_t *s) {
    const sv_lanes first = {1, -5, 1, -5, 1, -5, 1, -5}, second = sv_all(20), third = {-5, 1, -5, 1, -5, 1, -5, 1};
    sv_lanes rows[6];
    for (int i = 0; i < 6; i++) rows[i] = sv_load(s + (i - 2) * STRIDE);
    sv_words low = sv_multiply_pairs(sv_interleave_low(rows[0], rows[1]), first);
    low += sv_multiply_pairs(sv_interleave_low(rows[2], rows[3]), second);
    low += sv_multiply_pairs(sv_interleave_low(rows[4], rows[5]), third);
    sv_words high = sv_multiply_pairs(sv_interleave_high(rows[0], rows[1]), first);
    high += sv_multiply_pairs(sv_interleave_high(rows[2], rows[3]), second);
    high += sv_multiply_pairs(sv_interleave_high(rows[4], rows[5]), third);
    return sv_narrow((low + 512) >> 10, (high + 512) >> 10);
}

static inline sv_lanes clipped(sv_lanes values) { return sv_lanes_clip(values, sv_all(255)); }

void sv_h264_window_open(sv_h264_window *window, const sv_plane *plane, int x, int y) {
    // Three samples before the first one of the block, three behind the last, one more for the position before, and
    // columns up to the number that is computed.
    const sv_sample *area = sv_plane_block(plane, x - 4, y - 4, 32, 24, window->scratch, &window->stride);
    ptrdiff_t stride = window->stride;
    window->whole = area + 4 * stride + 4;
    const sv_sample *first = area + 3 * stride + 3;  // where the arrays begin
    int16_t sums[24 * STRIDE];
    for (int row = 0; row < 24; row++) {
        for (int i = 0; i < STRIDE; i += 8) sv_store(sums + row * STRIDE + i, six_taps(area + row * stride + 3 + i, 1));
    }
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < STRIDE; i += 8) {
            int at = row * STRIDE + i;
            const int16_t *sum = sums + at + 3 * STRIDE;
            sv_store(window->horizontal + at, clipped((sv_load(sum) + 16) >> 5));
            sv_store(window->vertical + at, clipped((six_taps(first + row * stride + i, stride) + 16) >> 5));
            sv_store(window->both + at, clipped(six_taps_of_sums(sum)));
        }
    }
}

/// A sample array that a quarter position is the mean of, or is.
typedef struct {
    const sv_sample *samples;
    ptrdiff_t stride;
} view;

/// The array that holds position (x, y) in half samples from the window's position.
static view half_position(const sv_h264_window *window, int x, int y) {
    ptrdiff_t column = x >> 1, row = y >> 1;
    if (!(x & 1) && !(y & 1)) return (view){window->whole + row * window->stride + column, window->stride};
    const sv_sample *array = x & 1 ? y & 1 ? window->both : window->horizontal : window->vertical;
    return (view){array + (row + 1) * STRIDE + column + 1, STRIDE};
}

void sv_h264_window_predict(const sv_h264_window *window, int dx, int dy, sv_sample *prediction) {
    view a, b;
    if (dx & 1 && dy & 1) {
        // Diagonal: the mean of the nearest horizontal and the nearest vertical half position, figure 8-4.
        int x = dx >> 1, y = dy >> 1;
        a = half_position(window, x | 1, y & 1 ? y + 1 : y);
        b = half_position(window, x & 1 ? x + 1 : x, y | 1);
    } else {
        a = half_position(window, dx >> 1, dy >> 1);
        b = half_position(window, (dx + 1) >> 1, (dy + 1) >> 1);
    }
    for (int row = 0; row < 16; row++, a.samples += a.stride, b.samples += b.stride, prediction += 16) {
        for (int i = 0; i < 16; i += 8) {
            sv_store(prediction + i, (sv_load(a.samples + i) + sv_load(b.samples + i) + 1) >> 1);
        }
    }
}

/// A chroma block of 8x8 in eighths of a sample, 8.4.2.2.2.
static void predict_chroma(const sv_plane *plane, int x, int y, sv_vector vector, sv_sample *out) {
    sv_sample scratch[9 * 9];
    ptrdiff_t stride;
    int fx = vector.x & 7, fy = vector.y & 7;
    const sv_sample *in = sv_plane_block(plane, x + (vector.x >> 3), y + (vector.y >> 3), 9, 9, scratch, &stride);
    int a = (8 - fx) * (8 - fy), b = fx * (8 - fy), c = (8 - fx) * fy, d = fx * fy;
    for (int row = 0; row < 8; row++, in += stride, out += 8) {
        // At most 64 * 255 + 32: sixteen bits.
        sv_lanes above = (int16_t)a * sv_load(in) + (int16_t)b * sv_load(in + 1);
        sv_lanes below = (int16_t)c * sv_load(in + stride) + (int16_t)d * sv_load(in + stride + 1);
        sv_store(out, (above + below + 32) >> 6);
    }
}

void sv_h264_predict_inter(const sv_planes *reference, int x, int y, sv_vector vector, sv_h264_block *prediction) {
    int left = x + (vector.x >> 2), top = y + (vector.y >> 2), dx = vector.x & 3, dy = vector.y & 3;
    if (dx || dy) {
        sv_h264_window window;
        sv_h264_window_open(&window, &reference->planes[0], left, top);
        sv_h264_window_predict(&window, dx, dy, prediction->luma);
    } else {
        sv_sample scratch[256];
        ptrdiff_t stride;
        const sv_sample *block = sv_plane_block(&reference->planes[0], left, top, 16, 16, scratch, &stride);
        for (int row = 0; row < 16; row++) {
            memcpy(prediction->luma + 16 * row, block + row * stride, 16 * sizeof(sv_sample));
        }
    }
    for (int c = 0; c < 2; c++) {
        predict_chroma(&reference->planes[c + 1], x / 2, y / 2, vector, prediction->chroma[c]);
    }
}
