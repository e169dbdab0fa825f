// SPDX-License-Identifier: MIT
// Transforms (8.6.4.2), quantisation and scaling with flat scaling lists (8.6.3).
#include <stdlib.h>
#include <string.h>

#include "softva_hevc.h"
#include "softva_lanes.h"

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
        int size = type == 4 ? 4 : 4 << type, odd = type == 4 ? 0 : size / 2;
        for (int k = 0; k < size; k++) {
            for (int n = 0; n < size; n++) {
                int value = type == 4 ? sine[k][n] : basis(k * (32 / size), n);
                int place = type == 4 ? k : k / 2 + (k & 1) * odd;
                transforms->forward[type][k * size + n] = (int16_t)value;
                transforms->inverse[type][n * size + place] = (int16_t)value;
            }
        }
    }
}

enum { STRIDE = SV_HEVC_RESIDUAL_STRIDE };

/// Eight columns of a block: each pair of its rows interleaved, the left four columns and the right four.
typedef struct {
    sv_lanes left[16], right[16];
} row_pairs;

static inline void interleave(const sv_lanes *rows, int count, row_pairs *pairs) {
    for (int i = 0; i < count; i += 2) {
        pairs->left[i / 2] = sv_interleave_low(rows[i], rows[i + 1]);
        pairs->right[i / 2] = sv_interleave_high(rows[i], rows[i + 1]);
    }
}

/// The sums of `count` rows from row `first` on, both even, each times its factor.
static inline void sum_rows(
    const row_pairs *pairs, int first, int count, const int16_t *factors, sv_words *left, sv_words *right) {
    sv_words left_sum = {0}, right_sum = {0};
    for (int i = 0; i < count; i += 2) {
        int32_t two;
        memcpy(&two, factors + i, sizeof two);
        sv_lanes factor = (sv_lanes)(sv_words){two, two, two, two};
        left_sum += sv_multiply_pairs(pairs->left[(first + i) / 2], factor);
        right_sum += sv_multiply_pairs(pairs->right[(first + i) / 2], factor);
    }
    *left = left_sum;
    *right = right_sum;
}

/// Mirrored rows become their sum, in the first half, and their difference; `folds` times with the first half.
static inline void fold(sv_lanes *rows, int count, int folds) {
    for (; folds > 0; folds--, count /= 2) {
        sv_lanes folded[32];
        for (int i = 0; i < count / 2; i++) {
            folded[i] = rows[i] + rows[count - 1 - i];
            folded[count / 2 + i] = rows[i] - rows[count - 1 - i];
        }
        memcpy(rows, folded, sizeof(sv_lanes) * (size_t)count);
    }
}

/// Transforms columns. Even basis functions are symmetric and odd ones are not, the even ones among themselves again:
/// of rows that were folded `folds` times each function needs one part only.
static void forward_columns(const int16_t *matrix, const int16_t *in, int size, int folds, int shift, int16_t *out) {
    for (int column = 0; column < size; column += 8) {
        sv_lanes rows[32];
        row_pairs pairs;
        for (int i = 0; i < size; i++) rows[i] = sv_load(in + i * STRIDE + column);
        fold(rows, size, folds);
        interleave(rows, size, &pairs);
        for (int k = 0; k < size; k++) {
            int zeros = 0, first = 0;
            while (zeros < folds && !(k >> zeros & 1)) zeros++;
            int count = size >> zeros;
            if (zeros < folds) first = count /= 2;
            sv_words left, right;
            sum_rows(&pairs, first, count, matrix + k * size, &left, &right);
            int rounding = 1 << (shift - 1);
            sv_store(out + k * STRIDE + column, sv_narrow((left + rounding) >> shift, (right + rounding) >> shift));
        }
    }
}

