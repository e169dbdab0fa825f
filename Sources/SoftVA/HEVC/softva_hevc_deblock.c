// SPDX-License-Identifier: MIT
// The deblocking filter (8.7.2).
#include <stdlib.h>

#include "softva_hevc.h"

// beta' and tC' of Table 8-12.
static const uint8_t beta_table[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64};
static const uint8_t tc_table[54] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 22, 24};

/// Four samples along an edge: `across` is the step over the edge, `along` the step to the next line; P is before
/// `samples`, Q begins there.
typedef struct {
    sv_sample *samples;
    ptrdiff_t across, along;
} edge_part;

static const sv_planes *reference_planes(const sv_hevc_slice *slice, const sv_hevc_motion *motion, int list) {
    int index = motion->reference[list];
    return index < 0 ? NULL : slice->planes[list][index];
}

static bool is_far(sv_vector a, sv_vector b) { return abs(a.x - b.x) >= 4 || abs(a.y - b.y) >= 4; }

/// Whether motion differs enough for a filter strength of one.
static bool moves_apart(
    const sv_hevc_slice *p_slice, const sv_hevc_motion *p, const sv_hevc_slice *q_slice, const sv_hevc_motion *q) {
    const sv_planes *p0 = reference_planes(p_slice, p, 0), *p1 = reference_planes(p_slice, p, 1);
    const sv_planes *q0 = reference_planes(q_slice, q, 0), *q1 = reference_planes(q_slice, q, 1);
    if ((p0 && p1) != (q0 && q1)) return true;
    if (!(p0 && p1)) {
        int i = p0 ? 0 : 1, k = q0 ? 0 : 1;
        return (p0 ? p0 : p1) != (q0 ? q0 : q1) || is_far(p->vector[i], q->vector[k]);
    }
    bool straight = p0 == q0 && p1 == q1, crossed = p0 == q1 && p1 == q0;
    bool straight_far = is_far(p->vector[0], q->vector[0]) || is_far(p->vector[1], q->vector[1]);
    bool crossed_far = is_far(p->vector[0], q->vector[1]) || is_far(p->vector[1], q->vector[0]);
    if (!straight && !crossed) return true;
    return (!straight || straight_far) && (!crossed || crossed_far);
}

/// bS of the four samples of an edge whose first Q sample is (x, y) and first P sample (px, py).
static int strength(const sv_hevc *hevc, int x, int y, int px, int py) {
    const sv_hevc_slice *q_slice = &hevc->slices[sv_hevc_owner(hevc, x, y)];
    const sv_hevc_slice *p_slice = &hevc->slices[sv_hevc_owner(hevc, px, py)];
    if (q_slice->params->slice_fields.bits.slice_deblocking_filter_disabled_flag) return 0;
    bool across = q_slice->params->slice_fields.bits.slice_loop_filter_across_slices_enabled_flag;
    if (q_slice != p_slice && !across) return 0;
    const sv_hevc_cell *q = sv_hevc_cell_at(hevc, x, y), *p = sv_hevc_cell_at(hevc, px, py);
    if (q->intra || p->intra) return 2;
    if (hevc->coded[(y >> 2) * hevc->unit_stride + (x >> 2)]) return 1;
    if (hevc->coded[(py >> 2) * hevc->unit_stride + (px >> 2)]) return 1;
    return moves_apart(p_slice, &p->motion, q_slice, &q->motion);
}

static int second_difference(const sv_sample *s, ptrdiff_t step) { return abs(s[2 * step] - 2 * s[step] + s[0]); }

