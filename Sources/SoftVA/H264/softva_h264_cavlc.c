// SPDX-License-Identifier: MIT
// Macroblocks in CAVLC, 7.3.5 and 9.2.
#include "softva_h264_cavlc.h"

#include <stdlib.h>

#include "softva_h264.h"

static void put(sv_bits *bits, sv_h264_code code) { sv_bits_u(bits, code.length, code.bits); }

/// nC of a block, 9.2.1.
static int count_context(const sv_h264_slice *slice, int block) {
    int left = sv_h264_count_beside(slice, block, false), above = sv_h264_count_beside(slice, block, true);
    if (left >= 0 && above >= 0) return (left + above + 1) >> 1;
    return left >= 0 ? left : above >= 0 ? above : 0;
}

static void put_coeff_token(sv_bits *bits, int context, int total, int ones) {
    if (context < 0) {
        put(bits, sv_h264_coeff_token_dc[total][ones]);
    } else if (context < 8) {
        put(bits, sv_h264_coeff_token[context < 2 ? 0 : context < 4 ? 1 : 2][total][ones]);
    } else {
        sv_bits_u(bits, 6, total ? (unsigned)(total - 1) << 2 | (unsigned)ones : 3);
    }
}

/// level_prefix and level_suffix of 9.2.2.1; `code` is levelCode.
static void put_level(sv_bits *bits, unsigned code, unsigned suffix_length) {
    unsigned prefix = code >> suffix_length, length = suffix_length;
    if (suffix_length == 0 && code >= 14) {
        prefix = code < 30 ? 14 : 15;
        length = code < 30 ? 4 : 12;
        code -= code < 30 ? 14 : 30;
    } else if (prefix >= 15) {
        code -= 15u << suffix_length;
        prefix = 15;
        length = 12;
    }
    sv_bits_u(bits, prefix + 1, 1);
    sv_bits_u(bits, length, code & ((1u << length) - 1));
}

/// residual_block_cavlc() of `count` levels in scan order; context -1 is chroma DC.
static void put_block(sv_bits *bits, const int16_t *levels, int count, int context) {
    int found[16], runs[16], total = 0, run = 0, zeros = 0;
    for (int i = 0; i < count; i++) {
        if (!levels[i]) {
            run++;
            continue;
        }
        found[total] = levels[i];
        runs[total++] = run;  // of zeros before this level
        zeros += run;
        run = 0;
    }
    int ones = 0;
    while (ones < 3 && ones < total && abs(found[total - 1 - ones]) == 1) ones++;
    put_coeff_token(bits, context, total, ones);
    if (!total) return;
    for (int i = 0; i < ones; i++) sv_bits_u(bits, 1, found[total - 1 - i] < 0);
    unsigned suffix_length = total > 10 && ones < 3;
    for (int i = total - 1 - ones; i >= 0; i--) {
        unsigned size = (unsigned)abs(found[i]), code = 2 * size - 2 + (found[i] < 0);
        // With fewer than three trailing ones the next level is not one of them, so that its size begins at 2.
        if (i == total - 1 - ones && ones < 3) code -= 2;
        put_level(bits, code, suffix_length);
        if (suffix_length == 0) suffix_length = 1;
        if (size > 3u << (suffix_length - 1) && suffix_length < 6) suffix_length++;
    }
    if (total < count) {
        put(bits, context < 0 ? sv_h264_total_zeros_dc[total - 1][zeros] : sv_h264_total_zeros[total - 1][zeros]);
    }
    for (int i = total - 1; i > 0 && zeros > 0; i--) {
        put(bits, sv_h264_run_before[zeros < 7 ? zeros - 1 : 6][runs[i]]);
        zeros -= runs[i];
    }
}