/// The way back for the first `width` columns, of which `height` rows are not all zero.
static void inverse_columns(
    const int16_t *matrix, const int16_t *in, int size, bool use_sine, int width, int height, int shift, int16_t *out) {
    int half = use_sine ? 0 : size / 2, step = use_sine ? 1 : 2, count = (height + 2 * step - 1) / (2 * step) * 2;
    for (int column = 0; column < width; column += 8) {
        sv_lanes rows[32];
        row_pairs even, odd;
        for (int i = 0; i < count; i++) rows[i] = sv_load(in + step * i * STRIDE + column);
        interleave(rows, count, &even);
        for (int i = 0; i < count && half; i++) rows[i] = sv_load(in + (2 * i + 1) * STRIDE + column);
        if (half) interleave(rows, count, &odd);
        for (int n = 0; n < size - half; n++) {
            sv_words left, right, odd_left = {0}, odd_right = {0};
            sum_rows(&even, 0, count, matrix + n * size, &left, &right);
            if (half) sum_rows(&odd, 0, count, matrix + n * size + half, &odd_left, &odd_right);
            left += 1 << (shift - 1);
            right += 1 << (shift - 1);
            sv_store(out + n * STRIDE + column, sv_narrow((left + odd_left) >> shift, (right + odd_right) >> shift));
            if (!half) continue;
            sv_store(out + (size - 1 - n) * STRIDE + column,
                sv_narrow((left - odd_left) >> shift, (right - odd_right) >> shift));
        }
    }
}

/// Exchanges rows and columns of 8x8 values, of which those beyond `rows` and `columns` do not matter.
static void transpose_eight(const int16_t *in, int rows, int columns, int16_t *out) {
    sv_lanes block[8] = {{0}};
    for (int i = 0; i < 8 && i < rows; i++) block[i] = sv_load(in + i * STRIDE);
    sv_transpose(block);
    for (int i = 0; i < 8 && i < columns; i++) sv_store(out + i * STRIDE, block[i]);
}

static void transpose(const int16_t *in, int rows, int columns, int16_t *out) {
    for (int y = 0; y < rows; y += 8) {
        for (int x = 0; x < columns; x += 8) {
            transpose_eight(in + y * STRIDE + x, rows - y, columns - x, out + x * STRIDE + y);
        }
    }
}

/// Whether one of eight values is at least `least`, or at most minus as much.
static inline bool any_reaches(const int16_t *values, int16_t least) {
    sv_lanes eight = sv_load(values), reached = (eight >= least) | (eight <= (int16_t)-least);
    uint64_t bits[2];
    memcpy(bits, &reached, sizeof bits);
    return (bits[0] | bits[1]) != 0;
}

/// The sum of the squares of a residual.
static uint64_t energy_of(const int16_t *residual, int size) {
    uint64_t energy = 0;
    for (int y = 0; y < size; y++) {
        sv_words sums = {0};
        for (int x = 0; x < size; x += 8) {
            sv_lanes eight = sv_load(residual + y * STRIDE + x);
            if (size == 4) eight = sv_interleave_low(eight, (sv_lanes){0});
            sums += sv_multiply_pairs(eight, eight);
        }
        energy += (uint64_t)sums[0] + (uint64_t)sums[1] + (uint64_t)sums[2] + (uint64_t)sums[3];
    }
    return energy;
}

