// SPDX-License-Identifier: MIT
// The 4x4 transform, its quantisation, and the way back, 8.5.
#include <stdlib.h>
#include <string.h>

#include "softva_h264.h"

// Raster positions in zig-zag order, figure 8-8.
static const uint8_t zigzag[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};

// LevelScale (table of 8.5.9) and the quantiser's factors: corners, centres, the rest.
static const uint8_t dequantiser[6][3] = {
    {10, 16, 13}, {11, 18, 14}, {13, 20, 16}, {14, 23, 18}, {16, 25, 20}, {18, 29, 23}};
static const uint16_t quantiser[6][3] = {
    {13107, 5243, 8066}, {11916, 4660, 7490}, {10082, 4194, 6554},
    {9362, 3647, 5825},  {8192, 3355, 5243},  {7282, 2893, 4559}};
static const uint8_t position_class[16] = {0, 2, 0, 2, 2, 1, 2, 1, 0, 2, 0, 2, 2, 1, 2, 1};

typedef int32_t coefficients[16];

static void forward(const sv_sample *source, ptrdiff_t stride, const sv_sample *prediction, ptrdiff_t prediction_stride,
    coefficients out) {
    int32_t rows[16];
    for (int y = 0; y < 4; y++) {
        int32_t d[4];
        for (int x = 0; x < 4; x++) d[x] = source[y * stride + x] - prediction[y * prediction_stride + x];
        int32_t a = d[0] + d[3], b = d[1] + d[2], c = d[1] - d[2], e = d[0] - d[3];
        rows[4 * y] = a + b;
        rows[4 * y + 1] = 2 * e + c;
        rows[4 * y + 2] = a - b;
        rows[4 * y + 3] = e - 2 * c;
    }
    for (int x = 0; x < 4; x++) {
        int32_t a = rows[x] + rows[12 + x], b = rows[4 + x] + rows[8 + x];
        int32_t c = rows[4 + x] - rows[8 + x], e = rows[x] - rows[12 + x];
        out[x] = a + b;
        out[4 + x] = 2 * e + c;
        out[8 + x] = a - b;
        out[12 + x] = e - 2 * c;
    }
}

/// Adds the inverse transform of scaled coefficients to the samples, 8.5.12.2.
static void add_inverse(const coefficients in, sv_sample *samples, ptrdiff_t stride) {
    int32_t rows[16];
    for (int y = 0; y < 4; y++) {
        const int32_t *d = in + 4 * y;
        int32_t a = d[0] + d[2], b = d[0] - d[2], c = (d[1] >> 1) - d[3], e = d[1] + (d[3] >> 1);
        rows[4 * y] = a + e;
        rows[4 * y + 1] = b + c;
        rows[4 * y + 2] = b - c;
        rows[4 * y + 3] = a - e;
    }
    for (int x = 0; x < 4; x++) {
        int32_t a = rows[x] + rows[8 + x], b = rows[x] - rows[8 + x];
        int32_t c = (rows[4 + x] >> 1) - rows[12 + x], e = rows[4 + x] + (rows[12 + x] >> 1);
        int32_t sums[4] = {a + e, b + c, b - c, a - e};
        for (int y = 0; y < 4; y++) {
            sv_sample *sample = samples + y * stride + x;
            *sample = (sv_sample)sv_clip(0, 255, *sample + ((sums[y] + 32) >> 6));
        }
    }
}

/// One level of a coefficient; `rounding` is a fraction of the step in 1/65536.
static inline int quantised(int32_t coefficient, int factor, int shift, int rounding) {
    int level = (int)(((int64_t)abs(coefficient) * factor + ((int64_t)rounding << shift >> 16)) >> shift);
    return coefficient < 0 ? -level : level;
}

// A third of a step for intra, a sixth for inter prediction, as levels are distributed around zero.
static int rounding_of(const sv_h264_mb *mb) { return sv_h264_is_intra(mb) ? 65536 / 3 : 65536 / 6; }

