// SPDX-License-Identifier: MIT
#include "softva_motion.h"

#include <limits.h>
#include <string.h>

#include "softva_lanes.h"

/// Absolute differences of eight samples. Samples have at most ten bits, so that their difference fits sixteen.
static inline sv_lanes differences(const sv_sample *a, const sv_sample *b) {
    sv_lanes difference = sv_load(a) - sv_load(b);
    return sv_lanes_max(difference, -difference);
}

/// Absolute differences of four samples, and four zeros.
static inline sv_lanes four_differences(const sv_sample *a, const sv_sample *b) {
    sv_lanes first = {0}, second = {0};
    memcpy(&first, a, 4 * sizeof *a);
    memcpy(&second, b, 4 * sizeof *b);
    return sv_lanes_max(first - second, second - first);
}

/// sv_sad() for a width that is known where this is inlined.
static inline __attribute__((always_inline)) unsigned sad(const sv_sample *a, ptrdiff_t a_stride, const sv_sample *b,
    ptrdiff_t b_stride, int width, int height, unsigned limit) {
    sv_words sums = {0};
    unsigned sum = 0;
    for (int y = 0; y < height; y += 4) {
        // 32 differences of ten bits, four rows of 64 samples, fit each lane.
        sv_lanes lanes = {0};
        for (int row = 0; row < 4; row++, a += a_stride, b += b_stride) {
            if (width == 4) lanes += four_differences(a, b);
            for (int x = 0; x + 8 <= width; x += 8) lanes += differences(a + x, b + x);
        }
        sums += sv_multiply_pairs(lanes, sv_all(1));
        if ((y & 4) == 0 && y + 4 < height) continue;
        sum = (unsigned)(sums[0] + sums[1] + sums[2] + sums[3]);
        if (sum > limit) return sum;
    }
    return sum;
}

unsigned sv_sad(const sv_sample *a, ptrdiff_t a_stride, const sv_sample *b, ptrdiff_t b_stride, int width, int height,
    unsigned limit) {
    if (width == 4) return sad(a, a_stride, b, b_stride, 4, height, limit);
    if (width == 8) return sad(a, a_stride, b, b_stride, 8, height, limit);
    if (width == 16) return sad(a, a_stride, b, b_stride, 16, height, limit);
    return sad(a, a_stride, b, b_stride, width, height, limit);
}

/// The length of se(v) for `value`.
static unsigned exp_golomb_bits(int value) {
    unsigned code = (unsigned)(value > 0 ? 2 * value : 1 - 2 * value), bits = 1;
    while (code >>= 1) bits += 2;
    return bits;
}

unsigned sv_vector_cost(const sv_search *search, sv_vector vector) {
    unsigned bits =
        exp_golomb_bits(vector.x - search->predictor.x) + exp_golomb_bits(vector.y - search->predictor.y);
    return search->lambda * bits / 16;
}

/// `vector` in whole samples, moved so far towards the picture that the block stays near it.
static sv_vector whole_and_near(const sv_search *search, sv_vector vector) {
    const sv_plane *plane = search->reference;
    int beyond = SV_MARGIN - 8;
    int x = sv_clip(-beyond, plane->width + beyond - search->width, search->x + ((vector.x + 2) >> 2)) - search->x;
    int y = sv_clip(-beyond, plane->height + beyond - search->height, search->y + ((vector.y + 2) >> 2)) - search->y;
    return (sv_vector){(int16_t)(4 * x), (int16_t)(4 * y)};
}

/// Takes `vector` for `best` if it costs less than `cost`; returns the smaller cost.
static unsigned try_whole(const sv_search *search, sv_vector vector, unsigned cost, sv_vector *best) {
    const sv_plane *source = search->source, *reference = search->reference;
    unsigned bits = sv_vector_cost(search, vector);
    if (bits >= cost) return cost;
    const sv_sample *a = source->samples + search->y * source->stride + search->x;
    const sv_sample *b =
        reference->samples + (search->y + vector.y / 4) * reference->stride + search->x + vector.x / 4;
    unsigned sum = sv_sad(a, source->stride, b, reference->stride, search->width, search->height, cost - bits) + bits;
    if (sum >= cost) return cost;
    *best = vector;
    return sum;
}

unsigned sv_search_whole(const sv_search *search, const sv_vector *starts, int count, sv_vector *best) {
    static const int8_t diamond[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    unsigned cost = UINT_MAX;
    for (int i = 0; i < count; i++) {
        sv_vector start = whole_and_near(search, starts[i]);
        if (i && sv_vector_equal(start, *best)) continue;
        cost = try_whole(search, start, cost, best);
    }
    // Wide steps first, so that a small minimum next to the start does not catch the search.
    for (int step = 4; step >= 1; step /= 2) {
        for (int round = 0; round < 8; round++) {
            sv_vector centre = *best;
            for (int i = 0; i < 4; i++) {
                sv_vector next = {(int16_t)(centre.x + diamond[i][0] * step * 4),
                    (int16_t)(centre.y + diamond[i][1] * step * 4)};
                if (sv_vector_equal(next, whole_and_near(search, next))) cost = try_whole(search, next, cost, best);
            }
            if (sv_vector_equal(centre, *best)) break;
        }
    }
    return cost;
}

unsigned sv_search_fraction(const sv_search *search, unsigned (*distortion)(void *context, sv_vector vector),
    void *context, unsigned cost, sv_vector *best) {
    static const int8_t around[8][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    for (int step = 2; step >= 1; step--) {
        sv_vector centre = *best;
        for (int i = 0; i < 8; i++) {
            // Diagonal positions are asked for only next to a better straight one.
            if (i == 4 && sv_vector_equal(centre, *best)) break;
            sv_vector next = {
                (int16_t)(centre.x + around[i][0] * step), (int16_t)(centre.y + around[i][1] * step)};
            unsigned bits = sv_vector_cost(search, next);
            if (bits >= cost) continue;
            unsigned sum = distortion(context, next) + bits;
            if (sum < cost) {
                cost = sum;
                *best = next;
            }
        }
    }
    return cost;
}