/// residual().
static void put_residual(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb;
    const sv_h264_levels *levels = &slice->levels;
    bool apart = mb->kind == H264_INTRA_16X16;
    if (apart) put_block(slice->bits, levels->luma_dc, 16, count_context(slice, 0));
    for (int i = 0; i < 16; i++) {
        int block = sv_h264_block_order[i];
        if (mb->luma_pattern & 1u << i / 4) {
            put_block(slice->bits, levels->luma[block] + apart, 16 - apart, count_context(slice, block));
        }
    }
    for (int c = 0; c < 2 && mb->chroma_pattern; c++) put_block(slice->bits, levels->chroma_dc[c], 4, -1);
    for (int i = 0; i < 8 && mb->chroma_pattern == 2; i++) {
        put_block(slice->bits, levels->chroma[i / 4][i % 4] + 1, 15, count_context(slice, H264_CB_BLOCKS + i));
    }
}

/// mb_pred() of an Intra_4x4 macroblock, up to the chroma mode.
static void put_modes(sv_h264_slice *slice) {
    for (int i = 0; i < 16; i++) {
        int block = sv_h264_block_order[i], mode = slice->mb->block_modes[block];
        int predicted = sv_h264_predicted_mode(slice, slice->mb, block);
        sv_bits_u(slice->bits, 1, mode == predicted);
        if (mode != predicted) sv_bits_u(slice->bits, 3, (unsigned)(mode < predicted ? mode : mode - 1));
    }
}

static void put_motion(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb;
    for (int list = 0; list < 2; list++) {
        // te(v): one bit, inverted, where there are but two values.
        if (mb->reference[list] < 0 || slice->counts[list] < 2) continue;
        if (slice->counts[list] == 2) {
            sv_bits_u(slice->bits, 1, !mb->reference[list]);
        } else {
            sv_bits_ue(slice->bits, (unsigned)mb->reference[list]);
        }
    }
    for (int list = 0; list < 2; list++) {
        if (mb->reference[list] < 0) continue;
        sv_bits_se(slice->bits, mb->difference[list].x);
        sv_bits_se(slice->bits, mb->difference[list].y);
    }
}

static unsigned type_code(const sv_h264_slice *slice) {
    static const uint8_t intra_offset[3] = {[H264_SLICE_P] = 5, [H264_SLICE_B] = 23, [H264_SLICE_I] = 0};
    const sv_h264_mb *mb = slice->mb;
    if (sv_h264_is_intra(mb)) return intra_offset[slice->type] + sv_h264_intra_type(mb);
    // P_L0_16x16; B_L0_16x16, B_L1_16x16, B_Bi_16x16.
    return slice->type == H264_SLICE_P ? 0 : mb->reference[1] < 0 ? 1 : mb->reference[0] < 0 ? 2 : 3;
}

static void put_macroblock(sv_h264_slice *slice) {
    const sv_h264_mb *mb = slice->mb;
    sv_bits *bits = slice->bits;
    bool transform_size = slice->frame->picture->pic_fields.bits.transform_8x8_mode_flag;
    sv_bits_ue(bits, type_code(slice));
    if (mb->kind == H264_PCM) {
        sv_h264_write_pcm(slice);
        return;
    }
    if (mb->kind == H264_INTRA_4X4) {
        if (transform_size) sv_bits_u(bits, 1, 0);
        put_modes(slice);
    }
    if (sv_h264_is_intra(mb)) {
        sv_bits_ue(bits, mb->chroma_mode);
    } else {
        put_motion(slice);
    }
    if (mb->kind != H264_INTRA_16X16) {
        sv_bits_ue(bits, sv_h264_pattern_code[mb->kind == H264_INTRA_4X4][mb->luma_pattern | mb->chroma_pattern << 4]);
        if (mb->kind == H264_INTER && mb->luma_pattern && transform_size) sv_bits_u(bits, 1, 0);
    }
    if (!sv_h264_has_residual(mb)) return;
    sv_bits_se(bits, slice->delta);
    put_residual(slice);
}

void sv_h264_cavlc_write(sv_h264_slice *slice, bool last) {
    if (slice->mb->kind == H264_SKIP) {
        slice->skips++;
    } else {
        if (slice->type != H264_SLICE_I) sv_bits_ue(slice->bits, slice->skips);
        slice->skips = 0;
        put_macroblock(slice);
    }
    if (!last) return;
    if (slice->skips) sv_bits_ue(slice->bits, slice->skips);
    sv_bits_trailing(slice->bits);
}
