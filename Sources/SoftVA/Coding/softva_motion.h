// SPDX-License-Identifier: MIT
// Motion search, alike for both codecs. What a fractional position looks like is the codec's business.
#ifndef SOFTVA_MOTION_H
#define SOFTVA_MOTION_H

#include "softva_plane.h"

/// A motion vector in quarter luma samples.
typedef struct {
    int16_t x, y;
} sv_vector;

static inline bool sv_vector_equal(sv_vector a, sv_vector b) { return a.x == b.x && a.y == b.y; }

/// A luma block to find in `reference`. Costs are sums of absolute differences plus `lambda` / 16 for each bit of the
/// difference to `predictor`. The search leaves the picture by at most SV_MARGIN - 8 samples and
/// a fraction.
typedef struct {
    const sv_plane *source, *reference;
    int x, y, width, height;
    sv_vector predictor;
    unsigned lambda;
} sv_search;

/// The sum of absolute differences of two blocks, or any larger number than `limit` once it is exceeded. The width
/// is 4, 8, 16, 32 or 64, the height a multiple of four.
unsigned sv_sad(const sv_sample *a, ptrdiff_t a_stride, const sv_sample *b, ptrdiff_t b_stride, int width, int height,
    unsigned limit);

/// About how many bits two signed Exp-Golomb codes take for `vector` - `predictor`, scaled by lambda.
unsigned sv_vector_cost(const sv_search *search, sv_vector vector);

/// Finds a vector of whole samples: the best of `starts`, rounded, followed downhill. Returns its cost.
unsigned sv_search_whole(const sv_search *search, const sv_vector *starts, int count, sv_vector *best);

/// Refines `best`, whose cost is `cost`, by half and by quarter samples. `distortion` is asked for the sum of absolute
/// differences at a vector. Returns the cost of the new `best`.
unsigned sv_search_fraction(const sv_search *search, unsigned (*distortion)(void *context, sv_vector vector),
    void *context, unsigned cost, sv_vector *best);

#endif
