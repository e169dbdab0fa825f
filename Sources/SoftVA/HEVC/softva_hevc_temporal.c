// SPDX-License-Identifier: MIT
// Motion vectors from another picture (8.5.3.2.8, 8.5.3.2.9), and what a picture keeps for those that follow.
#include <stdlib.h>

#include "softva_hevc.h"

static int scale_component(int factor, int value) {
    int product = factor * value, rounded = (abs(product) + 127) >> 8;
    return sv_clip(-32768, 32767, product < 0 ? -rounded : rounded);
}

void sv_hevc_scale_vector(sv_vector *vector, int from, int to) {
    int td = sv_clip(-128, 127, from), tb = sv_clip(-128, 127, to);
    if (td == 0 || td == tb) return;
    int factor = sv_clip(-4096, 4095, (tb * ((16384 + abs(td) / 2) / td) + 32) >> 6);
    vector->x = (int16_t)scale_component(factor, vector->x);
    vector->y = (int16_t)scale_component(factor, vector->y);
}

static int motion_stride(const sv_hevc *hevc) { return (hevc->width + 15) >> 4; }

void sv_hevc_keep_motion(const sv_hevc *hevc) {
    sv_motion *kept = hevc->job->motion;
    if (!kept) return;
    int current = hevc->picture->decoded_curr_pic.pic_order_cnt;
    for (int y = 0; y < hevc->height; y += 16) {
        for (int x = 0; x < hevc->width; x += 16) {
            const sv_hevc_cell *cell = sv_hevc_cell_at(hevc, x, y);
            const sv_hevc_slice *slice = &hevc->slices[sv_hevc_owner(hevc, x, y)];
            sv_motion *motion = &kept[(y >> 4) * motion_stride(hevc) + (x >> 4)];
            *motion = (sv_motion){{{0}}, {0}, {false}, {false}};
            for (int list = 0; list < 2 && !cell->intra; list++) {
                int reference = cell->motion.reference[list];
                if (reference < 0) continue;
                motion->used[list] = true;
                motion->vector[list][0] = cell->motion.vector[list].x;
                motion->vector[list][1] = cell->motion.vector[list].y;
                motion->distance[list] = current - slice->order[list][reference];
                motion->long_term[list] = slice->long_term[list][reference];
            }
        }
    }
}

/// The vector of the collocated block that covers (x, y), scaled to entry `reference` of `list`.
static bool vector_at(const sv_hevc *hevc, int x, int y, int list, int reference, sv_vector *vector) {
    const sv_hevc_slice *slice = hevc->slice;
    const sv_motion *motion = &slice->collocated[(y >> 4) * motion_stride(hevc) + (x >> 4)];
    if (!motion->used[0] && !motion->used[1]) return false;
    int from = !motion->used[0] ? 1 : !motion->used[1] ? 0 : slice->looks_back ? list : slice->collocated_list;
    if (motion->long_term[from] != slice->long_term[list][reference]) return false;
    *vector = (sv_vector){motion->vector[from][0], motion->vector[from][1]};
    int distance = hevc->picture->decoded_curr_pic.pic_order_cnt - slice->order[list][reference];
    if (!slice->long_term[list][reference] && motion->distance[from] != distance) {
        sv_hevc_scale_vector(vector, motion->distance[from], distance);
    }
    return true;
}

bool sv_hevc_temporal_vector(
    const sv_hevc *hevc, int x, int y, int size, int list, int reference, sv_vector *vector) {
    if (!hevc->slice->collocated) return false;
    int right = x + size, bottom = y + size;
    bool inside = y >> hevc->log2_ctb == bottom >> hevc->log2_ctb && right < hevc->width && bottom < hevc->height;
    if (inside && vector_at(hevc, right, bottom, list, reference, vector)) return true;
    return vector_at(hevc, x + size / 2, y + size / 2, list, reference, vector);
}