/// Quantises coefficients `first`...15 in scan order and scales them back in place. Returns the number of levels
/// other than zero.
static int quantise(coefficients block, int qp, int first, int rounding, int16_t levels[16]) {
    int count = 0, shift = 15 + qp / 6;
    for (int k = first; k < 16; k++) {
        int position = zigzag[k], class = position_class[position];
        int level = quantised(block[position], quantiser[qp % 6][class], shift, rounding);
        levels[k] = (int16_t)level;
        count += level != 0;
        block[position] = level * dequantiser[qp % 6][class] * (1 << qp / 6);
    }
    return count;
}

static void hadamard(int32_t block[16]) {
    for (int pass = 0; pass < 2; pass++) {
        int step = pass ? 4 : 1, next = pass ? 1 : 4;
        for (int i = 0; i < 4; i++) {
            int32_t *p = block + i * next;
            int32_t a = p[0] + p[3 * step], b = p[step] + p[2 * step];
            int32_t c = p[step] - p[2 * step], d = p[0] - p[3 * step];
            p[0] = a + b;
            p[step] = d + c;
            p[2 * step] = a - b;
            p[3 * step] = d - c;
        }
    }
}

/// Codes the 16 luma DC coefficients apart, 8.5.10, and puts what a decoder finds back into the blocks.
static void code_luma_dc(coefficients blocks[16], int qp, sv_h264_mb *mb, int16_t levels[16]) {
    int32_t dc[16];
    for (int i = 0; i < 16; i++) dc[i] = blocks[i][0];
    hadamard(dc);
    for (int k = 0; k < 16; k++) {
        int position = zigzag[k];
        int level = quantised(dc[position] / 2, quantiser[qp % 6][0], 16 + qp / 6, rounding_of(mb));
        levels[k] = (int16_t)level;
        dc[position] = level;
        if (level) mb->dc_coded |= 1;
    }
    hadamard(dc);
    for (int i = 0; i < 16; i++) {
        int32_t value = dc[i] * dequantiser[qp % 6][0];
        blocks[i][0] = qp >= 12 ? value * (1 << (qp / 6 - 2)) : (value + (1 << (1 - qp / 6))) >> (2 - qp / 6);
    }
}

static const sv_sample *source_of(const sv_h264_slice *slice, int component, ptrdiff_t *stride) {
    const sv_plane *plane = &slice->frame->source.planes[component];
    int size = component ? 8 : 16;
    *stride = plane->stride;
    return plane->samples + slice->y * size * plane->stride + slice->x * size;
}

void sv_h264_code_luma(const sv_h264_slice *slice, int qp, sv_h264_mb *mb, sv_h264_levels *levels, sv_sample *luma) {
    ptrdiff_t stride;
    const sv_sample *source = source_of(slice, 0, &stride);
    bool apart = mb->kind == H264_INTRA_16X16;
    coefficients blocks[16];
    mb->luma_pattern = 0;
    mb->dc_coded &= (uint8_t)~1u;
    for (int i = 0; i < 16; i++) {
        ptrdiff_t offset = i / 4 * 4 * 16 + i % 4 * 4;
        forward(source + i / 4 * 4 * stride + i % 4 * 4, stride, luma + offset, 16, blocks[i]);
        mb->nonzero[i] = (uint8_t)quantise(blocks[i], qp, apart, rounding_of(mb), levels->luma[i]);
        if (mb->nonzero[i]) mb->luma_pattern |= (uint8_t)(1u << (i / 8 * 2 + i % 4 / 2));
    }
    if (apart) {
        code_luma_dc(blocks, qp, mb, levels->luma_dc);
        if (mb->luma_pattern) mb->luma_pattern = 15;
    }
    if (!mb->luma_pattern && !(mb->dc_coded & 1)) return;
    for (int i = 0; i < 16; i++) add_inverse(blocks[i], luma + i / 4 * 4 * 16 + i % 4 * 4, 16);
}

int sv_h264_code_block(const sv_sample *source, ptrdiff_t stride, int qp, int16_t levels[16], sv_sample *samples,
    ptrdiff_t samples_stride) {
    coefficients block;
    forward(source, stride, samples, samples_stride, block);
    int count = quantise(block, qp, 0, 65536 / 3, levels);
    if (count) add_inverse(block, samples, samples_stride);
    return count;
}

