// SPDX-License-Identifier: MIT
// What both entropy coders need.
#include "softva_h264.h"

const uint8_t sv_h264_block_order[16] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};

int sv_h264_count_beside(const sv_h264_slice *slice, int block, bool above) {
    int first = block < H264_CB_BLOCKS ? 0 : block < H264_CR_BLOCKS ? H264_CB_BLOCKS : H264_CR_BLOCKS;
    int side = first ? 2 : 4, index = block - first;
    if (above) {
        if (index >= side) return slice->mb->nonzero[block - side];
        return slice->top ? slice->top->nonzero[block + side * (side - 1)] : -1;
    }
    if (index % side) return slice->mb->nonzero[block - 1];
    return slice->left ? slice->left->nonzero[block + side - 1] : -1;
}

unsigned sv_h264_intra_type(const sv_h264_mb *mb) {
    if (mb->kind == H264_INTRA_4X4) return 0;
    if (mb->kind == H264_PCM) return 25;
    return 1u + mb->luma_mode + 4u * mb->chroma_pattern + (mb->luma_pattern ? 12u : 0u);
}

void sv_h264_write_pcm(const sv_h264_slice *slice) {
    sv_bits_align(slice->bits, 0);
    for (int component = 0; component < 3; component++) {
        const sv_plane *plane = &slice->frame->reconstruction.planes[component];
        int size = component ? 8 : 16;
        const sv_sample *row = plane->samples + slice->y * size * plane->stride + slice->x * size;
        for (int y = 0; y < size; y++, row += plane->stride) {
            for (int x = 0; x < size; x++) sv_bits_u(slice->bits, 8, row[x]);
        }
    }
}
