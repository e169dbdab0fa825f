// SPDX-License-Identifier: MIT
// HEVC's slice segment header, 7.3.6, compared with the structures.
#include "softva_nal.h"

static unsigned bits_for(unsigned count) {
    unsigned bits = 0;
    while (bits < 32 && 1ull << bits < count) bits++;
    return bits;
}

/// Whether the structures list the picture `poc` as a reference.
static bool is_listed(const VAEncPictureParameterBufferHEVC *picture, int poc) {
    for (int i = 0; i < 15; i++) {
        const VAPictureHEVC *entry = &picture->reference_frames[i];
        bool unused = entry->picture_id == VA_INVALID_SURFACE || entry->flags & VA_PICTURE_HEVC_INVALID;
        if (!unused && entry->pic_order_cnt == poc) return true;
    }
    return false;
}

static bool has_used(const sv_hevc_set *set, int delta) {
    for (int i = 0; i < set->count; i++) {
        if (set->delta[i] == delta && set->used[i]) return true;
    }
    return false;
}

/// Every used picture of the set is listed; every active list entry is in the set.
static void compare_set(const sv_work *work, const VAEncSliceParameterBufferHEVC *slice, const sv_hevc_set *set) {
    const VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    int current = picture->decoded_curr_pic.pic_order_cnt;
    for (int i = 0; i < set->count; i++) {
        if (is_listed(picture, current + set->delta[i]) || !set->used[i]) continue;
        sv_violation("picture.reference_frames", "the header refers to picture %d, the structure does not",
                     current + set->delta[i]);
    }
    for (int i = 0; i < 15; i++) {
        const VAPictureHEVC *entry = &picture->reference_frames[i];
        if (entry->picture_id == VA_INVALID_SURFACE || entry->flags & VA_PICTURE_HEVC_INVALID) continue;
        bool found = false;
        for (int j = 0; j < set->count; j++) found = found || set->delta[j] == entry->pic_order_cnt - current;
        if (!found) {
            sv_violation("picture.reference_frames", "picture %d is not in the header's set", entry->pic_order_cnt);
        }
    }
    if (slice->slice_type != 2) {
        for (int i = 0; i <= slice->num_ref_idx_l0_active_minus1 && i < 15; i++) {
            const VAPictureHEVC *entry = &slice->ref_pic_list0[i];
            if (entry->picture_id == VA_INVALID_SURFACE || has_used(set, entry->pic_order_cnt - current)) continue;
            sv_violation("slice.ref_pic_list0", "picture %d is not used by the header's set", entry->pic_order_cnt);
        }
    }
    if (slice->slice_type == 0) {
        for (int i = 0; i <= slice->num_ref_idx_l1_active_minus1 && i < 15; i++) {
            const VAPictureHEVC *entry = &slice->ref_pic_list1[i];
            if (entry->picture_id == VA_INVALID_SURFACE || has_used(set, entry->pic_order_cnt - current)) continue;
            sv_violation("slice.ref_pic_list1", "picture %d is not used by the header's set", entry->pic_order_cnt);
        }
    }
}

/// Reads the picture order count and the reference pictures; returns how many a list can have.
static unsigned compare_references(const sv_work *work, const VAEncSliceParameterBufferHEVC *slice, sv_reader *reader) {
    const sv_hevc_sets *sets = &work->context->headers->hevc;
    int current = work->picture.hevc.decoded_curr_pic.pic_order_cnt;
    unsigned bits = sets->log2_poc_lsb;
    sv_expect("picture.decoded_curr_pic.pic_order_cnt", sv_read_u(reader, bits),
              (int64_t)((uint32_t)current & ((1u << bits) - 1)));
    sv_hevc_set set = {0};
    if (!sv_read_u(reader, 1)) {
        if (!sv_hevc_read_set(reader, sets, sets->set_count, sets->set_count, &set)) {
            sv_violation("slice.st_ref_pic_set", "cannot be read");
        }
    } else {
        unsigned index = sets->set_count > 1 ? sv_read_u(reader, bits_for(sets->set_count)) : 0;
        if (index < sets->set_count) {
            set = sets->sets[index];
        } else {
            sv_violation("slice.short_term_ref_pic_set_idx", "%u of %u sets", index, sets->set_count);
        }
    }
    if (sets->long_term) sv_expect_only("slice.num_long_term_pics", sv_read_ue(reader), 0);
    compare_set(work, slice, &set);
    unsigned used = 0;
    for (int i = 0; i < set.count; i++) used += set.used[i];
    return used;
}