/// The strong filter of one line, whose step over the edge is `d`.
static void filter_strong(sv_sample *s, ptrdiff_t d, int tc) {
    int p0 = s[-d], p1 = s[-2 * d], p2 = s[-3 * d], p3 = s[-4 * d], q0 = s[0], q1 = s[d], q2 = s[2 * d], q3 = s[3 * d];
    tc *= 2;
    s[-d] = (sv_sample)sv_clip(p0 - tc, p0 + tc, (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3);
    s[-2 * d] = (sv_sample)sv_clip(p1 - tc, p1 + tc, (p2 + p1 + p0 + q0 + 2) >> 2);
    s[-3 * d] = (sv_sample)sv_clip(p2 - tc, p2 + tc, (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3);
    s[0] = (sv_sample)sv_clip(q0 - tc, q0 + tc, (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3);
    s[d] = (sv_sample)sv_clip(q1 - tc, q1 + tc, (p0 + q0 + q1 + q2 + 2) >> 2);
    s[2 * d] = (sv_sample)sv_clip(q2 - tc, q2 + tc, (p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) >> 3);
}

/// The weak filter of one line; `p_side` and `q_side`: also the second sample of that side.
static void filter_weak(sv_sample *s, ptrdiff_t d, int tc, bool p_side, bool q_side, int maximum) {
    int p0 = s[-d], p1 = s[-2 * d], p2 = s[-3 * d], q0 = s[0], q1 = s[d], q2 = s[2 * d];
    int delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
    if (abs(delta) >= tc * 10) return;
    delta = sv_clip(-tc, tc, delta);
    s[-d] = (sv_sample)sv_clip(0, maximum, p0 + delta);
    s[0] = (sv_sample)sv_clip(0, maximum, q0 - delta);
    if (p_side) {
        int change = sv_clip(-(tc >> 1), tc >> 1, (((p2 + p0 + 1) >> 1) - p1 + delta) >> 1);
        s[-2 * d] = (sv_sample)sv_clip(0, maximum, p1 + change);
    }
    if (q_side) {
        int change = sv_clip(-(tc >> 1), tc >> 1, (((q2 + q0 + 1) >> 1) - q1 - delta) >> 1);
        s[d] = (sv_sample)sv_clip(0, maximum, q1 + change);
    }
}

static bool is_smooth_line(const sv_sample *s, ptrdiff_t d, int bend, int beta, int tc) {
    return 2 * bend < beta >> 2 && abs(s[-4 * d] - s[-d]) + abs(s[0] - s[3 * d]) < beta >> 3 &&
        abs(s[-d] - s[0]) < (5 * tc + 1) >> 1;
}

static void filter_luma(edge_part part, int beta, int tc, int maximum) {
    ptrdiff_t d = part.across;
    sv_sample *first = part.samples, *last = part.samples + 3 * part.along;
    int p_first = second_difference(first - 3 * d, d), p_last = second_difference(last - 3 * d, d);
    int q_first = second_difference(first, d), q_last = second_difference(last, d);
    if (p_first + q_first + p_last + q_last >= beta) return;
    bool strong = is_smooth_line(first, d, p_first + q_first, beta, tc) &&
        is_smooth_line(last, d, p_last + q_last, beta, tc);
    int side = (beta + (beta >> 1)) >> 3;
    for (int i = 0; i < 4; i++) {
        sv_sample *s = part.samples + i * part.along;
        if (strong) {
            filter_strong(s, d, tc);
        } else {
            filter_weak(s, d, tc, p_first + p_last < side, q_first + q_last < side, maximum);
        }
    }
}

static void filter_chroma(sv_sample *s, ptrdiff_t d, int tc, int maximum) {
    int p0 = s[-d], p1 = s[-2 * d], q0 = s[0], q1 = s[d];
    int delta = sv_clip(-tc, tc, (((q0 - p0) * 4) + p1 - q1 + 4) >> 3);
    s[-d] = (sv_sample)sv_clip(0, maximum, p0 + delta);
    s[0] = (sv_sample)sv_clip(0, maximum, q0 - delta);
}

static int tc_value(const sv_hevc *hevc, int qp, int strength, const VAEncSliceParameterBufferHEVC *slice) {
    int index = sv_clip(0, 53, qp + 2 * (strength - 1) + 2 * slice->slice_tc_offset_div2);
    return tc_table[index] * (1 << (hevc->bit_depth - 8));
}

/// Filters four luma lines, and their two chroma lines where the edge is on chroma's grid of eight.
static void filter_part(sv_hevc *hevc, int x, int y, bool vertical) {
    int px = vertical ? x - 1 : x, py = vertical ? y : y - 1;
    int bs = strength(hevc, x, y, px, py), maximum = (1 << hevc->bit_depth) - 1;
    if (bs == 0) return;
    const VAEncSliceParameterBufferHEVC *slice = hevc->slices[sv_hevc_owner(hevc, x, y)].params;
    int qp = (sv_hevc_cell_at(hevc, x, y)->qp + sv_hevc_cell_at(hevc, px, py)->qp + 1) >> 1;

    const sv_plane *luma = &hevc->decoded.planes[0];
    edge_part part = {luma->samples + y * luma->stride + x, vertical ? 1 : luma->stride, vertical ? luma->stride : 1};
    int beta = beta_table[sv_clip(0, 51, qp + 2 * slice->slice_beta_offset_div2)] * (1 << (hevc->bit_depth - 8));
    filter_luma(part, beta, tc_value(hevc, qp, bs, slice), maximum);

    if (bs < 2 || ((vertical ? x : y) & 15)) return;
    for (int i = 1; i < 3; i++) {
        const sv_plane *plane = &hevc->decoded.planes[i];
        int offset = i == 1 ? hevc->picture->pps_cb_qp_offset : hevc->picture->pps_cr_qp_offset;
        int tc = tc_value(hevc, sv_hevc_chroma_qp(qp + offset), bs, slice);
        sv_sample *samples = plane->samples + (y / 2) * plane->stride + x / 2;
        ptrdiff_t across = vertical ? 1 : plane->stride, along = vertical ? plane->stride : 1;
        for (int k = 0; k < 2; k++) filter_chroma(samples + k * along, across, tc, maximum);
    }
}

void sv_hevc_deblock(sv_hevc *hevc) {
    for (int vertical = 1; vertical >= 0; vertical--) {
        int edge = vertical ? SV_HEVC_LEFT_EDGE : SV_HEVC_TOP_EDGE;
        for (int y = 0; y < hevc->height; y += 8) {
            for (int x = 0; x < hevc->width; x += 8) {
                if ((vertical ? x : y) == 0 || !(sv_hevc_cell_at(hevc, x, y)->edges & edge)) continue;
                filter_part(hevc, x, y, vertical);
                filter_part(hevc, vertical ? x : x + 4, vertical ? y + 4 : y, vertical);
            }
        }
    }
}
