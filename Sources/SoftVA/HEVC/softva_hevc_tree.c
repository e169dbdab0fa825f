// SPDX-License-Identifier: MIT
// The transform tree of a coding unit: first built, then written (7.3.8.8 to 7.3.8.10).
#include <stdlib.h>
#include <string.h>

#include "softva_hevc.h"

/// The residual of a block; columns beyond a width of four are zero.
static void subtract(const sv_sample *source, ptrdiff_t source_stride, const sv_sample *predicted,
    ptrdiff_t predicted_stride, int size, int16_t *restrict residual) {
    for (int y = 0; y < size; y++, residual += SV_HEVC_RESIDUAL_STRIDE) {
        for (int x = 0; x < size; x += 4) {
            for (int i = x; i < x + 4; i++) residual[i] = (int16_t)(source[i] - predicted[i]);
        }
        if (size == 4) memset(residual + 4, 0, 4 * sizeof *residual);
        source += source_stride;
        predicted += predicted_stride;
    }
}

/// Qp' of a component of the unit.
static int component_qp(const sv_hevc *hevc, int qp, int component) {
    int extra = 6 * (hevc->bit_depth - 8);
    if (component == 0) return qp + extra;
    const VAEncSliceParameterBufferHEVC *slice = hevc->slice->params;
    int offset = component == 1 ? hevc->picture->pps_cb_qp_offset + slice->slice_cb_qp_offset
                                : hevc->picture->pps_cr_qp_offset + slice->slice_cr_qp_offset;
    return sv_hevc_chroma_qp(sv_clip(-extra, 57, qp + offset)) + extra;
}

/// Predicts if intra, codes and reconstructs one block at (x, y) of the component's plane; whether it has levels.
static bool build_block(
    sv_hevc *hevc, sv_hevc_unit *unit, sv_hevc_node *node, int component, int x, int y, int log2_size) {
    const sv_plane *source = &hevc->source.planes[component], *decoded = &hevc->decoded.planes[component];
    int size = 1 << log2_size, qp = component_qp(hevc, unit->qp, component);
    sv_sample *out = decoded->samples + y * decoded->stride + x;
    if (unit->intra) {
        sv_hevc_border border;
        sv_hevc_intra_border(hevc, component, x, y, size, border);
        sv_hevc_intra_predict(hevc, component, log2_size, unit->mode, border, out, decoded->stride);
    }
    int16_t residual[32 * SV_HEVC_RESIDUAL_STRIDE];
    subtract(source->samples + y * source->stride + x, source->stride, out, decoded->stride, size, residual);
    bool sine = unit->intra && component == 0 && log2_size == 2;
    int16_t *levels = unit->levels + unit->level_count;
    if (!sv_hevc_quantise(hevc, residual, log2_size, sine, qp, unit->intra, levels)) return false;
    sv_hevc_reconstruct(hevc, levels, log2_size, sine, qp, out, decoded->stride);
    node->levels[component] = unit->level_count;
    unit->level_count += size * size;
    return true;
}

/// Sums of absolute differences between source and prediction of the four quarters of a luma block.
static void quarter_costs(const sv_hevc *hevc, int x, int y, int size, unsigned costs[4]) {
    const sv_plane *source = &hevc->source.planes[0], *decoded = &hevc->decoded.planes[0];
    int half = size / 2;
    for (int i = 0; i < 4; i++) {
        int left = x + (i & 1) * half, top = y + (i >> 1) * half;
        costs[i] = sv_sad(source->samples + top * source->stride + left, source->stride,
            decoded->samples + top * decoded->stride + left, decoded->stride, half, half, ~0u);
    }
}

/// Whether to split a block that may be split: an intra block with much left to code, so that its parts predict from
/// nearer samples; an inter block whose residual lies in some quarters only.
static bool wants_split(const sv_hevc *hevc, const sv_hevc_unit *unit, int x, int y, int log2_size) {
    unsigned area = 1u << (2 * log2_size);
    if (unit->intra) return unit->cost * 8ull > (unsigned long long)area * hevc->lambda * (log2_size == 3 ? 1 : 2);
    unsigned costs[4], least = ~0u, most = 0;
    quarter_costs(hevc, x, y, 1 << log2_size, costs);
    for (int i = 0; i < 4; i++) {
        least = costs[i] < least ? costs[i] : least;
        most = costs[i] > most ? costs[i] : most;
    }
    return most > 3 * least && most * 16ull > (unsigned long long)(area / 4) * hevc->lambda;
}

static int max_depth(const sv_hevc *hevc, const sv_hevc_unit *unit) {
    return unit->intra ? hevc->sequence->max_transform_hierarchy_depth_intra
                       : hevc->sequence->max_transform_hierarchy_depth_inter;
}

/// Whether split_transform_flag is in the bitstream.
static bool may_split(const sv_hevc *hevc, const sv_hevc_unit *unit, int log2_size, int depth) {
    return log2_size <= hevc->log2_max_tb && log2_size > hevc->log2_min_tb && depth < max_depth(hevc, unit);
}

/// Marks a decoded transform block: its slice, its coded flag and its edges.
static void mark_block(sv_hevc *hevc, int x, int y, int size, bool coded) {
    uint16_t owner = (uint16_t)(1 + (hevc->slice - hevc->slices));
    for (int row = y >> 2; row < (y + size) >> 2; row++) {
        for (int column = x >> 2; column < (x + size) >> 2; column++) {
            hevc->owners[row * hevc->unit_stride + column] = owner;
            hevc->coded[row * hevc->unit_stride + column] = coded;
        }
    }
    for (int i = 0; i < size; i += 8) {
        if (!(x & 7)) sv_hevc_cell_at(hevc, x, y + i)->edges |= SV_HEVC_LEFT_EDGE;
        if (!(y & 7)) sv_hevc_cell_at(hevc, x + i, y)->edges |= SV_HEVC_TOP_EDGE;
    }
}

