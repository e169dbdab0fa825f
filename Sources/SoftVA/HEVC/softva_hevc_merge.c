// SPDX-License-Identifier: MIT
// Merge candidates (8.5.3.2.2 to 8.5.3.2.5) of 2Nx2N blocks.
#include "softva_hevc.h"

const sv_hevc_cell *sv_hevc_inter_neighbour(const sv_hevc *hevc, int x, int y) {
    if (!sv_hevc_available(hevc, x, y)) return NULL;
    const sv_hevc_cell *cell = sv_hevc_cell_at(hevc, x, y);
    return cell->intra ? NULL : cell;
}

static bool same_motion(const sv_hevc_motion *a, const sv_hevc_motion *b) {
    for (int list = 0; list < 2; list++) {
        if (a->reference[list] != b->reference[list]) return false;
        if (a->reference[list] >= 0 && !sv_vector_equal(a->vector[list], b->vector[list])) return false;
    }
    return true;
}

/// The neighbour at (nx, ny), unless it is in the same parallel merge region as the block at (x, y).
static const sv_hevc_cell *merge_neighbour(const sv_hevc *hevc, int x, int y, int nx, int ny) {
    int level = hevc->picture->log2_parallel_merge_level_minus2 + 2;
    if (x >> level == nx >> level && y >> level == ny >> level) return NULL;
    return sv_hevc_inter_neighbour(hevc, nx, ny);
}

static bool differs(const sv_hevc_cell *cell, const sv_hevc_cell *other) {
    return cell && (!other || !same_motion(&cell->motion, &other->motion));
}

static int spatial_candidates(const sv_hevc *hevc, int x, int y, int size, sv_hevc_motion *list) {
    const sv_hevc_cell *a1 = merge_neighbour(hevc, x, y, x - 1, y + size - 1);
    const sv_hevc_cell *b1 = merge_neighbour(hevc, x, y, x + size - 1, y - 1);
    const sv_hevc_cell *b0 = merge_neighbour(hevc, x, y, x + size, y - 1);
    const sv_hevc_cell *a0 = merge_neighbour(hevc, x, y, x - 1, y + size);
    const sv_hevc_cell *b2 = merge_neighbour(hevc, x, y, x - 1, y - 1);
    int count = 0;
    if (a1) list[count++] = a1->motion;
    if (differs(b1, a1)) list[count++] = b1->motion;
    if (differs(b0, b1)) list[count++] = b0->motion;
    if (differs(a0, a1)) list[count++] = a0->motion;
    if (count < 4 && differs(b2, a1) && differs(b2, b1)) list[count++] = b2->motion;
    return count;
}

/// Joins list 0 of one candidate with list 1 of another (8.5.3.2.4); returns the new number of candidates.
static int combined_candidates(const sv_hevc_slice *slice, sv_hevc_motion *list, int count, int maximum) {
    static const uint8_t pairs[12][2] = {
        {0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}, {0, 3}, {3, 0}, {1, 3}, {3, 1}, {2, 3}, {3, 2}};
    int original = count;
    for (int i = 0; i < original * (original - 1) && count < maximum; i++) {
        const sv_hevc_motion *first = &list[pairs[i][0]], *second = &list[pairs[i][1]];
        int zero = first->reference[0], one = second->reference[1];
        if (zero < 0 || one < 0) continue;
        if (slice->order[0][zero] == slice->order[1][one] && sv_vector_equal(first->vector[0], second->vector[1])) {
            continue;
        }
        list[count++] = (sv_hevc_motion){{first->vector[0], second->vector[1]}, {(int8_t)zero, (int8_t)one}};
    }
    return count;
}

/// The collocated block's motion for the first entries of the lists; returns the new number of candidates.
static int temporal_candidate(const sv_hevc *hevc, int x, int y, int size, sv_hevc_motion *list, int count) {
    sv_hevc_motion motion = {.reference = {-1, -1}};
    bool bi = hevc->slice->type == SV_HEVC_B, found = false;
    for (int from = 0; from <= bi; from++) {
        if (!sv_hevc_temporal_vector(hevc, x, y, size, from, 0, &motion.vector[from])) continue;
        motion.reference[from] = 0;
        found = true;
    }
    if (found) list[count] = motion;
    return count + found;
}

