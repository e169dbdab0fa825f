// SPDX-License-Identifier: MIT
// Chooses block sizes, intra modes and motion from the source and the reference pictures alone. Costs are sums of
// absolute differences plus bits times lambda.
#include <limits.h>

#include "softva_hevc.h"

/// Best whole vectors of a block for each list entry: where the search in its quarters begins.
typedef struct {
    sv_vector vectors[2][15];
} vector_field;

static unsigned bits_cost(const sv_hevc *hevc, unsigned bits) { return hevc->lambda * bits / 16; }

/// Takes `mode` for the block of the choice if its prediction from source samples costs less.
static void try_intra(const sv_hevc *hevc, int x, int y, const sv_hevc_border border, int mode, sv_hevc_choice *choice) {
    const sv_plane *source = &hevc->source.planes[0];
    int size = 1 << choice->log2_size;
    sv_sample predicted[32 * 32];
    sv_hevc_intra_predict(hevc, 0, choice->log2_size, mode, border, predicted, size);
    unsigned bits = bits_cost(hevc, mode < 2 ? 4 : 7);
    if (bits >= choice->cost) return;
    unsigned cost = bits + sv_sad(source->samples + y * source->stride + x, source->stride, predicted, size, size,
                               size, choice->cost - bits);
    if (cost >= choice->cost) return;
    choice->cost = cost;
    choice->mode = (uint8_t)mode;
    choice->intra = true;
}

/// The best intra mode of a block no larger than the largest transform; a cost above `limit` is of no interest.
static sv_hevc_choice intra_choice(const sv_hevc *hevc, int x, int y, int log2_size, unsigned limit) {
    static const uint8_t coarse[5] = {SV_HEVC_DC, SV_HEVC_HORIZONTAL, SV_HEVC_VERTICAL, 18, 2};
    sv_hevc_choice choice = {.log2_size = (uint8_t)log2_size, .cost = UINT_MAX};
    sv_hevc_border border;
    sv_hevc_intra_source_border(hevc, x, y, 1 << log2_size, border);
    try_intra(hevc, x, y, border, SV_HEVC_PLANAR, &choice);
    if (choice.cost > 2 * (unsigned long long)limit) return choice;
    // Large blocks are plain ones, for which few angles are enough.
    for (int i = 0; i < (log2_size == 5 ? 3 : 5); i++) try_intra(hevc, x, y, border, coarse[i], &choice);
    // An angle between the coarse ones: in ever smaller steps around the best.
    for (int step = 4; step >= 1 && choice.mode >= 2 && log2_size < 5; step /= 2) {
        int centre = choice.mode;
        if (centre - step >= 2) try_intra(hevc, x, y, border, centre - step, &choice);
        if (centre + step <= 34) try_intra(hevc, x, y, border, centre + step, &choice);
    }
    return choice;
}

/// A choice for a block larger than the largest transform that has to be intra: the mode of its first part.
static sv_hevc_choice large_intra_choice(const sv_hevc *hevc, int x, int y, int log2_size) {
    int parts = 1 << (2 * (log2_size - hevc->log2_max_tb));
    sv_hevc_choice choice = intra_choice(hevc, x, y, hevc->log2_max_tb, UINT_MAX);
    choice.log2_size = (uint8_t)log2_size;
    choice.cost = choice.cost > UINT_MAX / (unsigned)parts ? UINT_MAX : choice.cost * (unsigned)parts;
    return choice;
}

/// Index of an entry before `index` of list 1, or in list 0, that is the same picture: its vector is known already.
static const sv_vector *known_vector(
    const sv_hevc *hevc, int list, int index, const vector_field *field, unsigned costs[2][15], unsigned *cost) {
    for (int i = 0; i <= list; i++) {
        int count = i == list ? index : hevc->slice->counts[0];
        for (int k = 0; k < count; k++) {
            if (hevc->slice->planes[i][k] != hevc->slice->planes[list][index]) continue;
            *cost = costs[i][k];
            return &field->vectors[i][k];
        }
    }
    return NULL;
}

