// SPDX-License-Identifier: MIT
// Reference lists: the initial ones, and those that a slice wants.
#include <stdlib.h>
#include <string.h>

#include "h264_stream.h"

VAPictureH264 h264_entry(const h264_encoder *encoder, int index) {
    const h264_surface *surface = &encoder->surfaces[index];
    return (VAPictureH264){.picture_id = (VASurfaceID)index, .frame_idx = (uint32_t)surface->frame_num,
        .flags = VA_PICTURE_H264_SHORT_TERM_REFERENCE, .TopFieldOrderCnt = surface->order,
        .BottomFieldOrderCnt = surface->order};
}

/// The place of a reference in an initial list: smaller comes first.
static int rank(const h264_encoder *encoder, const VAPictureH264 *entry, int type, int list, int order) {
    int modulus = 16 << encoder->sequence.seq_fields.bits.log2_max_frame_num_minus4;
    if (type == SLICE_P) return (encoder->frame_num - (int)entry->frame_idx + modulus) % modulus;
    int distance = entry->TopFieldOrderCnt - order;
    bool first = list ? distance > 0 : distance < 0;
    return abs(distance) + (first ? 0 : 1 << 20);
}

void h264_initial_lists(const h264_encoder *encoder, int type, int order, VAPictureH264 lists[2][16]) {
    int count = encoder->reference_count;
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < 16; i++) {
            lists[list][i] = (VAPictureH264){.picture_id = VA_INVALID_SURFACE, .flags = VA_PICTURE_H264_INVALID};
        }
        for (int i = 0; i < count; i++) {
            VAPictureH264 entry = h264_entry(encoder, encoder->references[i]);
            int place = i;
            for (; place > 0 && rank(encoder, &entry, type, list, order) <
                                    rank(encoder, &lists[list][place - 1], type, list, order); place--) {
                lists[list][place] = lists[list][place - 1];
            }
            lists[list][place] = entry;
        }
    }
    if (type == SLICE_B && count > 1 && !memcmp(lists[0], lists[1], sizeof lists[0])) {
        VAPictureH264 first = lists[1][0];
        lists[1][0] = lists[1][1];
        lists[1][1] = first;
    }
}

void h264_fill_lists(h264_encoder *encoder, VAEncSliceParameterBufferH264 *slice, VAPictureH264 initial[2][16]) {
    VAPictureH264 *lists[2] = {slice->RefPicList0, slice->RefPicList1};
    const VAEncPictureParameterBufferH264 *picture = &encoder->picture;
    int counts[2] = {picture->num_ref_idx_l0_active_minus1 + 1, picture->num_ref_idx_l1_active_minus1 + 1};
    bool overrides = h264_random_below(&encoder->random, 2) || counts[0] > encoder->reference_count ||
                     counts[1] > encoder->reference_count;
    if (overrides) {
        for (int list = 0; list < 2; list++) {
            // A list may name a picture more than once.
            int limit = encoder->options.reorders && !encoder->options.is_plain ? 5 : encoder->reference_count;
            counts[list] = 1 + h264_random_below(&encoder->random, limit);
        }
        slice->num_ref_idx_active_override_flag = 1;
        slice->num_ref_idx_l0_active_minus1 = (uint8_t)(counts[0] - 1);
        slice->num_ref_idx_l1_active_minus1 = (uint8_t)(counts[1] - 1);
    }
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < 32; i++) {
            lists[list][i] = (VAPictureH264){.picture_id = VA_INVALID_SURFACE, .flags = VA_PICTURE_H264_INVALID};
            if (i >= counts[list]) continue;
            int source = i;
            if (encoder->options.reorders) {
                source = encoder->options.is_plain ? (i + encoder->rotation) % encoder->reference_count
                                                    : h264_random_below(&encoder->random, encoder->reference_count);
            }
            lists[list][i] = initial[list][source];
        }
    }
}