/// Codes four chroma DC coefficients, 8.5.11. Returns whether one of them is not zero.
static bool code_chroma_dc(coefficients blocks[4], int qp, int rounding, int16_t levels[4]) {
    int32_t p = blocks[0][0], q = blocks[1][0], r = blocks[2][0], s = blocks[3][0];
    int32_t sums[4] = {p + q + r + s, p - q + r - s, p + q - r - s, p - q - r + s};
    bool any = false;
    for (int i = 0; i < 4; i++) {
        int level = quantised(sums[i], quantiser[qp % 6][0], 16 + qp / 6, rounding);
        levels[i] = (int16_t)level;
        any |= level != 0;
    }
    p = levels[0], q = levels[1], r = levels[2], s = levels[3];
    int32_t values[4] = {p + q + r + s, p - q + r - s, p + q - r - s, p - q - r + s};
    for (int i = 0; i < 4; i++) blocks[i][0] = (values[i] * dequantiser[qp % 6][0] * (1 << qp / 6)) >> 1;
    return any;
}

void sv_h264_code_chroma(const sv_h264_slice *slice, int qp, sv_h264_mb *mb, sv_h264_levels *levels, sv_sample chroma[2][64]) {
    mb->chroma_pattern = 0;
    mb->dc_coded &= 1;
    for (int c = 0; c < 2; c++) {
        ptrdiff_t stride;
        const sv_sample *source = source_of(slice, c + 1, &stride);
        int chroma_qp = sv_h264_chroma_qp(slice->frame, c + 1, qp);
        uint8_t *counts = mb->nonzero + (c ? H264_CR_BLOCKS : H264_CB_BLOCKS);
        coefficients blocks[4];
        for (int i = 0; i < 4; i++) {
            ptrdiff_t x = i % 2 * 4, y = i / 2 * 4;
            forward(source + y * stride + x, stride, chroma[c] + y * 8 + x, 8, blocks[i]);
            counts[i] = (uint8_t)quantise(blocks[i], chroma_qp, 1, rounding_of(mb), levels->chroma[c][i]);
            if (counts[i]) mb->chroma_pattern = 2;
        }
        if (code_chroma_dc(blocks, chroma_qp, rounding_of(mb), levels->chroma_dc[c])) {
            mb->dc_coded |= (uint8_t)(2u << c);
            if (!mb->chroma_pattern) mb->chroma_pattern = 1;
        }
        if (!counts[0] && !counts[1] && !counts[2] && !counts[3] && !(mb->dc_coded & 2u << c)) continue;
        for (int i = 0; i < 4; i++) add_inverse(blocks[i], chroma[c] + i / 2 * 4 * 8 + i % 2 * 4, 8);
    }
}

static unsigned bits_of(const int16_t *levels, int count) {
    unsigned bits = 0;
    for (int i = 0; i < count; i++) {
        unsigned size = (unsigned)abs(levels[i]);
        // With level_prefix at most 15, all that profiles below High have, 2063 is the largest level that every table
        // writes.
        if (size > 2063) return 1u << 20;
        if (size) bits += 6;
        if (size > 1) bits += 2 * (32 - (unsigned)__builtin_clz(size));
    }
    return bits;
}

unsigned sv_h264_estimated_bits(const sv_h264_mb *mb, const sv_h264_levels *levels) {
    unsigned bits = 200;
    if (mb->dc_coded & 1) bits += bits_of(levels->luma_dc, 16);
    bool apart = mb->kind == H264_INTRA_16X16;
    for (int i = 0; i < 16; i++) {
        if (mb->nonzero[i]) bits += bits_of(levels->luma[i] + apart, 16 - apart);
    }
    for (int c = 0; c < 2; c++) {
        bits += bits_of(levels->chroma_dc[c], 4);
        for (int i = 0; i < 4; i++) {
            if (mb->nonzero[H264_CB_BLOCKS + 4 * c + i]) bits += bits_of(levels->chroma[c][i] + 1, 15);
        }
    }
    return bits;
}
