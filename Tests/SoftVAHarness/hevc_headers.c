// SPDX-License-Identifier: MIT
// Writes the headers of a scenario, as an application would.
#include "hevc_scenario.h"

void raw_u(raw_bits *bits, unsigned count, uint32_t value) {
    while (count-- > 0) {
        size_t byte = bits->bits / 8;
        if (bits->bits % 8 == 0) bits->bytes[byte] = 0;
        bits->bytes[byte] |= (uint8_t)((value >> count & 1) << (7 - bits->bits % 8));
        bits->bits++;
    }
}

void raw_ue(raw_bits *bits, uint32_t value) {
    unsigned length = 0;
    while ((value + 1) >> (length + 1)) length++;
    raw_u(bits, length, 0);
    raw_u(bits, length + 1, value + 1);
}

void raw_se(raw_bits *bits, int32_t value) {
    raw_ue(bits, value > 0 ? 2 * (uint32_t)value - 1 : 2 * (uint32_t)-value);
}

void raw_trailing(raw_bits *bits) {
    raw_u(bits, 1, 1);
    while (bits->bits % 8) raw_u(bits, 1, 0);
}

static void begin_unit(raw_bits *bits, int type) {
    bits->bits = 0;
    raw_u(bits, 32, 1);
    raw_u(bits, 16, (uint32_t)type << 9 | 1);
}

/// profile_tier_level() of Main or Main 10 at level 5.
static void write_profile(const hevc_scenario *s, raw_bits *bits) {
    unsigned profile = s->bit_depth == 8 ? 1 : 2;
    raw_u(bits, 8, profile);
    raw_u(bits, 32, 1u << (31 - profile));
    raw_u(bits, 4, 0xB);  // progressive, not packed, frames only
    raw_u(bits, 32, 0);
    raw_u(bits, 12, 0);
    raw_u(bits, 8, 150);
}

/// sps_max_dec_pic_buffering_minus1, sps_max_num_reorder_pics and sps_max_latency_increase_plus1.
static void write_buffering(const hevc_scenario *s, raw_bits *bits) {
    raw_u(bits, 1, 1);
    raw_ue(bits, MAX_REFERENCES + 1);
    raw_ue(bits, s->types == TYPES_B ? 3 : 0);
    raw_ue(bits, 0);
}

static void write_vps(const hevc_scenario *s, raw_bits *bits) {
    begin_unit(bits, 32);
    raw_u(bits, 4, 0);
    raw_u(bits, 2, 3);
    raw_u(bits, 6, 0);
    raw_u(bits, 3, 0);
    raw_u(bits, 1, 1);
    raw_u(bits, 16, 0xFFFF);
    write_profile(s, bits);
    write_buffering(s, bits);
    raw_u(bits, 6, 0);
    raw_ue(bits, 0);
    raw_u(bits, 2, 0);  // no timing, no extension
    raw_trailing(bits);
}

static void write_sps(const hevc_scenario *s, raw_bits *bits) {
    begin_unit(bits, 33);
    raw_u(bits, 4, 0);
    raw_u(bits, 3, 0);
    raw_u(bits, 1, 1);
    write_profile(s, bits);
    raw_ue(bits, 0);
    raw_ue(bits, 1);
    raw_ue(bits, (uint32_t)s->coded_width);
    raw_ue(bits, (uint32_t)s->coded_height);
    raw_u(bits, 1, 1);
    raw_ue(bits, 0);
    raw_ue(bits, (uint32_t)(s->coded_width - s->width) / 2);
    raw_ue(bits, 0);
    raw_ue(bits, (uint32_t)(s->coded_height - s->height) / 2);
    raw_ue(bits, (uint32_t)s->bit_depth - 8);
    raw_ue(bits, (uint32_t)s->bit_depth - 8);
    raw_ue(bits, 4);  // POC in eight bits
    write_buffering(s, bits);
    raw_ue(bits, (uint32_t)s->log2_min_cb - 3);
    raw_ue(bits, (uint32_t)(s->log2_ctb - s->log2_min_cb));
    raw_ue(bits, (uint32_t)s->log2_min_tb - 2);
    raw_ue(bits, (uint32_t)(s->log2_max_tb - s->log2_min_tb));
    raw_ue(bits, (uint32_t)s->depth_inter);
    raw_ue(bits, (uint32_t)s->depth_intra);
    raw_u(bits, 1, 0);  // scaling_list_enabled_flag
    raw_u(bits, 1, (uint32_t)s->amp);
    raw_u(bits, 1, (uint32_t)s->sao);
    raw_u(bits, 1, 0);  // pcm_enabled_flag
    raw_ue(bits, 0);    // num_short_term_ref_pic_sets
    raw_u(bits, 1, 0);  // long_term_ref_pics_present_flag
    raw_u(bits, 1, (uint32_t)s->temporal);
    raw_u(bits, 1, (uint32_t)s->strong);
    raw_u(bits, 2, 0);  // no VUI, no extension
    raw_trailing(bits);
}