void sv_hevc_merge_candidates(const sv_hevc *hevc, int x, int y, int size, sv_hevc_motion *list) {
    const sv_hevc_slice *slice = hevc->slice;
    bool bi = slice->type == SV_HEVC_B;
    int maximum = slice->params->max_num_merge_cand, count = spatial_candidates(hevc, x, y, size, list);
    count = temporal_candidate(hevc, x, y, size, list, count);
    if (bi && count > 1 && count < maximum) count = combined_candidates(slice, list, count, maximum);
    int references = bi ? sv_min(slice->counts[0], slice->counts[1]) : slice->counts[0];
    for (int zero = 0; count < maximum; zero++, count++) {
        int8_t index = (int8_t)(zero < references ? zero : 0);
        list[count] = (sv_hevc_motion){.reference = {index, bi ? index : -1}};
    }
}

/// The vector of `cell` that points to the same picture as entry `reference` of `list`.
static bool matching_vector(
    const sv_hevc *hevc, const sv_hevc_cell *cell, int list, int reference, sv_vector *vector) {
    const sv_hevc_slice *slice = hevc->slice;
    for (int i = 0; i < 2; i++) {
        int from = i ? 1 - list : list, index = cell->motion.reference[from];
        if (index < 0 || slice->order[from][index] != slice->order[list][reference]) continue;
        *vector = cell->motion.vector[from];
        return true;
    }
    return false;
}

/// Any vector of `cell`, scaled by the distances of the two pictures (8.5.3.2.7).
static bool scaled_vector(const sv_hevc *hevc, const sv_hevc_cell *cell, int list, int reference, sv_vector *vector) {
    const sv_hevc_slice *slice = hevc->slice;
    int current = hevc->picture->decoded_curr_pic.pic_order_cnt;
    for (int i = 0; i < 2; i++) {
        int from = i ? 1 - list : list, index = cell->motion.reference[from];
        if (index < 0 || slice->long_term[from][index] != slice->long_term[list][reference]) continue;
        *vector = cell->motion.vector[from];
        if (slice->long_term[list][reference]) return true;
        sv_hevc_scale_vector(vector, current - slice->order[from][index], current - slice->order[list][reference]);
        return true;
    }
    return false;
}

void sv_hevc_vector_candidates(
    const sv_hevc *hevc, int x, int y, int size, int list, int reference, sv_vector candidates[2]) {
    const sv_hevc_cell *a[2] = {sv_hevc_inter_neighbour(hevc, x - 1, y + size),
        sv_hevc_inter_neighbour(hevc, x - 1, y + size - 1)};
    const sv_hevc_cell *b[3] = {sv_hevc_inter_neighbour(hevc, x + size, y - 1),
        sv_hevc_inter_neighbour(hevc, x + size - 1, y - 1), sv_hevc_inter_neighbour(hevc, x - 1, y - 1)};
    bool left_exists = a[0] || a[1], has_a = false, has_b = false;
    sv_vector left, top;
    for (int i = 0; i < 2 && !has_a; i++) has_a = a[i] && matching_vector(hevc, a[i], list, reference, &left);
    for (int i = 0; i < 2 && !has_a; i++) has_a = a[i] && scaled_vector(hevc, a[i], list, reference, &left);
    for (int i = 0; i < 3 && !has_b; i++) has_b = b[i] && matching_vector(hevc, b[i], list, reference, &top);
    if (!left_exists) {
        if (has_b) {
            has_a = true;
            left = top;
        }
        has_b = false;
        for (int i = 0; i < 3 && !has_b; i++) has_b = b[i] && scaled_vector(hevc, b[i], list, reference, &top);
    }
    int count = 0;
    if (has_a) candidates[count++] = left;
    if (has_b && !(has_a && sv_vector_equal(left, top))) candidates[count++] = top;
    if (count < 2 && sv_hevc_temporal_vector(hevc, x, y, size, list, reference, &candidates[count])) count++;
    while (count < 2) candidates[count++] = (sv_vector){0, 0};
}
