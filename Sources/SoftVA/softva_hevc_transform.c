// SPDX-License-Identifier: MIT
// Transforms (8.6.4.2), quantisation and scaling with flat scaling lists (8.6.4.1).
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "softva_hevc.h"

/// 64 * sqrt(2) * cos(i * pi / 64) as the standard rounds it.
static const int8_t cosines[33] = {64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67, 64,
    61, 57, 54, 50, 46, 43, 38, 36, 31, 25, 22, 18, 13, 9, 4, 0};
static const int8_t sine[4][4] = {{29, 55, 74, 84}, {74, 74, 0, -74}, {84, -29, -74, 55}, {55, -84, 74, -29}};

static int basis(int frequency, int position) {
    if (frequency == 0) return 64;
    int angle = (2 * position + 1) * frequency & 127;
    if (angle > 64) angle = 128 - angle;
    return angle > 32 ? -cosines[64 - angle] : cosines[angle];
}

void sv_hevc_transforms_create(sv_hevc_transforms *transforms) {
    for (int type = 0; type < 5; type++) {
        int size = type == 4 ? 4 : 4 << type;
        for (int k = 0; k < size; k++) {
            for (int n = 0; n < size; n++) {
                int value = type == 4 ? sine[k][n] : basis(k * (32 / size), n);
                transforms->forward[type][k * size + n] = (int16_t)value;
                transforms->inverse[type][n * size + k] = (int16_t)value;
            }
        }
    }
}

/// The scalar product of `count` values.
static inline int product(const int16_t *a, const int16_t *b, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

#ifdef __SSE2__

static inline __m128i load(const int16_t *values, bool four) {
    return four ? _mm_loadl_epi64((const __m128i *)values) : _mm_loadu_si128((const __m128i *)values);
}

/// The scalar products of `function` with four rows of `size` values each, rounded, shifted and limited.
static inline void multiply_rows(
    const int16_t *function, const int16_t *in, int size, int length, int shift, int16_t *out) {
    __m128i sums[4];
    for (int row = 0; row < 4; row++) {
        sums[row] = _mm_setzero_si128();
        for (int i = 0; i < length; i += 8) {
            __m128i products = _mm_madd_epi16(load(function + i, size == 4), load(in + row * size + i, size == 4));
            sums[row] = _mm_add_epi32(sums[row], products);
        }
    }
    // Four sums of four lanes become one vector of four sums.
    __m128i first = _mm_add_epi32(_mm_unpacklo_epi32(sums[0], sums[1]), _mm_unpackhi_epi32(sums[0], sums[1]));
    __m128i second = _mm_add_epi32(_mm_unpacklo_epi32(sums[2], sums[3]), _mm_unpackhi_epi32(sums[2], sums[3]));
    __m128i sum = _mm_add_epi32(_mm_unpacklo_epi64(first, second), _mm_unpackhi_epi64(first, second));
    sum = _mm_sra_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (shift - 1))), _mm_cvtsi32_si128(shift));
    _mm_storel_epi64((__m128i *)out, _mm_packs_epi32(sum, sum));
}

#else

static inline void multiply_rows(
    const int16_t *function, const int16_t *in, int size, int length, int shift, int16_t *out) {
    for (int row = 0; row < 4; row++) {
        int sum = (product(function, in + row * size, sv_min(length, size)) + (1 << (shift - 1))) >> shift;
        out[row] = (int16_t)sv_clip(-32768, 32767, sum);
    }
}

#endif

/// `rows` of `in`, each times `size` basis functions of `length` values; result transposed: out[function][row]. Rows
/// are a multiple of four; the length is one of eight, where blocks of four have nothing beyond their fourth value.
static void multiply(
    const int16_t *matrix, const int16_t *in, int size, int rows, int length, int shift, int16_t *out) {
    for (int row = 0; row < rows; row += 4) {
        for (int k = 0; k < size; k++) {
            multiply_rows(matrix + k * size, in + row * size, size, length, shift, out + k * size + row);
        }
    }
}