/// The best whole vector of each list. `field` has the vectors of the surrounding block, and gets those of this one.
static sv_hevc_choice inter_choice(const sv_hevc *hevc, int x, int y, int log2_size, vector_field *field) {
    const sv_hevc_slice *slice = hevc->slice;
    int size = 1 << log2_size;
    sv_hevc_choice choice = {.log2_size = (uint8_t)log2_size, .cost = UINT_MAX, .list_cost = {UINT_MAX, UINT_MAX},
        .motion.reference = {-1, -1}};
    const sv_hevc_choice *left = x > 0 ? sv_hevc_choice_at(hevc, x - 1, y) : NULL;
    unsigned costs[2][15] = {{0}};
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < slice->counts[list]; i++) {
            sv_vector start = field->vectors[list][i], beside = start, best;
            if (left && !left->intra && left->motion.reference[list] == i) beside = left->motion.vector[list];
            const sv_vector *known = known_vector(hevc, list, i, field, costs, &costs[list][i]);
            if (known) {
                best = *known;
            } else {
                sv_search search = {.source = &hevc->source.planes[0], .reference = &slice->planes[list][i]->planes[0],
                    .x = x, .y = y, .width = size, .height = size, .predictor = beside, .lambda = hevc->lambda};
                sv_vector starts[3] = {{0, 0}, start, beside};
                costs[list][i] = sv_search_whole(&search, starts, 3, &best);
            }
            field->vectors[list][i] = best;
            unsigned cost = costs[list][i] + bits_cost(hevc, (unsigned)i);
            if (cost >= choice.list_cost[list]) continue;
            choice.list_cost[list] = cost;
            choice.motion.vector[list] = best;
            choice.motion.reference[list] = (int8_t)i;
        }
        choice.cost = choice.list_cost[list] < choice.cost ? choice.list_cost[list] : choice.cost;
    }
    choice.cost += bits_cost(hevc, 4);
    return choice;
}

static sv_hevc_choice best_choice(const sv_hevc *hevc, int x, int y, int log2_size, vector_field *field) {
    bool fits = log2_size <= hevc->log2_max_tb;
    if (hevc->slice->type == SV_HEVC_I) {
        return fits ? intra_choice(hevc, x, y, log2_size, UINT_MAX) : large_intra_choice(hevc, x, y, log2_size);
    }
    sv_hevc_choice inter = inter_choice(hevc, x, y, log2_size, field);
    // Intra is worth a look only where motion leaves more than about two bits per sample.
    if (!fits || inter.cost * 8ull < (hevc->lambda * 1ull << (2 * log2_size))) return inter;
    sv_hevc_choice intra = intra_choice(hevc, x, y, log2_size, inter.cost);
    return intra.cost + bits_cost(hevc, 8) < inter.cost ? intra : inter;
}

/// Decides the square at (x, y), whose cells get the result; returns its cost.
static unsigned decide_node(const sv_hevc *hevc, int x, int y, int log2_size, vector_field field) {
    if (x >= hevc->width || y >= hevc->height) return 0;
    int size = 1 << log2_size, half = size / 2;
    bool whole = x + size <= hevc->width && y + size <= hevc->height, may_split = log2_size > hevc->log2_min_cb;
    // Intra blocks larger than the largest transform gain nothing over their parts.
    bool useful = hevc->slice->type != SV_HEVC_I || log2_size <= hevc->log2_max_tb;
    sv_hevc_choice choice = {.cost = UINT_MAX};
    if (whole && (useful || !may_split)) choice = best_choice(hevc, x, y, log2_size, &field);
    if (may_split && choice.cost * 24ull > (hevc->lambda * 1ull << (2 * log2_size))) {
        unsigned long long sum = bits_cost(hevc, 1);
        for (int i = 0; i < 4; i++) {
            sum += decide_node(hevc, x + (i & 1) * half, y + (i >> 1) * half, log2_size - 1, field);
        }
        if (sum < choice.cost) return sum > UINT_MAX ? UINT_MAX : (unsigned)sum;
    }
    for (int row = y; row < y + size; row += 8) {
        for (int column = x; column < x + size; column += 8) *sv_hevc_choice_at(hevc, column, row) = choice;
    }
    return choice.cost;
}

void sv_hevc_decide(sv_hevc *hevc, int x, int y) {
    vector_field field = {0};
    decide_node(hevc, x, y, hevc->log2_ctb, field);
}
