// SPDX-License-Identifier: MIT
// Macroblocks in CABAC, 7.3.5 and 9.3: binarizations and the choice of contexts.
#include <stdlib.h>

#include "softva_h264.h"

// The first context of each syntax element, table 9-34.
enum {
    MB_TYPE_I = 3,
    SKIP_P = 11,
    MB_TYPE_P = 14,
    MB_TYPE_P_INTRA = 17,
    SKIP_B = 24,
    MB_TYPE_B = 27,
    MB_TYPE_B_INTRA = 32,
    MVD_X = 40,
    MVD_Y = 47,
    REF_IDX = 54,
    QP_DELTA = 60,
    CHROMA_MODE = 64,
    PREV_INTRA_4X4 = 68,
    REM_INTRA_4X4 = 69,
    PATTERN_LUMA = 73,
    PATTERN_CHROMA = 77,
    CODED_BLOCK = 85,
    SIGNIFICANT = 105,
    LAST_SIGNIFICANT = 166,
    LEVEL = 227,
    TRANSFORM_SIZE = 399,
};

/// ctxBlockCat.
enum { LUMA_DC, LUMA_AC, LUMA_4X4, CHROMA_DC, CHROMA_AC };

static void put(sv_h264_slice *slice, int context, unsigned bin) {
    sv_cabac_encode(&slice->cabac, &slice->contexts[context], bin);
}

void sv_h264_cabac_begin(sv_h264_slice *slice) {
    int qp = slice->frame->picture->pic_init_qp + slice->params->slice_qp_delta;
    int table = slice->type == H264_SLICE_I ? 3 : slice->params->cabac_init_idc;
    for (int i = 0; i < H264_CONTEXTS; i++) {
        int m, n;
        sv_h264_context_values(table, i, &m, &n);
        slice->contexts[i] = sv_cabac_context(m, n, qp);
    }
    sv_bits_align(slice->bits, 1);  // cabac_alignment_one_bit
    sv_cabac_begin(&slice->cabac, slice->bits);
}

/// The bins of an intra mb_type after those that say it is intra, 9.3.2.5; `first` is the first bin's context.
static void put_intra_type(sv_h264_slice *slice, int first, bool in_intra_slice) {
    const sv_h264_mb *mb = slice->mb;
    int next = in_intra_slice ? MB_TYPE_I + 3 : first + 1, wide = in_intra_slice;
    put(slice, first, mb->kind != H264_INTRA_4X4);
    if (mb->kind == H264_INTRA_4X4) return;
    sv_cabac_terminate(&slice->cabac, mb->kind == H264_PCM);
    if (mb->kind == H264_PCM) return;
    put(slice, next, mb->luma_pattern != 0);
    put(slice, next + 1, mb->chroma_pattern != 0);
    if (mb->chroma_pattern) put(slice, next + 1 + wide, mb->chroma_pattern == 2);
    put(slice, next + 2 + wide, mb->luma_mode >> 1);
    put(slice, next + 2 + 2 * wide, mb->luma_mode & 1);
}

static void put_type(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb, *a = slice->left, *b = slice->top;
    bool intra = sv_h264_is_intra(mb);
    if (slice->type == H264_SLICE_I) {
        int context = (a && a->kind != H264_INTRA_4X4) + (b && b->kind != H264_INTRA_4X4);
        put_intra_type(slice, MB_TYPE_I + context, true);
    } else if (slice->type == H264_SLICE_P) {
        put(slice, MB_TYPE_P, intra);
        if (intra) {
            put_intra_type(slice, MB_TYPE_P_INTRA, false);
        } else {
            put(slice, MB_TYPE_P + 1, 0);
            put(slice, MB_TYPE_P + 2, 0);
        }
    } else {
        // No macroblock here is B_Skip or B_Direct_16x16, so that every available neighbour counts.
        put(slice, MB_TYPE_B + (a != NULL) + (b != NULL), 1);
        bool one_list = !intra && (mb->reference[0] < 0 || mb->reference[1] < 0);
        put(slice, MB_TYPE_B + 3, !one_list);
        if (one_list) {
            put(slice, MB_TYPE_B + 5, mb->reference[0] < 0);
            return;
        }
        unsigned bins = intra ? 13 : 0;
        put(slice, MB_TYPE_B + 4, bins >> 3);
        for (int i = 2; i >= 0; i--) put(slice, MB_TYPE_B + 5, bins >> i & 1);
        if (intra) put_intra_type(slice, MB_TYPE_B_INTRA, false);
    }
}