static void write_pps(const hevc_scenario *s, raw_bits *bits) {
    bool plain = s->headers == HEADERS_NONE;
    begin_unit(bits, 34);
    raw_ue(bits, 0);
    raw_ue(bits, 0);
    raw_u(bits, 5, 0);  // dependent slices, output flag, extra bits
    raw_u(bits, 1, 0);  // sign_data_hiding_enabled_flag
    raw_u(bits, 1, !plain);
    raw_ue(bits, 0);
    raw_ue(bits, 0);
    raw_se(bits, s->init_qp - 26);
    raw_u(bits, 1, 0);  // constrained_intra_pred_flag
    raw_u(bits, 1, (uint32_t)s->transform_skip);
    raw_u(bits, 1, (uint32_t)s->cu_qp_delta);
    if (s->cu_qp_delta) raw_ue(bits, (uint32_t)s->diff_cu_qp_delta_depth);
    raw_se(bits, s->cb_offset);
    raw_se(bits, s->cr_offset);
    raw_u(bits, 1, !plain);  // pps_slice_chroma_qp_offsets_present_flag
    raw_u(bits, 5, 0);       // weights, lossless, tiles, wavefronts
    raw_u(bits, 1, (uint32_t)s->pps_across);
    raw_u(bits, 1, 1);  // deblocking_filter_control_present_flag
    raw_u(bits, 1, !plain);
    raw_u(bits, 1, plain && s->filter_disabled);
    if (!(plain && s->filter_disabled)) {
        raw_se(bits, plain ? s->beta_offset : 0);
        raw_se(bits, plain ? s->tc_offset : 0);
    }
    raw_u(bits, 1, 0);       // pps_scaling_list_data_present_flag
    raw_u(bits, 1, !plain);  // lists_modification_present_flag
    raw_ue(bits, (uint32_t)s->merge_level);
    raw_u(bits, 2, 0);  // no header extension, no extension
    raw_trailing(bits);
}

void hevc_write_parameter_sets(const hevc_scenario *scenario, raw_bits units[3]) {
    write_vps(scenario, &units[0]);
    write_sps(scenario, &units[1]);
    write_pps(scenario, &units[2]);
}

/// The reference picture of the greatest PicOrderCnt below `limit`, or of the least above it; -1 without one.
static int next_reference(const hevc_references *references, int limit, int direction) {
    int best = -1;
    for (int i = 0; i < references->count; i++) {
        int ahead = (references->orders[i] - limit) * direction;
        if (ahead > 0 && (best < 0 || ahead < (references->orders[best] - limit) * direction)) best = i;
    }
    return best;
}

/// st_ref_pic_set(): all pictures kept, all used, so that the initial lists have them all.
static void write_reference_set(const hevc_frame *frame, const hevc_references *references, raw_bits *bits) {
    int counts[2] = {0, 0};
    for (int i = 0; i < references->count; i++) counts[references->orders[i] > frame->order]++;
    raw_ue(bits, (uint32_t)counts[0]);
    raw_ue(bits, (uint32_t)counts[1]);
    for (int direction = -1; direction <= 1; direction += 2) {
        int previous = frame->order;
        for (int i; (i = next_reference(references, previous, direction)) >= 0; previous = references->orders[i]) {
            raw_ue(bits, (uint32_t)((references->orders[i] - previous) * direction - 1));
            raw_u(bits, 1, frame->type != 2);
        }
    }
}