bool sv_hevc_quantise(const sv_hevc *hevc, const int16_t *residual, int log2_size, bool use_sine, int qp, bool intra,
    int16_t *levels) {
    static const int scales[6] = {26214, 23302, 20560, 18396, 16384, 14564};
    int size = 1 << log2_size;
    int bits = 14 + qp / 6 + 15 - hevc->bit_depth - log2_size;
    uint32_t offset = (uint32_t)(((uint64_t)(intra ? 171 : 85) << bits) >> 9), scale = (uint32_t)scales[qp % 6];

    // The transform keeps the energy, scaled by two to the power of `gain`: no coefficient exceeds its square root.
    uint64_t least = ((1u << bits) - offset) / scale;
    int gain = 15 - hevc->bit_depth - log2_size;
    if (energy_of(residual, size) << (2 * gain) < least * least * 7 / 8) return false;

    // The second pass folds once, so the first leaves a bit of room for the sums.
    int16_t half[32 * STRIDE], coefficients[32 * STRIDE];
    const int16_t *matrix = hevc->transforms.forward[use_sine ? 4 : log2_size - 2];
    int room = use_sine ? 0 : 1, folds = use_sine ? 0 : log2_size - 1;
    forward_columns(matrix, residual, size, folds, log2_size + hevc->bit_depth - 9 + room, half);
    transpose(half, size, size, coefficients);
    forward_columns(matrix, coefficients, size, room, log2_size + 6 - room, half);
    transpose(half, size, size, coefficients);
    int any = 0, threshold = (int)(least < 32767 ? least : 32767);
    for (int y = 0; y < size; y++, levels += size) {
        const int16_t *row = coefficients + y * STRIDE;
        memset(levels, 0, sizeof *levels * (size_t)size);
        for (int x = 0; x < size; x++) {
            if (x % 8 == 0 && !any_reaches(row + x, (int16_t)threshold)) {
                x += 7;
                continue;
            }
            // A coefficient has 15 bits, scale and offset keep the sum below 32; more than 32767 is only asked for by
            // a residual that no picture has.
            int level = sv_min((int)(((uint32_t)abs(row[x]) * scale + offset) >> bits), 32767);
            any |= level;
            levels[x] = (int16_t)(row[x] < 0 ? -level : level);
        }
    }
    return any != 0;
}

/// Scales levels into a block of zeros; returns how many columns and, in `height`, rows are not all zero.
static int scale_levels(const int16_t *levels, int size, int64_t scale, int shift, int16_t *out, int *height) {
    int64_t rounding = (int64_t)1 << (shift - 1);
    int width = 0;
    *height = 0;
    for (int y = 0; y < size; y++, levels += size, out += STRIDE) {
        for (int x = 0; x < size; x += 4) {
            uint64_t four;
            memcpy(&four, levels + x, sizeof four);
            if (!four) continue;
            for (int i = x; i < x + 4; i++) {
                int64_t value = (levels[i] * scale + rounding) >> shift;
                out[i] = (int16_t)(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
            }
            width = sv_max(width, x + 4);
            *height = y + 1;
        }
    }
    return width;
}

void sv_hevc_reconstruct(const sv_hevc *hevc, const int16_t *levels, int log2_size, bool use_sine, int qp,
    sv_sample *out, ptrdiff_t stride) {
    static const int scales[6] = {40, 45, 51, 57, 64, 72};
    int size = 1 << log2_size, maximum = (1 << hevc->bit_depth) - 1, height;
    int16_t block[32 * STRIDE] = {0}, other[32 * STRIDE];
    int width = scale_levels(levels, size, (int64_t)(16 * scales[qp % 6]) << (qp / 6),
        hevc->bit_depth + log2_size - 5, block, &height);
    const int16_t *matrix = hevc->transforms.inverse[use_sine ? 4 : log2_size - 2];
    inverse_columns(matrix, block, size, use_sine, width, height, 7, other);
    transpose(other, size, width, block);
    inverse_columns(matrix, block, size, use_sine, size, width, 20 - hevc->bit_depth, other);
    transpose(other, size, size, block);
    for (int y = 0; y < size; y++, out += stride) {
        for (int x = 0; x < size; x += 4) {
            for (int i = x; i < x + 4; i++) {
                out[i] = (sv_sample)sv_clip(0, maximum, out[i] + block[y * STRIDE + i]);
            }
        }
    }
}

int sv_hevc_chroma_qp(int index) {
    static const int8_t table[14] = {29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37};
    return index < 30 ? index : index >= 43 ? index - 6 : table[index - 30];
}