static void put_modes(sv_h264_slice *slice) {
    for (int i = 0; i < 16; i++) {
        int block = sv_h264_block_order[i], mode = slice->mb->block_modes[block];
        int predicted = sv_h264_predicted_mode(slice, slice->mb, block);
        put(slice, PREV_INTRA_4X4, mode == predicted);
        if (mode == predicted) continue;
        unsigned rest = (unsigned)(mode < predicted ? mode : mode - 1);
        for (int bit = 0; bit < 3; bit++) put(slice, REM_INTRA_4X4, rest >> bit & 1);
    }
}

static void put_chroma_mode(sv_h264_slice *slice) {
    const sv_h264_mb *neighbours[2] = {slice->left, slice->top};
    int context = 0, mode = slice->mb->chroma_mode;
    for (int i = 0; i < 2; i++) {
        const sv_h264_mb *mb = neighbours[i];
        context += mb && sv_h264_is_intra(mb) && mb->kind != H264_PCM && mb->chroma_mode != 0;
    }
    put(slice, CHROMA_MODE + context, mode > 0);
    for (int i = 1; i < 3 && i <= mode; i++) put(slice, CHROMA_MODE + 3, mode > i);
}

static void put_reference(sv_h264_slice *slice, int list) {
    const sv_h264_mb *a = slice->left, *b = slice->top;
    int context = (a && a->reference[list] > 0) + 2 * (b && b->reference[list] > 0);
    for (int i = 0; i < slice->mb->reference[list]; i++) {
        put(slice, REF_IDX + context, 1);
        context = i ? 5 : 4;
    }
    put(slice, REF_IDX + context, 0);
}

/// One component of mvd: a truncated unary prefix of up to 9, an Exp-Golomb suffix, a sign; `sum` is that of the
/// neighbours' magnitudes.
static void put_difference(sv_h264_slice *slice, int first, int sum, int value) {
    int size = abs(value), context = sum < 3 ? 0 : sum > 32 ? 2 : 1;
    for (int i = 0; i < 9; i++) {
        put(slice, first + context, size > i);
        if (size == i) break;
        context = i < 3 ? 3 + i : 6;
    }
    if (size >= 9) sv_cabac_exp_golomb(&slice->cabac, 3, (uint32_t)(size - 9));
    if (size) sv_cabac_bypass(&slice->cabac, 1, value < 0);
}

static void put_motion(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb, *neighbours[2] = {slice->left, slice->top};
    for (int list = 0; list < 2; list++) {
        if (mb->reference[list] >= 0 && slice->counts[list] > 1) put_reference(slice, list);
    }
    for (int list = 0; list < 2; list++) {
        if (mb->reference[list] < 0) continue;
        int x = 0, y = 0;
        for (int i = 0; i < 2; i++) {
            if (!neighbours[i] || neighbours[i]->kind != H264_INTER) continue;
            x += abs(neighbours[i]->difference[list].x);
            y += abs(neighbours[i]->difference[list].y);
        }
        put_difference(slice, MVD_X, x, mb->difference[list].x);
        put_difference(slice, MVD_Y, y, mb->difference[list].y);
    }
}

/// Whether a neighbour's quarter of luma has no levels, which adds to the context of coded_block_pattern.
static bool is_uncoded(const sv_h264_mb *mb, int quarter) {
    return mb && mb->kind != H264_PCM && !(mb->luma_pattern & 1 << quarter);
}

static void put_pattern(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb, *a = slice->left, *b = slice->top;
    for (int i = 0; i < 4; i++) {
        int left = is_uncoded(i & 1 ? mb : a, i ^ 1), above = is_uncoded(i & 2 ? mb : b, i ^ 2);
        put(slice, PATTERN_LUMA + left + 2 * above, mb->luma_pattern >> i & 1);
    }
    int left = a ? a->chroma_pattern : 0, above = b ? b->chroma_pattern : 0;
    put(slice, PATTERN_CHROMA + (left != 0) + 2 * (above != 0), mb->chroma_pattern != 0);
    if (mb->chroma_pattern) put(slice, PATTERN_CHROMA + 4 + (left == 2) + 2 * (above == 2), mb->chroma_pattern == 2);
}

static void put_qp_delta(sv_h264_slice *slice) {
    int context = slice->previous_delta != 0, value = slice->delta;
    unsigned mapped = value > 0 ? 2 * (unsigned)value - 1 : 2 * (unsigned)-value;
    for (; mapped; mapped--) {
        put(slice, QP_DELTA + context, 1);
        context = context < 2 ? 2 : 3;
    }
    put(slice, QP_DELTA + context, 0);
}