/// Builds the node of a luma block and all below it; returns its index.
static int build_node(sv_hevc *hevc, sv_hevc_unit *unit, int x, int y, int log2_size, int depth) {
    int index = unit->node_count++, half = 1 << (log2_size - 1);
    sv_hevc_node *node = &unit->nodes[index];
    *node = (sv_hevc_node){.split = log2_size > hevc->log2_max_tb};
    if (may_split(hevc, unit, log2_size, depth)) node->split = wants_split(hevc, unit, x, y, log2_size);
    if (node->split) {
        for (int i = 0; i < 4; i++) {
            int child = build_node(hevc, unit, x + (i & 1) * half, y + (i >> 1) * half, log2_size - 1, depth + 1);
            for (int k = 0; k < 3; k++) node->coded[k] |= unit->nodes[child].coded[k];
        }
    } else {
        node->coded[0] = build_block(hevc, unit, node, 0, x, y, log2_size);
        mark_block(hevc, x, y, 1 << log2_size, node->coded[0]);
    }
    // The chroma of four 4x4 luma blocks is one 4x4 block of their parent.
    if (node->split ? log2_size == 3 : log2_size > 2) {
        for (int k = 1; k < 3; k++) {
            node->coded[k] = build_block(hevc, unit, node, k, x / 2, y / 2, log2_size - 1);
        }
    }
    return index;
}

void sv_hevc_build_tree(sv_hevc *hevc, sv_hevc_unit *unit) {
    unit->node_count = unit->level_count = 0;
    build_node(hevc, unit, unit->x, unit->y, unit->log2_size, 0);
    const sv_hevc_node *root = &unit->nodes[0];
    unit->root_coded = root->coded[0] || root->coded[1] || root->coded[2];
}

/// cu_qp_delta_abs and cu_qp_delta_sign_flag, once in a quantisation group.
static void write_qp_delta(sv_hevc *hevc, const sv_hevc_unit *unit) {
    if (!hevc->picture->pic_fields.bits.cu_qp_delta_enabled_flag || hevc->qp_delta_coded) return;
    hevc->qp_delta_coded = true;
    // QpY wraps around, so that every QP is within reach of the largest difference (8-283).
    int extra = 6 * (hevc->bit_depth - 8), range = 52 + extra, delta = unit->qp - hevc->qp_predicted;
    if (delta > 25 + extra / 2) delta -= range;
    if (delta < -(26 + extra / 2)) delta += range;
    int magnitude = abs(delta);
    for (int i = 0; i < sv_min(magnitude, 5); i++) sv_hevc_bin(hevc, SV_HEVC_QP_DELTA + (i > 0), 1);
    if (magnitude < 5) {
        sv_hevc_bin(hevc, SV_HEVC_QP_DELTA + (magnitude > 0), 0);
    } else {
        sv_cabac_exp_golomb(&hevc->cabac, 0, (uint32_t)(magnitude - 5));
    }
    if (magnitude > 0) sv_cabac_bypass(&hevc->cabac, 1, delta < 0);
}

static void write_block(
    sv_hevc *hevc, const sv_hevc_unit *unit, const sv_hevc_node *node, int component, int log2_size) {
    if (!node->coded[component]) return;
    int mode = unit->intra ? unit->mode : -1;
    sv_hevc_write_residual(hevc, unit->levels + node->levels[component], log2_size, component, mode);
}

/// Writes the node at *`next` and those below it; `parent` is NULL for the root.
static void write_node(sv_hevc *hevc, const sv_hevc_unit *unit, int *next, const sv_hevc_node *parent, int log2_size,
    int depth, bool is_last) {
    const sv_hevc_node *node = &unit->nodes[(*next)++];
    if (may_split(hevc, unit, log2_size, depth)) {
        sv_hevc_bin(hevc, SV_HEVC_SPLIT_TRANSFORM + 5 - log2_size, node->split);
    }
    for (int k = 1; k < 3 && log2_size > 2; k++) {
        if (!parent || parent->coded[k]) sv_hevc_bin(hevc, SV_HEVC_CBF_CHROMA + depth, node->coded[k]);
    }
    if (node->split) {
        for (int i = 0; i < 4; i++) write_node(hevc, unit, next, node, log2_size - 1, depth + 1, i == 3);
        return;
    }
    // The chroma flags of 4x4 blocks are their parent's.
    const sv_hevc_node *chroma = log2_size == 2 && parent ? parent : node;
    bool any_chroma = chroma->coded[1] || chroma->coded[2];
    if (unit->intra || depth > 0 || any_chroma) sv_hevc_bin(hevc, SV_HEVC_CBF_LUMA + (depth == 0), node->coded[0]);
    if (!node->coded[0] && !any_chroma) return;
    write_qp_delta(hevc, unit);
    write_block(hevc, unit, node, 0, log2_size);
    if (log2_size > 2 || is_last) {
        for (int k = 1; k < 3; k++) write_block(hevc, unit, chroma, k, sv_max(2, log2_size - 1));
    }
}

void sv_hevc_write_tree(sv_hevc *hevc, const sv_hevc_unit *unit) {
    int next = 0;
    write_node(hevc, unit, &next, NULL, unit->log2_size, 0, false);
}
