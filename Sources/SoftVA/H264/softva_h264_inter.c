// SPDX-License-Identifier: MIT
// Motion search for a macroblock of one partition.
#include <limits.h>
#include <string.h>

#include "softva_h264.h"
#include "softva_lanes.h"

/// What sv_search_fraction hands to `distortion`.
typedef struct {
    sv_h264_window window;
    const sv_sample *source;
    ptrdiff_t stride;
    sv_vector whole;  // the window's position
} fraction_search;

static unsigned distortion(void *context, sv_vector vector) {
    fraction_search *search = context;
    sv_sample prediction[256];
    sv_h264_window_predict(&search->window, vector.x - search->whole.x, vector.y - search->whole.y, prediction);
    return sv_sad(search->source, search->stride, prediction, 16, 16, 16, UINT_MAX);
}

/// The largest magnitude of a vector's vertical component in quarter samples, table A-1. Level 1b, which can be
/// written as 11, allows no more than level 1.
static int vertical_limit(int level) {
    return 4 * (level <= 11 ? 64 : level <= 20 ? 128 : level <= 30 ? 256 : 512) - 4;
}

/// Bits of ref_idx as te(v) or ue(v).
static unsigned reference_bits(int count, int reference) {
    if (count == 1) return 0;
    if (count == 2) return 1;
    return 2 * (32 - (unsigned)__builtin_clz((unsigned)reference + 1)) - 1;
}

/// Searches one reference; returns the cost without that of ref_idx.
static unsigned search_reference(const sv_h264_slice *slice, int list, int reference, unsigned lambda, sv_vector *best) {
    const sv_plane *source = &slice->frame->source.planes[0];
    sv_search search = {
        .source = source,
        .reference = &slice->lists[list][reference]->planes[0],
        .x = slice->x * 16,
        .y = slice->y * 16,
        .width = 16,
        .height = 16,
        .predictor = sv_h264_predict_vector(slice, list, reference),
        .lambda = lambda,
    };
    sv_vector starts[4] = {search.predictor, {0, 0}};
    int count = 2;
    if (slice->left && slice->left->reference[list] >= 0) starts[count++] = slice->left->vector[list];
    if (slice->top && slice->top->reference[list] >= 0) starts[count++] = slice->top->vector[list];
    unsigned cost = sv_search_whole(&search, starts, count, best);
    int limit = vertical_limit(slice->frame->sequence->level_idc);
    if (best->y < -limit || best->y > limit || best->x < -8188 || best->x > 8187) {
        static const sv_vector zero[1];
        cost = sv_search_whole(&search, zero, 1, best);
    }
    // One step of a sample value: nothing to gain from fractions.
    if (cost < 256 || slice->frame->job->fast) return cost;
    fraction_search fraction;
    fraction.source = source->samples + search.y * source->stride + search.x;
    fraction.stride = source->stride;
    fraction.whole = *best;
    sv_h264_window_open(&fraction.window, search.reference, search.x + best->x / 4, search.y + best->y / 4);
    return sv_search_fraction(&search, distortion, &fraction, cost, best);
}

/// Searches all references of a list; returns the best cost.
static unsigned search_list(const sv_h264_slice *slice, int list, unsigned lambda, sv_h264_mb *mb) {
    unsigned best = UINT_MAX;
    for (int i = 0; i < slice->counts[list]; i++) {
        sv_vector vector;
        unsigned cost = search_reference(slice, list, i, lambda, &vector);
        cost += lambda * reference_bits(slice->counts[list], i) / 16;
        if (cost >= best) continue;
        best = cost;
        mb->reference[list] = (int8_t)i;
        mb->vector[list] = vector;
    }
    return best;
}

static void predict(const sv_h264_slice *slice, const sv_h264_mb *mb, int list, sv_h264_block *out) {
    sv_h264_predict_inter(
        slice->lists[list][mb->reference[list]], slice->x * 16, slice->y * 16, mb->vector[list], out);
}

