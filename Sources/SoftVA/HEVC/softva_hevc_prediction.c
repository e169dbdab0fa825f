// SPDX-License-Identifier: MIT
// Prediction units: how a coding unit predicts from other pictures, and its syntax (7.3.8.6, 7.3.8.9).
#include <limits.h>
#include <stdlib.h>

#include "softva_hevc.h"

/// What the fractional search compares.
typedef struct {
    const sv_hevc *hevc;
    const sv_hevc_unit *unit;
    int list, reference;
} fraction_search;

static unsigned distortion(const sv_hevc *hevc, const sv_hevc_unit *unit, const sv_hevc_motion *motion) {
    const sv_plane *source = &hevc->source.planes[0];
    int size = 1 << unit->log2_size;
    sv_sample predicted[64 * 64];
    sv_hevc_predict(hevc, 0, unit->x, unit->y, size, motion, predicted, size);
    const sv_sample *from = source->samples + unit->y * source->stride + unit->x;
    return sv_sad(from, source->stride, predicted, size, size, size, UINT_MAX);
}

static unsigned fraction_distortion(void *context, sv_vector vector) {
    const fraction_search *search = context;
    sv_hevc_motion motion = {.reference = {-1, -1}};
    motion.vector[search->list] = vector;
    motion.reference[search->list] = (int8_t)search->reference;
    return distortion(search->hevc, search->unit, &motion);
}

/// Takes the best merge candidate; returns its cost.
static unsigned choose_merge(const sv_hevc *hevc, sv_hevc_unit *unit) {
    sv_hevc_motion list[5];
    sv_hevc_merge_candidates(hevc, unit->x, unit->y, 1 << unit->log2_size, list);
    unsigned best = UINT_MAX;
    for (int i = 0; i < hevc->slice->params->max_num_merge_cand; i++) {
        unsigned cost = distortion(hevc, unit, &list[i]) + hevc->lambda * (unsigned)(i + 1) / 16;
        if (cost >= best) continue;
        best = cost;
        unit->merge_index = i;
        unit->motion = list[i];
    }
    unit->merge = true;
    return best;
}

/// The cheaper of the two predictors of `vector`, its index and the cost of the difference.
static unsigned choose_predictor(const sv_search *search, const sv_vector candidates[2], sv_vector vector, int *index) {
    unsigned cost[2];
    for (int i = 0; i < 2; i++) {
        sv_search with = *search;
        with.predictor = candidates[i];
        cost[i] = sv_vector_cost(&with, vector);
    }
    *index = cost[1] < cost[0];
    return cost[*index];
}

/// A unit's motion from one list, with explicit vectors.
typedef struct {
    sv_vector vector, candidates[2];
    int predictor;
    unsigned vector_cost, cost;
} list_motion;

static list_motion refine_list(const sv_hevc *hevc, const sv_hevc_unit *unit, const sv_hevc_choice *choice, int list) {
    int reference = choice->motion.reference[list], size = 1 << unit->log2_size;
    list_motion result = {.vector = choice->motion.vector[list]};
    sv_hevc_vector_candidates(hevc, unit->x, unit->y, size, list, reference, result.candidates);
    sv_search search = {.source = &hevc->source.planes[0], .x = unit->x, .y = unit->y, .width = size, .height = size,
        .lambda = hevc->lambda};
    choose_predictor(&search, result.candidates, result.vector, &result.predictor);
    search.predictor = result.candidates[result.predictor];
    fraction_search fraction = {hevc, unit, list, reference};
    unsigned cost = fraction_distortion(&fraction, result.vector) + sv_vector_cost(&search, result.vector);
    if (!hevc->job->fast) cost = sv_search_fraction(&search, fraction_distortion, &fraction, cost, &result.vector);
    cost -= sv_vector_cost(&search, result.vector);
    result.vector_cost = choose_predictor(&search, result.candidates, result.vector, &result.predictor);
    result.vector_cost += hevc->lambda * (unsigned)(2 + reference) / 16;
    result.cost = cost + result.vector_cost;
    return result;
}

static sv_vector difference(sv_vector a, sv_vector b) {
    return (sv_vector){(int16_t)(a.x - b.x), (int16_t)(a.y - b.y)};
}

