// SPDX-License-Identifier: MIT
// The deblocking filter, 8.7.
#include <stdlib.h>

#include "softva_h264.h"

// Table 8-16, by indexA and indexB.
static const uint8_t alphas[52] = {
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  4,  4,   5,   6,   7,   8,   9,   10,  12,  13,
    15, 17, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255,
};
static const uint8_t betas[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0,  2,  2,  2,  3,  3,  3,  3,  4,  4,  4,
    6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18,
};
// Table 8-17: tC0 for bS 1 to 3, from indexA 17 on.
static const uint8_t clips[35][3] = {
    {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 1, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1},
    {1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 2, 3}, {1, 2, 3}, {2, 2, 3}, {2, 2, 4}, {2, 3, 4}, {2, 3, 4},
    {3, 3, 5}, {3, 4, 6}, {3, 4, 6}, {4, 5, 7}, {4, 5, 8}, {4, 6, 9}, {5, 7, 10}, {6, 8, 11}, {6, 8, 13},
    {7, 10, 14}, {8, 11, 16}, {9, 12, 18}, {10, 13, 20}, {11, 15, 23}, {13, 17, 25},
};

/// The filter's parameters along an edge.
typedef struct {
    int alpha, beta, index_a;
} thresholds;

/// Filters across one edge position; `step` leads from a sample to the next one across the edge.
static void filter_sample(sv_sample *q, ptrdiff_t step, const thresholds *limits, int strength, bool is_chroma) {
    int p0 = q[-step], p1 = q[-2 * step], q0 = q[0], q1 = q[step];
    int alpha = limits->alpha, beta = limits->beta;
    if (abs(p0 - q0) >= alpha || abs(p1 - p0) >= beta || abs(q1 - q0) >= beta) return;
    if (is_chroma && strength == 4) {
        q[-step] = (sv_sample)((2 * p1 + p0 + q1 + 2) >> 2);
        q[0] = (sv_sample)((2 * q1 + q0 + p1 + 2) >> 2);
        return;
    }
    if (is_chroma) {
        int clip = limits->index_a < 17 ? 1 : clips[limits->index_a - 17][strength - 1] + 1;
        int delta = sv_clip(-clip, clip, (((q0 - p0) * 4) + (p1 - q1) + 4) >> 3);
        q[-step] = (sv_sample)sv_clip(0, 255, p0 + delta);
        q[0] = (sv_sample)sv_clip(0, 255, q0 - delta);
        return;
    }
    int p2 = q[-3 * step], q2 = q[2 * step];
    bool smooth_p = abs(p2 - p0) < beta, smooth_q = abs(q2 - q0) < beta;
    if (strength == 4) {
        bool is_small = abs(p0 - q0) < (alpha >> 2) + 2;
        int p3 = q[-4 * step], q3 = q[3 * step];
        if (smooth_p && is_small) {
            q[-step] = (sv_sample)((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3);
            q[-2 * step] = (sv_sample)((p2 + p1 + p0 + q0 + 2) >> 2);
            q[-3 * step] = (sv_sample)((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3);
        } else {
            q[-step] = (sv_sample)((2 * p1 + p0 + q1 + 2) >> 2);
        }
        if (smooth_q && is_small) {
            q[0] = (sv_sample)((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3);
            q[step] = (sv_sample)((p0 + q0 + q1 + q2 + 2) >> 2);
            q[2 * step] = (sv_sample)((2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3);
        } else {
            q[0] = (sv_sample)((2 * q1 + q0 + p1 + 2) >> 2);
        }
        return;
    }
    int base = limits->index_a < 17 ? 0 : clips[limits->index_a - 17][strength - 1];
    int clip = base + smooth_p + smooth_q;
    int delta = sv_clip(-clip, clip, (((q0 - p0) * 4) + (p1 - q1) + 4) >> 3);
    int middle = (p0 + q0 + 1) >> 1;
    if (smooth_p) q[-2 * step] = (sv_sample)(p1 + sv_clip(-base, base, (p2 + middle - 2 * p1) >> 1));
    if (smooth_q) q[step] = (sv_sample)(q1 + sv_clip(-base, base, (q2 + middle - 2 * q1) >> 1));
    q[-step] = (sv_sample)sv_clip(0, 255, p0 + delta);
    q[0] = (sv_sample)sv_clip(0, 255, q0 - delta);
}

static bool is_far(sv_vector a, sv_vector b) { return abs(a.x - b.x) >= 4 || abs(a.y - b.y) >= 4; }

/// Whether two inter macroblocks move differently: other pictures, or vectors a sample apart, 8.7.2.1.
static bool moves_differently(const sv_h264_mb *p, const sv_h264_mb *q) {
    bool straight = p->surface[0] == q->surface[0] && p->surface[1] == q->surface[1];
    bool crossed = p->surface[0] == q->surface[1] && p->surface[1] == q->surface[0];
    bool straight_far = is_far(p->vector[0], q->vector[0]) || is_far(p->vector[1], q->vector[1]);
    bool crossed_far = is_far(p->vector[0], q->vector[1]) || is_far(p->vector[1], q->vector[0]);
    return !(straight && !straight_far) && !(crossed && !crossed_far);
}

/// bS of the four positions, each four luma samples long, of edge `edge`, 0...3, of `q`; `p` is the macroblock on the
/// other side. Returns whether one is not 0.
static bool find_strengths(const sv_h264_mb *p, const sv_h264_mb *q, int edge, bool vertical, uint8_t strengths[4]) {
    bool intra = sv_h264_is_intra(p) || sv_h264_is_intra(q), any = false;
    bool moves = !intra && edge == 0 && moves_differently(p, q);
    for (int i = 0; i < 4; i++) {
        int block = vertical ? 4 * i + edge : 4 * edge + i;
        int before = vertical ? (edge ? block - 1 : block + 3) : (edge ? block - 4 : block + 12);
        strengths[i] = intra ? (edge ? 3 : 4) : q->nonzero[block] || p->nonzero[before] ? 2 : moves;
        any |= strengths[i] != 0;
    }
    return any;
}

/// Filters an edge of one plane.
static void filter_edge(const sv_h264_frame *frame, int component, int x, int y, bool vertical, int qp,
    const VAEncSliceParameterBufferH264 *slice, const uint8_t strengths[4]) {
    const sv_plane *plane = &frame->reconstruction.planes[component];
    thresholds limits = {.index_a = sv_clip(0, 51, qp + 2 * slice->slice_alpha_c0_offset_div2)};
    limits.alpha = alphas[limits.index_a];
    limits.beta = betas[sv_clip(0, 51, qp + 2 * slice->slice_beta_offset_div2)];
    if (!limits.alpha || !limits.beta) return;
    ptrdiff_t across = vertical ? 1 : plane->stride, along = vertical ? plane->stride : 1;
    sv_sample *samples = plane->samples + y * plane->stride + x;
    int length = component ? 2 : 4;
    for (int i = 0; i < 4 * length; i++, samples += along) {
        int strength = strengths[i / length];
        if (strength) filter_sample(samples, across, &limits, strength, component != 0);
    }
}

/// The QP that an I_PCM macroblock filters with is 0.
static int filter_qp(const sv_h264_mb *mb) { return mb->kind == H264_PCM ? 0 : mb->qp; }

/// Filters one edge of a macroblock in all planes.
static void filter_planes(const sv_h264_frame *frame, int x, int y, int edge, bool vertical, const sv_h264_mb *p) {
    const sv_h264_mb *q = &frame->mbs[y * frame->width + x];
    uint8_t strengths[4];
    if (!find_strengths(p, q, edge, vertical, strengths)) return;
    const VAEncSliceParameterBufferH264 *slice = sv_h264_params(frame, q->piece);
    for (int component = 0; component < 3; component++) {
        if (component && edge & 1) break;  // chroma has every other edge
        int qp_p = filter_qp(p), qp_q = filter_qp(q), size = component ? 8 : 16;
        if (component) {
            qp_p = sv_h264_chroma_qp(frame, component, qp_p);
            qp_q = sv_h264_chroma_qp(frame, component, qp_q);
        }
        int offset = edge * (component ? 2 : 4);
        filter_edge(frame, component, x * size + (vertical ? offset : 0), y * size + (vertical ? 0 : offset), vertical,
            (qp_p + qp_q + 1) >> 1, slice, strengths);
    }
}

void sv_h264_deblock(sv_h264_frame *frame) {
    for (int y = 0; y < frame->height; y++) {
        for (int x = 0; x < frame->width; x++) {
            const sv_h264_mb *mb = &frame->mbs[y * frame->width + x];
            if (mb->piece < 0) continue;
            const VAEncSliceParameterBufferH264 *slice = sv_h264_params(frame, mb->piece);
            if (slice->disable_deblocking_filter_idc == 1) continue;
            for (int vertical = 1; vertical >= 0; vertical--) {
                const sv_h264_mb *other = vertical ? (x ? mb - 1 : NULL) : (y ? mb - frame->width : NULL);
                bool stays = slice->disable_deblocking_filter_idc == 2;
                if (other && (other->piece < 0 || (stays && other->piece != mb->piece))) other = NULL;
                if (other) filter_planes(frame, x, y, 0, vertical, other);
                for (int edge = 1; edge < 4; edge++) filter_planes(frame, x, y, edge, vertical, mb);
            }
        }
    }
}