static unsigned luma_distortion(const sv_h264_slice *slice, const sv_h264_block *prediction) {
    const sv_plane *source = &slice->frame->source.planes[0];
    const sv_sample *samples = source->samples + slice->y * 16 * source->stride + slice->x * 16;
    return sv_sad(samples, source->stride, prediction->luma, 16, 16, 16, UINT_MAX);
}

static void average(sv_sample *a, const sv_sample *b, int count) {
    for (int i = 0; i < count; i += 8) sv_store(a + i, (sv_load(a + i) + sv_load(b + i) + 1) >> 1);
}

/// Drops a list that is not used, and notes what the entropy coders and the deblocking filter need of the others.
static void settle(const sv_h264_slice *slice, sv_h264_mb *mb) {
    static const sv_vector zero;
    for (int list = 0; list < 2; list++) {
        int reference = mb->reference[list];
        mb->difference[list] = zero;
        if (reference < 0) {
            mb->vector[list] = zero;
            mb->surface[list] = VA_INVALID_SURFACE;
            continue;
        }
        const VAPictureH264 *pictures = list ? slice->params->RefPicList1 : slice->params->RefPicList0;
        sv_vector predicted = sv_h264_predict_vector(slice, list, reference), vector = mb->vector[list];
        mb->surface[list] = pictures[reference].picture_id;
        mb->difference[list] = (sv_vector){(int16_t)(vector.x - predicted.x), (int16_t)(vector.y - predicted.y)};
    }
}

/// Chooses between the best of a list and the vector of P_Skip, which costs no bits.
static unsigned decide_p(const sv_h264_slice *slice, unsigned lambda, sv_h264_mb *mb, sv_h264_block *prediction) {
    sv_h264_mb skip = *mb;
    skip.reference[0] = 0;
    skip.vector[0] = sv_h264_skip_vector(slice);
    sv_h264_block skipped;
    predict(slice, &skip, 0, &skipped);
    unsigned skip_cost = luma_distortion(slice, &skipped);
    // A difference of one in each sample disappears in the quantiser from about this QP on.
    bool is_good_enough = skip_cost < 256 && slice->target_qp >= 20;
    unsigned cost = is_good_enough ? UINT_MAX : search_list(slice, 0, lambda, mb);
    if (skip_cost <= cost) {
        *mb = skip;
        *prediction = skipped;
        return skip_cost;
    }
    predict(slice, mb, 0, prediction);
    return cost;
}

static unsigned decide_b(const sv_h264_slice *slice, unsigned lambda, sv_h264_mb *mb, sv_h264_block *prediction) {
    unsigned costs[2] = {search_list(slice, 0, lambda, mb), search_list(slice, 1, lambda, mb)};
    sv_h264_block both, single[2];
    predict(slice, mb, 0, &single[0]);
    predict(slice, mb, 1, &single[1]);
    both = single[0];
    average(both.luma, single[1].luma, 256);
    for (int c = 0; c < 2; c++) average(both.chroma[c], single[1].chroma[c], 64);
    // What the bits of both vectors and of the longer mb_type cost beside the distortion.
    unsigned both_cost = luma_distortion(slice, &both) + costs[0] - luma_distortion(slice, &single[0]) + costs[1] -
                         luma_distortion(slice, &single[1]) + lambda * 3 / 16;
    int better = costs[1] < costs[0];
    if (both_cost < costs[better]) {
        *prediction = both;
        return both_cost;
    }
    *prediction = single[better];
    mb->reference[!better] = -1;
    return costs[better];
}

unsigned sv_h264_inter(sv_h264_slice *slice, unsigned lambda, sv_h264_mb *mb, sv_h264_block *prediction) {
    mb->kind = H264_INTER;
    mb->reference[0] = mb->reference[1] = -1;
    unsigned cost = slice->type == H264_SLICE_B ? decide_b(slice, lambda, mb, prediction)
                                                : decide_p(slice, lambda, mb, prediction);
    settle(slice, mb);
    return cost;
}
