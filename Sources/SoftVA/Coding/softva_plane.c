// SPDX-License-Identifier: MIT
#include "softva_plane.h"

#include <stdlib.h>
#include <string.h>

#include "softva_lanes.h"

static bool create(sv_plane *plane, int width, int height) {
    plane->stride = width + 2 * SV_MARGIN;
    plane->width = width;
    plane->height = height;
    // Whoever loads eight samples where four are left reads four beyond the last row.
    plane->memory = malloc(((size_t)plane->stride * (size_t)(height + 2 * SV_MARGIN) + 4) * sizeof(sv_sample));
    if (!plane->memory) return false;
    plane->samples = plane->memory + SV_MARGIN * plane->stride + SV_MARGIN;
    return true;
}

bool sv_planes_create(sv_planes *planes, int width, int height, int bit_depth) {
    memset(planes, 0, sizeof *planes);
    planes->bit_depth = bit_depth;
    for (int i = 0; i < 3; i++) {
        if (!create(&planes->planes[i], i ? width / 2 : width, i ? height / 2 : height)) {
            sv_planes_destroy(planes);
            return false;
        }
    }
    return true;
}

void sv_planes_destroy(sv_planes *planes) {
    for (int i = 0; i < 3; i++) free(planes->planes[i].memory);
    memset(planes, 0, sizeof *planes);
}

/// Gives `count` samples from `out` on one value.
static void fill(sv_sample *out, int count, sv_sample value) {
    int x = 0;
    for (; x + 8 <= count; x += 8) sv_store(out + x, sv_all((int16_t)value));
    for (; x < count; x++) out[x] = value;
}

/// Repeats the samples of row `y` right of `valid` and left of 0.
static void extend_row(sv_plane *plane, int y, int valid) {
    sv_sample *row = plane->samples + y * plane->stride;
    fill(row - SV_MARGIN, SV_MARGIN, row[0]);
    fill(row + valid, plane->width + SV_MARGIN - valid, row[valid - 1]);
}

/// Repeats row `valid` - 1 below it and row 0 above it.
static void extend_columns(sv_plane *plane, int valid) {
    size_t bytes = (size_t)plane->stride * sizeof(sv_sample);
    const sv_sample *top = plane->samples - SV_MARGIN, *bottom = top + (valid - 1) * plane->stride;
    for (int y = 1; y <= SV_MARGIN; y++) memcpy(plane->memory + (SV_MARGIN - y) * plane->stride, top, bytes);
    for (int y = valid; y < plane->height + SV_MARGIN; y++) {
        memcpy(plane->memory + (SV_MARGIN + y) * plane->stride, bottom, bytes);
    }
}

// The loops over bytes work on groups of a fixed size, of which a compiler makes vector instructions.

static inline __attribute__((always_inline)) void load_bytes(
    sv_sample *restrict out, const uint8_t *restrict in, int step, int count) {
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        for (int i = x; i < x + 16; i++) out[i] = in[i * step];
    }
    for (; x < count; x++) out[x] = in[x * step];
}

static inline __attribute__((always_inline)) void store_bytes(
    uint8_t *restrict out, const sv_sample *restrict in, int step, int count) {
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        for (int i = x; i < x + 16; i++) out[i * step] = (uint8_t)in[i];
    }
    for (; x < count; x++) out[x * step] = (uint8_t)in[x];
}

/// Reads every `step`th value of a row, from value `first` on: bytes at depth 8, else words with the value on top. The
/// step is one or two.
static void load_row(sv_sample *out, const uint8_t *in, int first, int step, int count, int bit_depth) {
    if (bit_depth == 8 && step == 1) {
        load_bytes(out, in, 1, count);
    } else if (bit_depth == 8) {
        load_bytes(out, in + first, 2, count);
    } else {
        for (int x = 0; x < count; x++) {
            const uint8_t *word = in + 2 * (first + x * step);
            out[x] = (sv_sample)((word[0] | word[1] << 8) >> (16 - bit_depth));
        }
    }
}

static void store_row(uint8_t *out, const sv_sample *in, int first, int step, int count, int bit_depth) {
    if (bit_depth == 8 && step == 1) {
        store_bytes(out, in, 1, count);
    } else if (bit_depth == 8) {
        store_bytes(out + first, in, 2, count);
    } else {
        for (int x = 0; x < count; x++) {
            unsigned value = (unsigned)in[x] << (16 - bit_depth);
            uint8_t *word = out + 2 * (first + x * step);
            word[0] = (uint8_t)value;
            word[1] = (uint8_t)(value >> 8);
        }
    }
}

void sv_planes_load(sv_planes *planes, const sv_picture *picture) {
    for (int i = 0; i < 3; i++) {
        sv_plane *plane = &planes->planes[i];
        int width = sv_min(plane->width, i ? (picture->width + 1) / 2 : picture->width);
        int height = sv_min(plane->height, i ? (picture->height + 1) / 2 : picture->height);
        const uint8_t *row = i ? picture->chroma : picture->luma;
        size_t pitch = i ? picture->chroma_pitch : picture->luma_pitch;
        for (int y = 0; y < height; y++, row += pitch) {
            load_row(plane->samples + y * plane->stride, row, i == 2, i ? 2 : 1, width, planes->bit_depth);
            extend_row(plane, y, width);
        }
        extend_columns(plane, height);
    }
}

void sv_planes_load_grey(sv_planes *planes) {
    for (int i = 0; i < 3; i++) {
        sv_plane *plane = &planes->planes[i];
        ptrdiff_t count = plane->stride * (plane->height + 2 * SV_MARGIN);
        for (ptrdiff_t k = 0; k < count; k++) plane->memory[k] = (sv_sample)(1 << (planes->bit_depth - 1));
    }
}

void sv_planes_store(const sv_planes *planes, sv_picture *picture) {
    for (int i = 0; i < 3; i++) {
        const sv_plane *plane = &planes->planes[i];
        uint8_t *row = i ? picture->chroma : picture->luma;
        size_t pitch = i ? picture->chroma_pitch : picture->luma_pitch;
        for (int y = 0; y < plane->height; y++, row += pitch) {
            store_row(row, plane->samples + y * plane->stride, i == 2, i ? 2 : 1, plane->width, planes->bit_depth);
        }
    }
}

const sv_sample *sv_plane_block(
    const sv_plane *plane, int x, int y, int width, int height, sv_sample *scratch, ptrdiff_t *stride) {
    if (x >= -SV_MARGIN && y >= -SV_MARGIN && x + width <= plane->width + SV_MARGIN &&
        y + height <= plane->height + SV_MARGIN) {
        *stride = plane->stride;
        return plane->samples + y * plane->stride + x;
    }
    *stride = width;
    for (int row = 0; row < height; row++) {
        const sv_sample *in = plane->samples + sv_clip(0, plane->height - 1, y + row) * plane->stride;
        for (int column = 0; column < width; column++) {
            scratch[row * width + column] = in[sv_clip(0, plane->width - 1, x + column)];
        }
    }
    return scratch;
}
