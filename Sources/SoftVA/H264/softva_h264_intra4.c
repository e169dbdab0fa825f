// SPDX-License-Identifier: MIT
// Intra_4x4 prediction, 8.3.1.
#include <limits.h>
#include <string.h>

#include "softva_h264.h"

enum { VERTICAL, HORIZONTAL, DC, DOWN_LEFT, DOWN_RIGHT, VERTICAL_RIGHT, HORIZONTAL_DOWN, VERTICAL_LEFT, HORIZONTAL_UP };

/// The samples around a block: left ones from the bottom up, the corner, then eight above.
typedef struct {
    int samples[13];
    bool left, top, corner;
} edge;

enum { LEFT = 3, CORNER = 4, TOP = 5 };  // of the first row, of the corner, of the first column

static bool may_read(const sv_h264_slice *slice, const sv_h264_mb *mb) {
    return mb && (sv_h264_is_intra(mb) || !slice->frame->picture->pic_fields.bits.constrained_intra_pred_flag);
}

/// Reads what 8.3.1.2 lets a block read; what is missing right above repeats the sample before it.
static edge edge_of(const sv_h264_slice *slice, int block, const sv_sample *samples, ptrdiff_t stride) {
    int x = block % 4, y = block / 4;
    edge result = {
        .samples = {0},
        .left = x || may_read(slice, slice->left),
        .top = y || may_read(slice, slice->top),
        .corner = x && y ? true : may_read(slice, x ? slice->top : y ? slice->left : slice->top_left),
    };
    // The order of blocks is its own inverse: within the macroblock an earlier block is one of smaller order.
    bool right = y == 0 ? may_read(slice, x == 3 ? slice->top_right : slice->top)
                        : x < 3 && sv_h264_block_order[block - 3] < sv_h264_block_order[block];
    for (int i = 0; i < 4 && result.left; i++) result.samples[LEFT - i] = samples[i * stride - 1];
    if (result.corner) result.samples[CORNER] = samples[-stride - 1];
    for (int i = 0; i < 8 && result.top; i++) result.samples[TOP + i] = samples[-stride + (right ? i : sv_min(i, 3))];
    return result;
}

static int mean_of_edge(const edge *edge) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        if (edge->left) sum += edge->samples[LEFT - i];
        if (edge->top) sum += edge->samples[TOP + i];
    }
    if (edge->left && edge->top) return (sum + 4) >> 3;
    return edge->left || edge->top ? (sum + 2) >> 2 : 128;
}

/// All that a block can be predicted with: the edge's samples after the 1-2-1 filter, with the two at the ends
/// repeated; means of neighbours, the first that of the repeated one; the samples as they are; and the mean of all.
enum { FILTERED = 0, MEANS = 13, PLAIN = 26, MEAN = 39 };
typedef sv_sample predictors[40];

static void find_predictors(const edge *edge, predictors values) {
    const int *s = edge->samples;
    for (int i = 0; i < 13; i++) {
        int before = s[i > 0 ? i - 1 : 0], after = s[i < 12 ? i + 1 : 12];
        values[FILTERED + i] = (sv_sample)((before + 2 * s[i] + after + 2) >> 2);
        values[MEANS + i] = (sv_sample)((before + s[i] + 1) >> 1);
        values[PLAIN + i] = (sv_sample)s[i];
    }
    values[MEAN] = (sv_sample)mean_of_edge(edge);
}

// Which predictor each sample of a block has, row after row, in the order of Intra4x4PredMode.
static const uint8_t places[9][16] = {
    {31, 32, 33, 34, 31, 32, 33, 34, 31, 32, 33, 34, 31, 32, 33, 34},  // vertical
    {29, 29, 29, 29, 28, 28, 28, 28, 27, 27, 27, 27, 26, 26, 26, 26},  // horizontal
    {39, 39, 39, 39, 39, 39, 39, 39, 39, 39, 39, 39, 39, 39, 39, 39},  // DC
    {6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12},  // down left
    {4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4},  // down right
    {18, 19, 20, 21, 4, 5, 6, 7, 3, 18, 19, 20, 2, 4, 5, 6},  // vertical right
    {17, 4, 5, 6, 16, 3, 17, 4, 15, 2, 16, 3, 14, 1, 15, 2},  // horizontal down
    {19, 20, 21, 22, 6, 7, 8, 9, 20, 21, 22, 23, 7, 8, 9, 10},  // vertical left
    {16, 2, 15, 1, 15, 1, 14, 0, 14, 0, 13, 13, 13, 13, 13, 13},  // horizontal up
};