static void compare_inter(const sv_work *work, const VAEncSliceParameterBufferHEVC *slice, sv_reader *reader,
                          unsigned total) {
    const sv_hevc_sets *sets = &work->context->headers->hevc;
    const VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    bool both = slice->slice_type == 0, own = slice->slice_fields.bits.num_ref_idx_active_override_flag;
    unsigned active[2] = {sets->references_active[0], sets->references_active[1]};
    if (sv_read_u(reader, 1)) {
        active[0] = sv_read_ue(reader);
        if (both) active[1] = sv_read_ue(reader);
    }
    sv_expect("slice.num_ref_idx_l0_active_minus1", active[0],
              own ? slice->num_ref_idx_l0_active_minus1 : picture->num_ref_idx_l0_default_active_minus1);
    if (both) {
        sv_expect("slice.num_ref_idx_l1_active_minus1", active[1],
                  own ? slice->num_ref_idx_l1_active_minus1 : picture->num_ref_idx_l1_default_active_minus1);
    }
    for (int list = 0; sets->modification && total > 1 && list <= both; list++) {
        if (!sv_read_u(reader, 1)) continue;
        for (unsigned i = 0; i <= active[list] && i < 16; i++) sv_read_u(reader, bits_for(total));
    }
    if (both) sv_expect("slice.mvd_l1_zero_flag", sv_read_u(reader, 1), slice->slice_fields.bits.mvd_l1_zero_flag);
    sv_expect("slice.cabac_init_flag", sets->cabac_init ? sv_read_u(reader, 1) : 0,
              slice->slice_fields.bits.cabac_init_flag);
    if (slice->slice_fields.bits.slice_temporal_mvp_enabled_flag) {
        bool first = both ? sv_read_u(reader, 1) : true;
        if (both) sv_expect("slice.collocated_from_l0_flag", first, slice->slice_fields.bits.collocated_from_l0_flag);
        sv_expect("picture.collocated_ref_pic_index", active[first ? 0 : 1] > 0 ? sv_read_ue(reader) : 0,
                  sv_collocated_place(picture, slice));
    }
    sv_expect("slice.max_num_merge_cand", 5 - (int64_t)sv_read_ue(reader), slice->max_num_merge_cand);
}

static void compare_filter(const sv_hevc_sets *sets, const VAEncSliceParameterBufferHEVC *slice, sv_reader *reader,
                           bool sao) {
    bool disabled = sets->disabled;
    int beta = sets->beta, tc = sets->tc;
    if (sets->override && sv_read_u(reader, 1)) {
        disabled = sv_read_u(reader, 1);
        beta = disabled ? 0 : sv_read_se(reader);
        tc = disabled ? 0 : sv_read_se(reader);
    }
    sv_expect("slice.slice_deblocking_filter_disabled_flag", disabled,
              slice->slice_fields.bits.slice_deblocking_filter_disabled_flag);
    if (!disabled) sv_expect("slice.slice_beta_offset_div2", beta, slice->slice_beta_offset_div2);
    if (!disabled) sv_expect("slice.slice_tc_offset_div2", tc, slice->slice_tc_offset_div2);
    if (sets->across_slices && (sao || !disabled)) {
        sv_expect("slice.slice_loop_filter_across_slices_enabled_flag", sv_read_u(reader, 1),
                  slice->slice_fields.bits.slice_loop_filter_across_slices_enabled_flag);
    }
}

