// SPDX-License-Identifier: MIT
// Intra_16x16 and chroma prediction, 8.3.3 and 8.3.4.
#include <limits.h>
#include <string.h>

#include "softva_h264.h"

/// Whether intra prediction may read a neighbour.
static bool may_read(const sv_h264_slice *slice, const sv_h264_mb *mb) {
    if (!mb) return false;
    return sv_h264_is_intra(mb) || !slice->frame->picture->pic_fields.bits.constrained_intra_pred_flag;
}

/// The current macroblock in a plane, with what may be read around it.
typedef struct {
    const sv_sample *samples, *source;
    ptrdiff_t stride, source_stride;
    int size;
    bool left, top, corner;
} surroundings;

static surroundings look_around(const sv_h264_slice *slice, int component) {
    int size = component ? 8 : 16;
    const sv_plane *plane = &slice->frame->reconstruction.planes[component];
    const sv_plane *source = &slice->frame->source.planes[component];
    return (surroundings){
        .samples = plane->samples + slice->y * size * plane->stride + slice->x * size,
        .source = source->samples + slice->y * size * source->stride + slice->x * size,
        .stride = plane->stride,
        .source_stride = source->stride,
        .size = size,
        .left = may_read(slice, slice->left),
        .top = may_read(slice, slice->top),
        .corner = may_read(slice, slice->top_left),
    };
}

static void predict_vertical(const surroundings *around, sv_sample *out) {
    for (int y = 0; y < around->size; y++) {
        memcpy(out + y * around->size, around->samples - around->stride, (size_t)around->size * sizeof *out);
    }
}

static void predict_horizontal(const surroundings *around, sv_sample *out) {
    for (int y = 0; y < around->size; y++) {
        sv_sample value = around->samples[y * around->stride - 1];
        for (int x = 0; x < around->size; x++) out[y * around->size + x] = value;
    }
}

static void predict_plane(const surroundings *around, sv_sample *out) {
    int half = around->size / 2;
    ptrdiff_t stride = around->stride;
    const sv_sample *top = around->samples - stride, *left = around->samples - 1;
    int horizontal = 0, vertical = 0;
    for (int i = 1; i <= half; i++) {
        horizontal += i * (top[half - 1 + i] - top[half - 1 - i]);
        vertical += i * (left[(half - 1 + i) * stride] - left[(half - 1 - i) * stride]);
    }
    int factor = around->size == 16 ? 5 : 34;
    int b = (factor * horizontal + 32) >> 6, c = (factor * vertical + 32) >> 6;
    int a = 16 * (left[(around->size - 1) * stride] + top[around->size - 1]);
    for (int y = 0; y < around->size; y++) {
        for (int x = 0; x < around->size; x++) {
            int value = (a + b * (x - half + 1) + c * (y - half + 1) + 16) >> 5;
            out[y * around->size + x] = (sv_sample)sv_clip(0, 255, value);
        }
    }
}

static int sum_of(const sv_sample *samples, ptrdiff_t step, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += samples[i * step];
    return sum;
}

static void fill(sv_sample *out, ptrdiff_t stride, int size, int value) {
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) out[y * stride + x] = (sv_sample)value;
    }
}

static void predict_dc_16x16(const surroundings *around, sv_sample *out) {
    int value = 128;
    int top = around->top ? sum_of(around->samples - around->stride, 1, 16) : 0;
    int left = around->left ? sum_of(around->samples - 1, around->stride, 16) : 0;
    if (around->top && around->left) {
        value = (top + left + 16) >> 5;
    } else if (around->top || around->left) {
        value = (top + left + 8) >> 4;
    }
    fill(out, 16, 16, value);
}

/// Each 4x4 block has a mean of its own; those off the diagonal prefer the edge they touch, 8.3.4.1.
static void predict_dc_chroma(const surroundings *around, sv_sample *out) {
    for (int i = 0; i < 4; i++) {
        int x = i % 2 * 4, y = i / 2 * 4, value = 128;
        bool top_only = around->top && x > y, left_only = around->left && y > x;
        bool use_top = around->top && !left_only, use_left = around->left && !top_only;
        int top = use_top ? sum_of(around->samples - around->stride + x, 1, 4) : 0;
        int left = use_left ? sum_of(around->samples + y * around->stride - 1, around->stride, 4) : 0;
        if (use_top && use_left) {
            value = (top + left + 4) >> 3;
        } else if (use_top || use_left) {
            value = (top + left + 2) >> 2;
        }
        fill(out + y * 8 + x, 8, 4, value);
    }
}

unsigned sv_h264_intra_16x16(const sv_h264_slice *slice, unsigned lambda, sv_sample *prediction, uint8_t *mode) {
    surroundings around = look_around(slice, 0);
    unsigned best = UINT_MAX;
    // Intra16x16PredMode: vertical, horizontal, DC, plane.
    for (int i = 0; i < 4; i++) {
        sv_sample candidate[256];
        if (i == 0 && around.top) {
            predict_vertical(&around, candidate);
        } else if (i == 1 && around.left) {
            predict_horizontal(&around, candidate);
        } else if (i == 2) {
            predict_dc_16x16(&around, candidate);
        } else if (i == 3 && around.top && around.left && around.corner) {
            predict_plane(&around, candidate);
        } else {
            continue;
        }
        unsigned cost = sv_sad(around.source, around.source_stride, candidate, 16, 16, 16, best);
        if (cost >= best) continue;
        best = cost;
        *mode = (uint8_t)i;
        memcpy(prediction, candidate, sizeof candidate);
    }
    return best + lambda * 5 / 16;
}

void sv_h264_intra_chroma(const sv_h264_slice *slice, sv_sample prediction[2][64], uint8_t *mode) {
    surroundings planes[2] = {look_around(slice, 1), look_around(slice, 2)};
    unsigned best = UINT_MAX;
    // intra_chroma_pred_mode: DC, horizontal, vertical, plane.
    for (int i = 0; i < 4; i++) {
        sv_sample candidate[2][64];
        unsigned cost = 0;
        if ((i == 1 || i == 3) && !planes[0].left) continue;
        if ((i == 2 || i == 3) && !planes[0].top) continue;
        if (i == 3 && !planes[0].corner) continue;
        for (int c = 0; c < 2; c++) {
            static void (*const predictors[4])(const surroundings *, sv_sample *) = {
                predict_dc_chroma, predict_horizontal, predict_vertical, predict_plane};
            predictors[i](&planes[c], candidate[c]);
            cost += sv_sad(planes[c].source, planes[c].source_stride, candidate[c], 8, 8, 8, UINT_MAX);
        }
        if (cost >= best) continue;
        best = cost;
        *mode = (uint8_t)i;
        memcpy(prediction, candidate, sizeof candidate);
    }
}
