// SPDX-License-Identifier: MIT
// Intra prediction (8.4.4.2).
#include <stdlib.h>
#include <string.h>

#include "softva_hevc.h"
#include "softva_lanes.h"

static const int8_t angles[35] = {0, 0, 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32, -26, -21,
    -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32};

/// Gives each unavailable sample of a border its predecessor's value (8.4.4.2.2); `filled` marks the available ones.
static void substitute(sv_sample *border, const bool *filled, int count, int bit_depth) {
    int first = 0;
    while (first < count && !filled[first]) first++;
    sv_sample value = (sv_sample)(first < count ? border[first] : 1 << (bit_depth - 1));
    for (int i = 0; i < count; i++) {
        if (filled[i]) value = border[i];
        border[i] = value;
    }
}

void sv_hevc_intra_border(const sv_hevc *hevc, int component, int x, int y, int size, sv_hevc_border border) {
    const sv_plane *plane = &hevc->decoded.planes[component];
    int scale = component ? 1 : 0, corner = 2 * size, step = 4 >> scale;
    bool filled[129] = {false};
    for (int i = 0; i < 2 * size; i += step) {
        if (sv_hevc_available(hevc, (x - 1) * (1 << scale), (y + i) * (1 << scale))) {
            for (int k = i; k < i + step; k++) {
                border[corner - 1 - k] = plane->samples[(y + k) * plane->stride + x - 1];
                filled[corner - 1 - k] = true;
            }
        }
        if (sv_hevc_available(hevc, (x + i) * (1 << scale), (y - 1) * (1 << scale))) {
            memcpy(border + corner + 1 + i, plane->samples + (y - 1) * plane->stride + x + i,
                (size_t)step * sizeof(sv_sample));
            memset(filled + corner + 1 + i, true, (size_t)step);
        }
    }
    if (sv_hevc_available(hevc, (x - 1) * (1 << scale), (y - 1) * (1 << scale))) {
        border[corner] = plane->samples[(y - 1) * plane->stride + x - 1];
        filled[corner] = true;
    }
    substitute(border, filled, 4 * size + 1, hevc->bit_depth);
    memset(border + 4 * size + 1, 0, 8 * sizeof *border);
}

void sv_hevc_intra_source_border(const sv_hevc *hevc, int x, int y, int size, sv_hevc_border border) {
    const sv_plane *plane = &hevc->source.planes[0];
    int corner = 2 * size;
    // Beyond the picture's edges the margin repeats its samples, which is near enough for an estimate.
    for (int i = 0; i < 2 * size; i++) {
        int below = sv_min(y + i, sv_min(y + size, plane->height) - 1), right = sv_min(x + i, plane->width - 1);
        border[corner - 1 - i] = plane->samples[below * plane->stride + x - 1];
        border[corner + 1 + i] = plane->samples[(y - 1) * plane->stride + right];
    }
    border[corner] = plane->samples[(y - 1) * plane->stride + x - 1];
    memset(border + 4 * size + 1, 0, 8 * sizeof *border);
}

/// Whether the border is filtered before `mode` predicts from it (8.4.4.2.3).
static bool is_filtered(int component, int log2_size, int mode) {
    static const int8_t thresholds[6] = {0, 0, 0, 7, 1, 0};
    if (component || mode == SV_HEVC_DC || log2_size == 2) return false;
    int distance = sv_min(abs(mode - SV_HEVC_VERTICAL), abs(mode - SV_HEVC_HORIZONTAL));
    return distance > thresholds[log2_size];
}

static void filter_border(const sv_hevc *hevc, int size, const sv_hevc_border in, sv_hevc_border out) {
    int last = 4 * size, corner = 2 * size, flat = 1 << (hevc->bit_depth - 5);
    int below = in[0], middle = in[corner], right = in[last];
    if (hevc->sequence->seq_fields.bits.strong_intra_smoothing_enabled_flag && size == 32 &&
        abs(middle + right - 2 * in[corner + size]) < flat && abs(middle + below - 2 * in[corner - size]) < flat) {
        out[0] = in[0];
        out[corner] = in[corner];
        out[last] = in[last];
        for (int i = 1; i < 64; i++) {
            out[corner - i] = (sv_sample)(((64 - i) * middle + i * below + 32) >> 6);
            out[corner + i] = (sv_sample)(((64 - i) * middle + i * right + 32) >> 6);
        }
        return;
    }
    for (int i = 1; i < last; i += 8) {
        sv_store(out + i, (sv_load(in + i - 1) + 2 * sv_load(in + i) + sv_load(in + i + 1) + 2) >> 2);
    }
    out[0] = in[0];
    out[last] = in[last];
}

/// Stores the part of eight samples that a block of `size` has room for.
static inline void store_part(sv_sample *out, sv_lanes samples, int size) {
    if (size == 4) {
        sv_store_four(out, samples);
    } else {
        sv_store(out, samples);
    }
}

