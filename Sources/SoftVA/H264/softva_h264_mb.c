// SPDX-License-Identifier: MIT
// Chooses how to code a macroblock.
#include <limits.h>
#include <string.h>

#include "softva_h264.h"

/// What a bit is worth in sums of absolute differences, times 16: 2^((QP - 12) / 6), two fifths of a quantizer step.
static unsigned lambda_of(int qp) {
    static const uint8_t sixths[6] = {16, 18, 20, 23, 25, 29};
    return (unsigned)sixths[qp % 6] << (qp / 6) >> 2;
}

static sv_h264_mb fresh_mb(const sv_h264_slice *slice) {
    sv_h264_mb mb = {.piece = slice->index, .qp = slice->qp};
    memset(mb.block_modes, 2, sizeof mb.block_modes);
    for (int list = 0; list < 2; list++) {
        mb.reference[list] = -1;
        mb.surface[list] = VA_INVALID_SURFACE;
    }
    return mb;
}

static void code_intra_16x16(sv_h264_slice *slice, sv_h264_mb *mb, uint8_t mode, sv_h264_block *block) {
    *mb = fresh_mb(slice);
    mb->kind = H264_INTRA_16X16;
    mb->luma_mode = mode;
    sv_h264_code_luma(slice, slice->target_qp, mb, &slice->levels, block->luma);
}

/// Codes the current macroblock as intra, in whole or in blocks. Returns false, and leaves `mb` alone, if that costs
/// more than `limit`.
static bool code_intra(sv_h264_slice *slice, unsigned lambda, unsigned limit, sv_h264_mb *mb, sv_h264_block *block) {
    sv_sample whole[256];
    uint8_t mode = 2;
    unsigned cost = sv_h264_intra_16x16(slice, lambda, whole, &mode);
    if (cost >= limit) return false;
    *mb = fresh_mb(slice);
    mb->kind = H264_INTRA_4X4;
    if (sv_h264_intra_4x4(slice, slice->target_qp, lambda, cost, mb, &slice->levels, block) > cost) {
        memcpy(block->luma, whole, sizeof whole);
        code_intra_16x16(slice, mb, mode, block);
    }
    sv_h264_intra_chroma(slice, block->chroma, &mb->chroma_mode);
    return true;
}

/// Makes the macroblock I_PCM: its samples are those of the source.
static void code_pcm(sv_h264_slice *slice, sv_h264_mb *mb, sv_h264_block *block) {
    *mb = fresh_mb(slice);
    mb->kind = H264_PCM;
    mb->luma_pattern = 15;
    mb->chroma_pattern = 2;
    mb->dc_coded = 7;
    memset(mb->nonzero, 16, sizeof mb->nonzero);
    for (int component = 0; component < 3; component++) {
        const sv_plane *plane = &slice->frame->source.planes[component];
        int size = component ? 8 : 16;
        sv_sample *out = component ? block->chroma[component - 1] : block->luma;
        const sv_sample *row = plane->samples + slice->y * size * plane->stride + slice->x * size;
        for (int y = 0; y < size; y++, row += plane->stride, out += size) {
            memcpy(out, row, (size_t)size * sizeof *out);
        }
    }
}

static void store(const sv_h264_slice *slice, const sv_h264_block *block) {
    for (int component = 0; component < 3; component++) {
        const sv_plane *plane = &slice->frame->reconstruction.planes[component];
        int size = component ? 8 : 16;
        const sv_sample *in = component ? block->chroma[component - 1] : block->luma;
        sv_sample *row = plane->samples + slice->y * size * plane->stride + slice->x * size;
        for (int y = 0; y < size; y++, row += plane->stride, in += size) {
            memcpy(row, in, (size_t)size * sizeof *in);
        }
    }
}

static bool is_skip(const sv_h264_slice *slice, const sv_h264_mb *mb) {
    return slice->type == H264_SLICE_P && mb->kind == H264_INTER && mb->reference[0] == 0 && !sv_h264_has_residual(mb) &&
           sv_vector_equal(mb->vector[0], sv_h264_skip_vector(slice));
}

void sv_h264_decide(sv_h264_slice *slice) {
    static const sv_vector zero;
    unsigned lambda = lambda_of(slice->target_qp);
    sv_h264_mb mb = fresh_mb(slice);
    sv_h264_block block;
    unsigned cost = slice->type == H264_SLICE_I ? UINT_MAX : sv_h264_inter(slice, lambda, &mb, &block);
    if (!code_intra(slice, lambda, cost, &mb, &block)) {
        sv_h264_code_luma(slice, slice->target_qp, &mb, &slice->levels, block.luma);
    }
    sv_h264_code_chroma(slice, slice->target_qp, &mb, &slice->levels, block.chroma);
    // A macroblock may not take more than 3200 bits, A.3.1; then its samples themselves are no longer.
    if (sv_h264_estimated_bits(&mb, &slice->levels) > 3100) code_pcm(slice, &mb, &block);
    if (is_skip(slice, &mb)) {
        mb.kind = H264_SKIP;
        mb.difference[0] = zero;
    }
    store(slice, &block);
    *slice->mb = mb;
}