/// The levels of a block from its coded_block_flag on, whose neighbours' flags are given.
static void put_block(sv_h264_slice *slice, int category, bool left, bool above, const int16_t *levels, int count) {
    static const uint8_t position_offset[5] = {0, 15, 29, 44, 47}, level_offset[5] = {0, 10, 20, 30, 39};
    int last = count - 1;
    while (last >= 0 && !levels[last]) last--;
    put(slice, CODED_BLOCK + 4 * category + left + 2 * above, last >= 0);
    if (last < 0) return;
    for (int i = 0; i < count - 1; i++) {
        int context = position_offset[category] + (category == CHROMA_DC ? sv_min(i, 2) : i);
        put(slice, SIGNIFICANT + context, levels[i] != 0);
        if (!levels[i]) continue;
        put(slice, LAST_SIGNIFICANT + context, i == last);
        if (i == last) break;
    }
    int ones = 0, greater = 0, first = LEVEL + level_offset[category];
    for (int i = last; i >= 0; i--) {
        if (!levels[i]) continue;
        int rest = abs(levels[i]) - 1;  // coeff_abs_level_minus1
        put(slice, first + (greater ? 0 : sv_min(4, 1 + ones)), rest > 0);
        int context = first + 5 + sv_min(4 - (category == CHROMA_DC), greater);
        for (int k = 1; k < 14 && k <= rest; k++) put(slice, context, rest > k);
        if (rest >= 14) sv_cabac_exp_golomb(&slice->cabac, 0, (uint32_t)(rest - 14));
        sv_cabac_bypass(&slice->cabac, 1, levels[i] < 0);
        ones += rest == 0;
        greater += rest > 0;
    }
}

/// A block of `nonzero`, whose neighbours count as coded where there are none and the macroblock is intra.
static void put_counted(sv_h264_slice *slice, int category, int block, const int16_t *levels, int count) {
    int left = sv_h264_count_beside(slice, block, false), above = sv_h264_count_beside(slice, block, true);
    bool otherwise = sv_h264_is_intra(slice->mb);
    put_block(slice, category, left < 0 ? otherwise : left > 0, above < 0 ? otherwise : above > 0, levels, count);
}

/// A DC block; `bit` is its place in `dc_coded`.
static void put_dc(sv_h264_slice *slice, int category, int bit, const int16_t *levels, int count) {
    bool otherwise = sv_h264_is_intra(slice->mb);
    bool left = slice->left ? slice->left->dc_coded >> bit & 1 : otherwise;
    bool above = slice->top ? slice->top->dc_coded >> bit & 1 : otherwise;
    put_block(slice, category, left, above, levels, count);
}

static void put_residual(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb;
    const sv_h264_levels *levels = &slice->levels;
    bool apart = mb->kind == H264_INTRA_16X16;
    if (apart) put_dc(slice, LUMA_DC, 0, levels->luma_dc, 16);
    for (int i = 0; i < 16; i++) {
        int block = sv_h264_block_order[i];
        if (mb->luma_pattern & 1 << i / 4) {
            put_counted(slice, apart ? LUMA_AC : LUMA_4X4, block, levels->luma[block] + apart, 16 - apart);
        }
    }
    for (int c = 0; c < 2 && mb->chroma_pattern; c++) put_dc(slice, CHROMA_DC, c + 1, levels->chroma_dc[c], 4);
    for (int i = 0; i < 8 && mb->chroma_pattern == 2; i++) {
        put_counted(slice, CHROMA_AC, H264_CB_BLOCKS + i, levels->chroma[i / 4][i % 4] + 1, 15);
    }
}

static void put_macroblock(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb;
    bool transform_size = slice->frame->picture->pic_fields.bits.transform_8x8_mode_flag;
    put_type(slice);
    if (mb->kind == H264_PCM) {
        sv_h264_write_pcm(slice);
        sv_cabac_begin(&slice->cabac, slice->bits);
        return;
    }
    if (mb->kind == H264_INTRA_4X4) {
        if (transform_size) put(slice, TRANSFORM_SIZE, 0);
        put_modes(slice);
    }
    if (sv_h264_is_intra(mb)) {
        put_chroma_mode(slice);
    } else {
        put_motion(slice);
    }
    if (mb->kind != H264_INTRA_16X16) {
        put_pattern(slice);
        if (mb->kind == H264_INTER && mb->luma_pattern && transform_size) put(slice, TRANSFORM_SIZE, 0);
    }
    if (!sv_h264_has_residual(mb)) return;
    put_qp_delta(slice);
    put_residual(slice);
}

void sv_h264_cabac_write(sv_h264_slice *slice, bool last) {
    if (slice->type != H264_SLICE_I) {
        const sv_h264_mb *a = slice->left, *b = slice->top;
        int context = (a && a->kind != H264_SKIP) + (b && b->kind != H264_SKIP);
        put(slice, (slice->type == H264_SLICE_P ? SKIP_P : SKIP_B) + context, slice->mb->kind == H264_SKIP);
    }
    if (slice->mb->kind != H264_SKIP) put_macroblock(slice);
    sv_cabac_terminate(&slice->cabac, last);  // end_of_slice_flag
    if (last) sv_bits_align(slice->bits, 0);
}