static bool is_allowed(const edge *edge, int mode) {
    switch (mode) {
    case DC: return true;
    case VERTICAL: case DOWN_LEFT: case VERTICAL_LEFT: return edge->top;
    case HORIZONTAL: case HORIZONTAL_UP: return edge->left;
    default: return edge->left && edge->top && edge->corner;
    }
}

/// Intra4x4PredMode of the block beside or above; -1 where the prediction has to be DC.
static int mode_beside(const sv_h264_slice *slice, const sv_h264_mb *mb, int block, bool above) {
    bool inside = above ? block >= 4 : block % 4 > 0;
    if (inside) return mb->block_modes[block - (above ? 4 : 1)];
    const sv_h264_mb *neighbour = above ? slice->top : slice->left;
    return may_read(slice, neighbour) ? neighbour->block_modes[block + (above ? 12 : 3)] : -1;
}

int sv_h264_predicted_mode(const sv_h264_slice *slice, const sv_h264_mb *mb, int block) {
    int left = mode_beside(slice, mb, block, false), above = mode_beside(slice, mb, block, true);
    return left < 0 || above < 0 ? DC : sv_min(left, above);
}

/// Chooses the mode of a block and leaves its prediction in `out`; returns its cost.
static unsigned choose(const edge *edge, const sv_sample *source, ptrdiff_t stride, int predicted, unsigned lambda,
    uint8_t *mode, sv_sample out[16]) {
    unsigned best = UINT_MAX;
    predictors values;
    find_predictors(edge, values);
    for (int i = 0; i < 9; i++) {
        if (!is_allowed(edge, i)) continue;
        sv_sample candidate[16];
        for (int k = 0; k < 16; k++) candidate[k] = values[places[i][k]];
        unsigned cost = sv_sad(source, stride, candidate, 4, 4, 4, best) + lambda * (i == predicted ? 1 : 4) / 16;
        if (cost >= best) continue;
        best = cost;
        *mode = (uint8_t)i;
        memcpy(out, candidate, sizeof candidate);
    }
    return best;
}

unsigned sv_h264_intra_4x4(
    sv_h264_slice *slice, int qp, unsigned lambda, unsigned limit, sv_h264_mb *mb, sv_h264_levels *levels, sv_h264_block *block) {
    // Each block reads the reconstruction of those before it, which therefore is written to the picture at once.
    const sv_plane *plane = &slice->frame->reconstruction.planes[0], *source = &slice->frame->source.planes[0];
    sv_sample *samples = plane->samples + slice->y * 16 * plane->stride + slice->x * 16;
    const sv_sample *from = source->samples + slice->y * 16 * source->stride + slice->x * 16;
    unsigned cost = lambda * 24 / 16;
    mb->luma_pattern = 0;
    mb->dc_coded &= (uint8_t)~1u;
    for (int i = 0; i < 16; i++) {
        int index = sv_h264_block_order[i], x = index % 4 * 4, y = index / 4 * 4;
        edge around = edge_of(slice, index, samples + y * plane->stride + x, plane->stride);
        sv_sample predicted[16];
        cost += choose(&around, from + y * source->stride + x, source->stride, sv_h264_predicted_mode(slice, mb, index),
            lambda, &mb->block_modes[index], predicted);
        if (cost > limit) return cost;
        int count = sv_h264_code_block(
            from + y * source->stride + x, source->stride, qp, levels->luma[index], predicted, 4);
        mb->nonzero[index] = (uint8_t)count;
        if (count) mb->luma_pattern |= (uint8_t)(1u << i / 4);
        for (int row = 0; row < 4; row++) {
            memcpy(samples + (y + row) * plane->stride + x, predicted + 4 * row, 4 * sizeof(sv_sample));
            memcpy(block->luma + (y + row) * 16 + x, predicted + 4 * row, 4 * sizeof(sv_sample));
        }
    }
    return cost;
}