bool sv_hevc_quantise(const sv_hevc *hevc, const int16_t *residual, int log2_size, bool use_sine, int qp, bool intra,
    int16_t *levels) {
    static const int scales[6] = {26214, 23302, 20560, 18396, 16384, 14564};
    int size = 1 << log2_size, count = size * size;
    int first = log2_size + hevc->bit_depth - 9, second = log2_size + 6;
    int bits = 14 + qp / 6 + 15 - hevc->bit_depth - log2_size;
    uint32_t offset = (uint32_t)(((uint64_t)(intra ? 171 : 85) << bits) >> 9), scale = (uint32_t)scales[qp % 6];

    // The transform keeps the energy, scaled by two to the power of `gain`: no coefficient exceeds its square root.
    uint64_t least = ((1u << bits) - offset) / scale, energy = 0;
    for (int i = 0; i < count; i += size) energy += (uint64_t)product(residual + i, residual + i, size);
    int gain = 15 - hevc->bit_depth - log2_size;
    if (energy << (2 * gain) < least * least * 7 / 8) return false;

    int16_t half[32 * 32], coefficients[32 * 32];
    const int16_t *matrix = hevc->transforms.forward[use_sine ? 4 : log2_size - 2];
    multiply(matrix, residual, size, size, (size + 7) & ~7, first, half);
    multiply(matrix, half, size, size, (size + 7) & ~7, second, coefficients);
    int any = 0;
    // A coefficient has 15 bits, scale and offset keep the sum below 32; more than 32767 is only asked for by a
    // residual that no picture has.
    for (int i = 0; i < count; i++) {
        int value = coefficients[i];
        int level = (int)(((uint32_t)abs(value) * scale + offset) >> bits);
        level = sv_min(level, 32767);
        any |= level;
        levels[i] = (int16_t)(value < 0 ? -level : level);
    }
    return any != 0;
}

void sv_hevc_reconstruct(const sv_hevc *hevc, const int16_t *levels, int log2_size, bool use_sine, int qp,
    sv_sample *out, ptrdiff_t stride) {
    static const int scales[6] = {40, 45, 51, 57, 64, 72};
    int size = 1 << log2_size, maximum = (1 << hevc->bit_depth) - 1;
    int shift = hevc->bit_depth + log2_size - 5;
    int64_t scale = (int64_t)(16 * scales[qp % 6]) << (qp / 6), rounding = (int64_t)1 << (shift - 1);

    // Columns of coefficients become rows, so that both passes multiply rows; what lies beyond the last is zero.
    int16_t columns[32 * 32], half[32 * 32], residual[32 * 32];
    int width = 0, height = 0;
    memset(columns, 0, sizeof(int16_t) * (size_t)(size * size));
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            int level = levels[y * size + x];
            if (!level) continue;
            int64_t value = (level * scale + rounding) >> shift;
            columns[x * size + y] = (int16_t)(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
            width = sv_max(width, x + 1);
            height = y + 1;
        }
    }
    int rows = sv_min(size, (width + 7) & ~7), length = (height + 7) & ~7;
    const int16_t *matrix = hevc->transforms.inverse[use_sine ? 4 : log2_size - 2];
    multiply(matrix, columns, size, rows, length, 7, half);
    multiply(matrix, half, size, size, (rows + 7) & ~7, 20 - hevc->bit_depth, residual);
    for (int y = 0; y < size; y++) {
        // Each pass transposes the block: now a row of `residual` is a column of the picture.
        for (int x = 0; x < size; x++) {
            out[y * stride + x] = (sv_sample)sv_clip(0, maximum, out[y * stride + x] + residual[x * size + y]);
        }
    }
}

int sv_hevc_chroma_qp(int index) {
    static const int8_t table[14] = {29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37};
    return index < 30 ? index : index >= 43 ? index - 6 : table[index - 30];
}