/// Where reference `index` stands in the initial list.
static uint32_t initial_place(const hevc_frame *frame, const hevc_references *references, int list, int index) {
    uint32_t place = 0;
    for (int pass = 0; pass < 2; pass++) {
        int direction = (pass == 0) == (list == 0) ? -1 : 1, previous = frame->order;
        for (int i; (i = next_reference(references, previous, direction)) >= 0; previous = references->orders[i]) {
            if (i == index) return place;
            place++;
        }
    }
    return place;
}

static unsigned bits_below(unsigned count) {
    unsigned length = 0;
    while (1u << length < count) length++;
    return length;
}

static void write_lists(const hevc_frame *frame, const hevc_references *references, raw_bits *bits) {
    int lists = frame->type == 0 ? 2 : 1;
    raw_u(bits, 1, 1);  // num_ref_idx_active_override_flag
    for (int list = 0; list < lists; list++) raw_ue(bits, (uint32_t)references->counts[list] - 1);
    if (references->count < 2) return;
    for (int list = 0; list < lists; list++) {
        bool implied = true;
        for (int i = 0; i < references->counts[list]; i++) {
            uint32_t place = initial_place(frame, references, list, references->lists[list][i]);
            implied = implied && place == (uint32_t)(i % references->count);
        }
        raw_u(bits, 1, !implied);
        for (int i = 0; i < references->counts[list] && !implied; i++) {
            uint32_t place = initial_place(frame, references, list, references->lists[list][i]);
            raw_u(bits, bits_below((unsigned)references->count), place);
        }
    }
}

void hevc_write_slice_header(const hevc_scenario *s, const hevc_frame *frame, const hevc_references *references,
    int address, raw_bits *bits) {
    begin_unit(bits, frame->idr ? 19 : frame->kept ? 1 : 0);
    raw_u(bits, 1, address == 0);
    if (frame->idr) raw_u(bits, 1, 0);
    raw_ue(bits, 0);
    unsigned ctb = 1u << s->log2_ctb;
    unsigned columns = ((unsigned)s->coded_width + ctb - 1) / ctb, rows = ((unsigned)s->coded_height + ctb - 1) / ctb;
    if (address > 0) raw_u(bits, bits_below(columns * rows), (uint32_t)address);
    raw_ue(bits, (uint32_t)frame->type);
    if (!frame->idr) {
        raw_u(bits, 8, (uint32_t)frame->order & 255);
        raw_u(bits, 1, 0);
        write_reference_set(frame, references, bits);
        if (s->temporal) raw_u(bits, 1, references->temporal);
    }
    if (s->sao) raw_u(bits, 2, (uint32_t)(s->sao_luma << 1 | s->sao_chroma));
    if (frame->type != 2) {
        write_lists(frame, references, bits);
        if (frame->type == 0) raw_u(bits, 1, (uint32_t)s->mvd_l1_zero);
        raw_u(bits, 1, (uint32_t)s->cabac_init);
        if (references->temporal && frame->type == 0) raw_u(bits, 1, references->from_list0);
        if (references->temporal && references->counts[references->from_list0 ? 0 : 1] > 1) {
            raw_ue(bits, (uint32_t)references->collocated);
        }
        raw_ue(bits, (uint32_t)(5 - s->merge_candidates));
    }
    raw_se(bits, s->slice_qp_delta);
    raw_se(bits, s->slice_cb_offset);
    raw_se(bits, s->slice_cr_offset);
    raw_u(bits, 1, 1);  // deblocking_filter_override_flag
    raw_u(bits, 1, (uint32_t)s->filter_disabled);
    if (!s->filter_disabled) {
        raw_se(bits, s->beta_offset);
        raw_se(bits, s->tc_offset);
    }
    if (s->pps_across && (s->sao_luma || s->sao_chroma || !s->filter_disabled)) {
        raw_u(bits, 1, (uint32_t)s->slice_across);
    }
}
