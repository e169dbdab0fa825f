// SPDX-License-Identifier: MIT
// Samples between samples, 8.4.2.2.
#include <string.h>

#include "softva_h264.h"

enum { SIDE = 18 };  // of the arrays of half positions: a block of 16 and one sample before and after it

static inline int six_taps(int a, int b, int c, int d, int e, int f) { return a - 5 * b + 20 * c + 20 * d - 5 * e + f; }

static inline sv_sample clipped(int value) { return (sv_sample)sv_clip(0, 255, value); }

void h264_window_open(h264_window *window, const sv_plane *plane, int x, int y) {
    // Three samples before the first one of the block, three behind the last, and one more for the position before.
    const sv_sample *area = sv_plane_block(plane, x - 4, y - 4, 24, 24, window->scratch, &window->stride);
    ptrdiff_t stride = window->stride;
    window->whole = area + 4 * stride + 4;
    const sv_sample *first = area + 3 * stride + 3;  // where the arrays begin
    int16_t sums[24][SIDE];
    for (int row = 0; row < 24; row++) {
        const sv_sample *s = area + row * stride + 3;
        for (int i = 0; i < SIDE; i++) {
            sums[row][i] = (int16_t)six_taps(s[i - 2], s[i - 1], s[i], s[i + 1], s[i + 2], s[i + 3]);
        }
    }
    for (int row = 0; row < SIDE; row++) {
        const sv_sample *s = first + row * stride;
        sv_sample *horizontal = window->horizontal + row * SIDE, *vertical = window->vertical + row * SIDE;
        sv_sample *both = window->both + row * SIDE;
        for (int i = 0; i < SIDE; i++) horizontal[i] = clipped((sums[row + 3][i] + 16) >> 5);
        for (int i = 0; i < SIDE; i++) {
            vertical[i] = clipped((six_taps(s[i - 2 * stride], s[i - stride], s[i], s[i + stride], s[i + 2 * stride],
                                       s[i + 3 * stride]) + 16) >> 5);
        }
        for (int i = 0; i < SIDE; i++) {
            both[i] = clipped((six_taps(sums[row + 1][i], sums[row + 2][i], sums[row + 3][i], sums[row + 4][i],
                                   sums[row + 5][i], sums[row + 6][i]) + 512) >> 10);
        }
    }
}

/// A sample array that a quarter position is the mean of, or is.
typedef struct {
    const sv_sample *samples;
    ptrdiff_t stride;
} view;

/// The array that holds position (x, y) in half samples from the window's position.
static view half_position(const h264_window *window, int x, int y) {
    ptrdiff_t column = x >> 1, row = y >> 1;
    if (!(x & 1) && !(y & 1)) return (view){window->whole + row * window->stride + column, window->stride};
    const sv_sample *array = x & 1 ? y & 1 ? window->both : window->horizontal : window->vertical;
    return (view){array + (row + 1) * SIDE + column + 1, SIDE};
}

void h264_window_predict(const h264_window *window, int dx, int dy, sv_sample *prediction) {
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
        for (int i = 0; i < 16; i++) prediction[i] = (sv_sample)((a.samples[i] + b.samples[i] + 1) >> 1);
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
        for (int i = 0; i < 8; i++) {
            out[i] = (sv_sample)((a * in[i] + b * in[i + 1] + c * in[i + stride] + d * in[i + stride + 1] + 32) >> 6);
        }
    }
}

void h264_predict_inter(const sv_planes *reference, int x, int y, sv_vector vector, h264_block *prediction) {
    int left = x + (vector.x >> 2), top = y + (vector.y >> 2), dx = vector.x & 3, dy = vector.y & 3;
    if (dx || dy) {
        h264_window window;
        h264_window_open(&window, &reference->planes[0], left, top);
        h264_window_predict(&window, dx, dy, prediction->luma);
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