/// Compares where the slice begins.
static void compare_address(const sv_work *work, const VAEncSliceParameterBufferHEVC *slice, sv_reader *reader,
                            unsigned type) {
    const VAEncSequenceParameterBufferHEVC *sequence = &work->sequence.hevc;
    bool first = sv_read_u(reader, 1);
    sv_expect("slice.slice_segment_address (first)", first, slice->slice_segment_address == 0);
    if (type >= 16 && type <= 23) {
        sv_expect("picture.no_output_of_prior_pics_flag", sv_read_u(reader, 1),
                  work->picture.hevc.pic_fields.bits.no_output_of_prior_pics_flag);
    }
    sv_expect("slice.slice_pic_parameter_set_id", sv_read_ue(reader), slice->slice_pic_parameter_set_id);
    unsigned tree = 1u << (sequence->log2_min_luma_coding_block_size_minus3 + 3u +
                           sequence->log2_diff_max_min_luma_coding_block_size);
    unsigned total = (((unsigned)work->width + tree - 1) / tree) * (((unsigned)work->height + tree - 1) / tree);
    if (!first) sv_expect("slice.slice_segment_address", sv_read_u(reader, bits_for(total)), slice->slice_segment_address);
}

void sv_hevc_compare_slice(sv_work *work, int index, sv_reader *reader) {
    const sv_hevc_sets *sets = &work->context->headers->hevc;
    const VAEncSliceParameterBufferHEVC *slice = &work->params[index].hevc;
    if (!sets->seen_sequence || !sets->seen_picture) return;  // reported for all slices at once
    sv_expect_only("nal.forbidden_zero_bit", sv_read_u(reader, 1), 0);
    unsigned type = sv_read_u(reader, 6);
    sv_expect("picture.nal_unit_type", type, work->picture.hevc.nal_unit_type);
    sv_expect_only("nal.nuh_layer_id", sv_read_u(reader, 6), 0);
    sv_expect_only("nal.nuh_temporal_id_plus1", sv_read_u(reader, 3), 1);
    compare_address(work, slice, reader, type);
    sv_read_u(reader, sets->extra_bits);
    sv_expect("slice.slice_type", sv_read_ue(reader), slice->slice_type);
    if (sets->output_flag) sv_expect_only("slice.pic_output_flag", sv_read_u(reader, 1), 1);
    bool idr = type == 19 || type == 20;
    unsigned references = idr ? 0 : compare_references(work, slice, reader);
    sv_expect("slice.slice_temporal_mvp_enabled_flag", sets->temporal && !idr ? sv_read_u(reader, 1) : 0,
              slice->slice_fields.bits.slice_temporal_mvp_enabled_flag);
    unsigned luma = sets->sao ? sv_read_u(reader, 1) : 0, chroma = sets->sao ? sv_read_u(reader, 1) : 0;
    sv_expect("slice.slice_sao_luma_flag", luma, slice->slice_fields.bits.slice_sao_luma_flag);
    sv_expect("slice.slice_sao_chroma_flag", chroma, slice->slice_fields.bits.slice_sao_chroma_flag);
    if (slice->slice_type != 2) compare_inter(work, slice, reader, references);
    sv_expect("slice.slice_qp_delta", sv_read_se(reader), slice->slice_qp_delta);
    sv_expect("slice.slice_cb_qp_offset", sets->slice_chroma ? sv_read_se(reader) : 0, slice->slice_cb_qp_offset);
    sv_expect("slice.slice_cr_qp_offset", sets->slice_chroma ? sv_read_se(reader) : 0, slice->slice_cr_qp_offset);
    compare_filter(sets, slice, reader, luma || chroma);
    if (sets->extension) {
        unsigned bytes = sv_read_ue(reader);
        for (unsigned i = 0; i < bytes && !reader->overrun; i++) sv_read_u(reader, 8);
    }
    // byte_alignment() may be the application's or the driver's.
    if (reader->position < reader->bits) sv_expect_trailing(reader, "slice header");
}
