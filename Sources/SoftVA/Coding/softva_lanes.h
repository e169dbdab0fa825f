// SPDX-License-Identifier: MIT
// Eight values of sixteen bits at once. Compilers make one instruction of each function where the machine has it.
#ifndef SOFTVA_LANES_H
#define SOFTVA_LANES_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Without optimisation, too, a call would cost more than the function.
#define SV_INLINE static inline __attribute__((always_inline))

typedef int16_t sv_lanes __attribute__((vector_size(16)));
typedef uint16_t sv_unsigned_lanes __attribute__((vector_size(16)));
typedef int32_t sv_words __attribute__((vector_size(16)));

typedef int16_t sv_lanes_anywhere __attribute__((vector_size(16), aligned(1), may_alias));

SV_INLINE sv_lanes sv_load(const void *values) { return *(const sv_lanes_anywhere *)values; }
SV_INLINE void sv_store(void *to, sv_lanes values) { *(sv_lanes_anywhere *)to = values; }
/// Stores the first four values.
SV_INLINE void sv_store_four(void *to, sv_lanes values) { memcpy(to, &values, sizeof values / 2); }

SV_INLINE sv_lanes sv_all(int16_t value) {
    return (sv_lanes){value, value, value, value, value, value, value, value};
}

SV_INLINE sv_lanes sv_lanes_max(sv_lanes a, sv_lanes b) {
#ifdef __SSE2__
    return (sv_lanes)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    sv_lanes greater = a > b;
    return (a & greater) | (b & ~greater);
#endif
}

SV_INLINE sv_lanes sv_lanes_min(sv_lanes a, sv_lanes b) {
#ifdef __SSE2__
    return (sv_lanes)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    sv_lanes less = a < b;
    return (a & less) | (b & ~less);
#endif
}

/// Values limited to 0...`maximum`.
SV_INLINE sv_lanes sv_lanes_clip(sv_lanes values, sv_lanes maximum) {
    return sv_lanes_min(sv_lanes_max(values, (sv_lanes){0}), maximum);
}

/// Products of two vectors, each pair of neighbours summed.
SV_INLINE sv_words sv_multiply_pairs(sv_lanes a, sv_lanes b) {
#ifdef __SSE2__
    return (sv_words)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    sv_words sums;
    for (int i = 0; i < 4; i++) sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return sums;
#endif
}

/// Two vectors as one, limited to sixteen bits.
SV_INLINE sv_lanes sv_narrow(sv_words low, sv_words high) {
#ifdef __SSE2__
    return (sv_lanes)_mm_packs_epi32((__m128i)low, (__m128i)high);
#else
    sv_lanes result;
    for (int i = 0; i < 8; i++) {
        int value = i < 4 ? low[i] : high[i - 4];
        result[i] = (int16_t)(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
    }
    return result;
#endif
}

/// The first, or the last, four values of both, in turn.
SV_INLINE sv_lanes sv_interleave_low(sv_lanes a, sv_lanes b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

SV_INLINE sv_lanes sv_interleave_high(sv_lanes a, sv_lanes b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

SV_INLINE void sv_weave(const sv_lanes in[8], sv_lanes out[8]) {
    out[0] = sv_interleave_low(in[0], in[4]);
    out[1] = sv_interleave_high(in[0], in[4]);
    out[2] = sv_interleave_low(in[1], in[5]);
    out[3] = sv_interleave_high(in[1], in[5]);
    out[4] = sv_interleave_low(in[2], in[6]);
    out[5] = sv_interleave_high(in[2], in[6]);
    out[6] = sv_interleave_low(in[3], in[7]);
    out[7] = sv_interleave_high(in[3], in[7]);
}

/// Exchanges rows and columns of eight vectors: each round interleaves the first half with the second.
SV_INLINE void sv_transpose(sv_lanes rows[8]) {
    sv_lanes first[8], second[8];
    sv_weave(rows, first);
    sv_weave(first, second);
    sv_weave(second, rows);
}

#endif
