// SPDX-License-Identifier: MIT
#include "hevc_scenario.h"

#include <string.h>

uint32_t random_below(random_numbers *numbers, uint32_t bound) {
    uint64_t z = numbers->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) % bound);
}

static int draw(random_numbers *numbers, int low, int high) {
    return low + (int)random_below(numbers, (uint32_t)(high - low + 1));
}

static void draw_sizes(hevc_scenario *s, random_numbers *n) {
    s->bit_depth = draw(n, 0, 1) ? 8 : 10;
    s->log2_ctb = draw(n, 4, 6);
    s->log2_min_cb = draw(n, 3, s->log2_ctb);
    s->log2_min_tb = draw(n, 2, s->log2_min_cb - 1 < 5 ? s->log2_min_cb - 1 : 5);
    int largest = s->log2_ctb < 5 ? s->log2_ctb : 5;
    s->log2_max_tb = draw(n, s->log2_min_tb, largest);
    s->depth_intra = draw(n, 0, s->log2_ctb - s->log2_min_tb);
    s->depth_inter = draw(n, 0, s->log2_ctb - s->log2_min_tb);
    s->width = 2 * draw(n, 16, 110);
    s->height = 2 * draw(n, 16, 90);
    int mask = (1 << s->log2_min_cb) - 1;
    s->coded_width = (s->width + mask) & ~mask;
    s->coded_height = (s->height + mask) & ~mask;
}

static void draw_quantisation(hevc_scenario *s, random_numbers *n) {
    s->init_qp = draw(n, 0, 51);
    int qp = draw(n, s->bit_depth == 10 && !draw(n, 0, 3) ? -12 : 0, 51);
    s->slice_qp_delta = qp - s->init_qp;
    s->cu_qp_delta = draw(n, 0, 1);
    s->rate_control_qp = draw(n, 0, 2) ? draw(n, 0, 51) : -1;
    s->diff_cu_qp_delta_depth = s->cu_qp_delta ? draw(n, 0, s->log2_ctb - s->log2_min_cb) : 0;
    s->cb_offset = draw(n, -6, 6);
    s->cr_offset = draw(n, -12, 12);
    s->slice_cb_offset = draw(n, -6, 6);
}

static void draw_tools(hevc_scenario *s, random_numbers *n) {
    s->sao = draw(n, 0, 1);
    s->sao_luma = s->sao && draw(n, 0, 1);
    s->sao_chroma = s->sao && draw(n, 0, 1);
    s->amp = draw(n, 0, 1);
    s->temporal = draw(n, 0, 1);
    s->strong = draw(n, 0, 1);
    s->transform_skip = draw(n, 0, 1);
    s->filter_disabled = !draw(n, 0, 4);
    s->beta_offset = draw(n, -6, 6);
    s->tc_offset = draw(n, -6, 6);
    s->pps_across = draw(n, 0, 1);
    // What the slice header does not say is inferred to be the PPS's flag (7.4.7.1).
    bool present = s->pps_across && (s->sao_luma || s->sao_chroma || !s->filter_disabled);
    s->slice_across = present ? draw(n, 0, 1) : s->pps_across;
}

static void draw_prediction(hevc_scenario *s, random_numbers *n) {
    s->types = draw(n, 0, 6);
    s->types = s->types > TYPES_B ? s->types - TYPES_B : s->types;
    s->references = draw(n, 1, MAX_REFERENCES);
    s->active[0] = draw(n, 1, s->references + 1);
    s->active[1] = s->types == TYPES_GPB ? s->active[0] : draw(n, 1, s->references + 1);
    s->modify_lists = draw(n, 0, 1);
    s->mvd_l1_zero = draw(n, 0, 1);
    s->cabac_init = draw(n, 0, 1);
    s->merge_candidates = draw(n, 1, 5);
    s->merge_level = draw(n, 0, 2) ? 0 : draw(n, 0, s->log2_ctb - 2);
}