/// Explicit motion from one or both lists; replaces the unit's motion if it costs less than `limit`.
static void choose_explicit(const sv_hevc *hevc, sv_hevc_unit *unit, const sv_hevc_choice *choice, unsigned limit) {
    list_motion lists[2];
    const int8_t *references = choice->motion.reference;
    sv_hevc_motion best = {.reference = {-1, -1}};
    unsigned cost = limit;
    for (int list = 0; list < 2; list++) {
        if (references[list] < 0) continue;
        lists[list] = refine_list(hevc, unit, choice, list);
        if (lists[list].cost >= cost) continue;
        cost = lists[list].cost;
        best = (sv_hevc_motion){.reference = {-1, -1}};
        best.vector[list] = lists[list].vector;
        best.reference[list] = references[list];
    }
    if (references[0] >= 0 && references[1] >= 0) {
        sv_hevc_motion both = {{lists[0].vector, lists[1].vector}, {references[0], references[1]}};
        unsigned bits = lists[0].vector_cost + lists[1].vector_cost;
        // With mvd_l1_zero_flag the vector of list 1 is a predictor as it stands.
        if (hevc->slice->params->slice_fields.bits.mvd_l1_zero_flag) {
            both.vector[1] = lists[1].candidates[lists[1].predictor];
            bits = lists[0].vector_cost;
        }
        unsigned sum = distortion(hevc, unit, &both) + bits;
        if (sum < cost) {
            cost = sum;
            best = both;
        }
    }
    if (cost >= limit) return;
    unit->merge = false;
    unit->motion = best;
    for (int list = 0; list < 2; list++) {
        if (best.reference[list] < 0) continue;
        unit->predictor[list] = lists[list].predictor;
        unit->difference[list] = difference(best.vector[list], lists[list].candidates[lists[list].predictor]);
    }
}

void sv_hevc_choose_inter(sv_hevc *hevc, sv_hevc_unit *unit, const sv_hevc_choice *choice) {
    unsigned limit = choose_merge(hevc, unit);
    bool good = limit * 24ull < hevc->lambda * 1ull << (2 * unit->log2_size);
    if (!good) choose_explicit(hevc, unit, choice, limit);
    for (int i = 0; i < 3; i++) {
        const sv_plane *plane = &hevc->decoded.planes[i];
        int scale = i ? 1 : 0;
        sv_sample *out = plane->samples + (unit->y >> scale) * plane->stride + (unit->x >> scale);
        sv_hevc_predict(hevc, i, unit->x, unit->y, 1 << unit->log2_size, &unit->motion, out, plane->stride);
    }
}

void sv_hevc_write_merge_index(sv_hevc *hevc, int index) {
    int maximum = hevc->slice->params->max_num_merge_cand - 1;
    for (int i = 0; i < maximum && i <= index; i++) {
        unsigned more = i < index;
        if (i == 0) {
            sv_hevc_bin(hevc, SV_HEVC_MERGE_INDEX, more);
        } else {
            sv_cabac_bypass(&hevc->cabac, 1, more);
        }
    }
}

static void write_reference(sv_hevc *hevc, int count, int index) {
    for (int i = 0; i < count - 1 && i <= index; i++) {
        unsigned more = i < index;
        if (i < 2) {
            sv_hevc_bin(hevc, SV_HEVC_REF_INDEX + i, more);
        } else {
            sv_cabac_bypass(&hevc->cabac, 1, more);
        }
    }
}

/// mvd_coding().
static void write_difference(sv_hevc *hevc, sv_vector difference) {
    int values[2] = {difference.x, difference.y};
    for (int i = 0; i < 2; i++) sv_hevc_bin(hevc, SV_HEVC_MVD_GREATER0, values[i] != 0);
    for (int i = 0; i < 2; i++) {
        if (values[i]) sv_hevc_bin(hevc, SV_HEVC_MVD_GREATER1, abs(values[i]) > 1);
    }
    for (int i = 0; i < 2; i++) {
        if (!values[i]) continue;
        if (abs(values[i]) > 1) sv_cabac_exp_golomb(&hevc->cabac, 1, (uint32_t)(abs(values[i]) - 2));
        sv_cabac_bypass(&hevc->cabac, 1, values[i] < 0);
    }
}

void sv_hevc_write_prediction(sv_hevc *hevc, const sv_hevc_unit *unit) {
    const sv_hevc_slice *slice = hevc->slice;
    sv_hevc_bin(hevc, SV_HEVC_MERGE_FLAG, unit->merge);
    if (unit->merge) {
        sv_hevc_write_merge_index(hevc, unit->merge_index);
        return;
    }
    bool used[2] = {unit->motion.reference[0] >= 0, unit->motion.reference[1] >= 0}, both = used[0] && used[1];
    if (slice->type == SV_HEVC_B) {
        sv_hevc_bin(hevc, SV_HEVC_INTER_PRED + unit->depth, both);
        if (!both) sv_hevc_bin(hevc, SV_HEVC_INTER_PRED + 4, used[1]);
    }
    for (int list = 0; list < 2; list++) {
        if (!used[list]) continue;
        write_reference(hevc, slice->counts[list], unit->motion.reference[list]);
        bool zero = list == 1 && both && slice->params->slice_fields.bits.mvd_l1_zero_flag;
        if (!zero) write_difference(hevc, unit->difference[list]);
        sv_hevc_bin(hevc, SV_HEVC_MVP_FLAG, (unsigned)unit->predictor[list]);
    }
}