static void predict_planar(int log2_size, const sv_sample *corner, sv_sample *out, ptrdiff_t stride) {
    int size = 1 << log2_size, right = corner[1 + size], below = corner[-1 - size];
    for (int x = 0; x < size; x += 8) {
        const sv_unsigned_lanes places = {1, 2, 3, 4, 5, 6, 7, 8};
        sv_unsigned_lanes above = (sv_unsigned_lanes)sv_load(corner + 1 + x), place = places + (uint16_t)x;
        sv_unsigned_lanes fixed = place * (uint16_t)right + (uint16_t)size, to_left = (uint16_t)size - place;
        for (int y = 0; y < size; y++) {
            // At most 64 * 1023 + 32: sixteen bits.
            sv_unsigned_lanes sum = fixed + to_left * corner[-1 - y] + above * (uint16_t)(size - 1 - y);
            sum += (uint16_t)((y + 1) * below);
            store_part(out + y * stride + x, (sv_lanes)(sum >> (log2_size + 1)), size);
        }
    }
}

static void predict_dc(
    int component, int log2_size, const sv_sample *corner, sv_sample *out, ptrdiff_t stride) {
    int size = 1 << log2_size, sum = size;
    for (int i = 1; i <= size; i++) sum += corner[i] + corner[-i];
    int value = sum >> (log2_size + 1);
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x += 8) store_part(out + y * stride + x, sv_all((int16_t)value), size);
    }
    if (component || size == 32) return;
    for (int i = 1; i < size; i++) {
        out[i] = (sv_sample)((corner[1 + i] + 3 * value + 2) >> 2);
        out[i * stride] = (sv_sample)((corner[-1 - i] + 3 * value + 2) >> 2);
    }
    out[0] = (sv_sample)((corner[-1] + 2 * value + corner[1] + 2) >> 2);
}

/// The lines that an angular mode predicts: rows if from the top, where `along` is 1; columns if from the left, where
/// `along` is -1. `corner` is the border's middle.
static void predict_lines(
    int mode, int size, const sv_sample *corner, int along, sv_sample *out, ptrdiff_t stride) {
    int angle = angles[mode], last = size * angle >> 5;
    sv_sample storage[32 + 64 + 1 + 8] = {0}, *reference = storage + 32;
    for (int i = 0; i <= 2 * size; i++) reference[i] = corner[i * along];
    if (last < -1) {
        int inverse = (256 * 32 - angle / 2) / angle;  // invAngle: 8192 / angle, rounded
        for (int i = -1; i >= last; i--) reference[i] = corner[-((i * inverse + 128) >> 8) * along];
    }
    for (int y = 0; y < size; y++) {
        int whole = (y + 1) * angle >> 5, part = (y + 1) * angle & 31;
        const sv_sample *from = reference + whole + 1;
        sv_sample *row = out + y * stride;
        for (int x = 0; x < size; x += 8) {
            // At most 32 * 1023 + 16: sixteen bits.
            sv_lanes sum = (int16_t)(32 - part) * sv_load(from + x) + (int16_t)part * sv_load(from + x + 1) + 16;
            store_part(row + x, sum >> 5, size);
        }
    }
}

/// Smooths the first sample of each line of an exactly vertical or horizontal prediction.
static void smooth_edge(const sv_sample *corner, int along, int size, int maximum, sv_sample *out, ptrdiff_t stride) {
    for (int i = 0; i < size; i++) {
        int value = out[i * stride] + ((corner[-along * (1 + i)] - corner[0]) >> 1);
        out[i * stride] = (sv_sample)sv_clip(0, maximum, value);
    }
}

static void predict_angle(int component, int size, int mode, const sv_sample *corner, int maximum, sv_sample *out,
    ptrdiff_t stride) {
    bool smooth = (mode == SV_HEVC_VERTICAL || mode == SV_HEVC_HORIZONTAL) && !component && size < 32;
    if (mode >= 18) {
        predict_lines(mode, size, corner, 1, out, stride);
        if (smooth) smooth_edge(corner, 1, size, maximum, out, stride);
        return;
    }
    sv_sample lines[32 * 32 + 4];
    predict_lines(mode, size, corner, -1, lines, size);
    if (smooth) smooth_edge(corner, -1, size, maximum, lines, size);
    for (int y = 0; y < size; y += 8) {
        for (int x = 0; x < size; x += 8) {
            sv_lanes block[8] = {{0}};
            for (int i = 0; i < sv_min(size, 8); i++) block[i] = sv_load(lines + (x + i) * size + y);
            sv_transpose(block);
            for (int i = 0; i < sv_min(size, 8); i++) store_part(out + (y + i) * stride + x, block[i], size);
        }
    }
}

void sv_hevc_intra_predict(const sv_hevc *hevc, int component, int log2_size, int mode, const sv_hevc_border border,
    sv_sample *out, ptrdiff_t stride) {
    int size = 1 << log2_size, maximum = (1 << hevc->bit_depth) - 1;
    sv_hevc_border filtered;
    if (is_filtered(component, log2_size, mode)) {
        filter_border(hevc, size, border, filtered);
        border = filtered;
    }
    const sv_sample *corner = border + 2 * size;
    if (mode == SV_HEVC_PLANAR) {
        predict_planar(log2_size, corner, out, stride);
    } else if (mode == SV_HEVC_DC) {
        predict_dc(component, log2_size, corner, out, stride);
    } else {
        predict_angle(component, size, mode, corner, maximum, out, stride);
    }
}