/// Without packed slice headers the parameter sets are as simple as the coder takes them to be.
static void simplify(hevc_scenario *s) {
    s->slice_cb_offset = s->cabac_init = s->modify_lists = 0;
}

hevc_scenario hevc_scenario_create(uint64_t seed) {
    hevc_scenario s;
    memset(&s, 0, sizeof s);
    random_numbers n = {seed};
    draw_sizes(&s, &n);
    draw_quantisation(&s, &n);
    draw_tools(&s, &n);
    draw_prediction(&s, &n);
    s.slices = draw(&n, 0, 1) ? 1 : draw(&n, 2, MAX_SLICES);
    s.frames = draw(&n, 2, MAX_FRAMES);
    s.headers = draw(&n, 0, 3);
    s.content = draw(&n, 0, 4);
    if (s.content > CONTENT_HARSH) s.content = CONTENT_MOVING;
    if (s.headers == HEADERS_NONE) simplify(&s);
    s.numbers = n;
    return s;
}

int hevc_scenario_frames(const hevc_scenario *s, hevc_frame *frames) {
    static const int pyramid[4] = {4, 2, 1, 3};
    int count = 0;
    if (s->types != TYPES_B) {
        int type = s->types == TYPES_INTRA ? 2 : s->types == TYPES_P ? 1 : 0;
        for (; count < s->frames; count++) frames[count] = (hevc_frame){count, count == 0, true, count ? type : 2};
        return count;
    }
    frames[count++] = (hevc_frame){0, true, true, 2};
    for (int group = 0; group < (s->frames - 1) / 4; group++) {
        for (int i = 0; i < 4; i++) {
            frames[count++] = (hevc_frame){4 * group + pyramid[i], false, pyramid[i] % 2 == 0, 0};
        }
    }
    return count;
}

/// Indices of the references in the order of an initial list: before the frame, nearest first, then after it; or, for
/// list 1, the other way round.
static void initial_order(const hevc_references *references, int order, bool after_first, int *out) {
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        bool after = (pass == 1) != after_first;
        for (int distance = 1; distance < 2 * MAX_FRAMES; distance++) {
            for (int i = 0; i < references->count; i++) {
                int ahead = references->orders[i] - order;
                if (ahead == (after ? distance : -distance)) out[count++] = i;
            }
        }
    }
}

void hevc_references_draw(hevc_scenario *s, const hevc_frame *frame, hevc_references *references) {
    for (int list = 0; list < 2; list++) {
        int initial[MAX_REFERENCES], count = frame->type == 2 || (list && frame->type == 1) ? 0 : s->active[list];
        references->counts[list] = count;
        references->modified[list] = false;
        if (count == 0) continue;
        initial_order(references, frame->order, list, initial);
        references->modified[list] = s->modify_lists && random_below(&s->numbers, 2);
        for (int i = 0; i < count; i++) {
            uint32_t entry = references->modified[list] ? random_below(&s->numbers, (uint32_t)references->count)
                                                        : (uint32_t)(i % references->count);
            references->lists[list][i] = initial[entry];
        }
    }
    if (s->types == TYPES_GPB && frame->type == 0) {
        memcpy(references->lists[1], references->lists[0], sizeof references->lists[0]);
        references->modified[1] = references->modified[0];
    }
    references->temporal = s->temporal && frame->type != 2 && random_below(&s->numbers, 4) > 0;
    references->from_list0 = frame->type == 1 || random_below(&s->numbers, 2);
    int length = references->counts[references->from_list0 ? 0 : 1];
    references->collocated = length > 0 ? (int)random_below(&s->numbers, (uint32_t)length) : 0;
    if (!references->temporal) return;
    // The structures name the picture: the first place that it has counts.
    const int *list = references->lists[references->from_list0 ? 0 : 1];
    for (int i = 0; i < references->collocated; i++) {
        if (list[i] == list[references->collocated]) references->collocated = i;
    }
}
