// SPDX-License-Identifier: MIT
// The slice segment header (7.3.6.1) for applications that leave it to the driver.
//
// What the structures do not say is as in the simplest parameter sets: no optional syntax present in the PPS, POC in
// eight bits unless the application's SPS says otherwise, no reference picture sets and no long-term pictures in the
// SPS. Deblocking control is that of the PPS.
#include <stdlib.h>

#include "softva_hevc.h"

enum { FIRST_IRAP = 16, LAST_IRAP = 23, IDR_W_RADL = 19, IDR_N_LP = 20 };

/// Notes what a header without the optional syntax cannot say.
static void note_unsayable(const sv_hevc *hevc) {
    const VAEncSliceParameterBufferHEVC *slice = hevc->slice->params;
    const sv_job *job = hevc->job;
    if (slice->slice_cb_qp_offset || slice->slice_cr_qp_offset) {
        job->violation(job->violation_context, "slice.slice_cb_qp_offset", "not 0, but no slice header was packed");
    }
    if (slice->slice_fields.bits.cabac_init_flag) {
        job->violation(job->violation_context, "slice.cabac_init_flag", "not 0, but no slice header was packed");
    }
}

static int compare_orders(const void *a, const void *b) {
    int first = *(const int *)a, second = *(const int *)b;
    return (first > second) - (first < second);
}

/// Whether a list of the slice has the picture of this PicOrderCnt.
static bool is_used(const sv_hevc_slice *slice, int order) {
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < slice->counts[list]; i++) {
            if (slice->order[list][i] == order) return true;
        }
    }
    return false;
}

/// st_ref_pic_set() of all pictures in reference_frames.
static void write_reference_set(sv_hevc *hevc) {
    int orders[15], count = 0, before = 0, current = hevc->picture->decoded_curr_pic.pic_order_cnt;
    for (int i = 0; i < 15; i++) {
        const VAPictureHEVC *frame = &hevc->picture->reference_frames[i];
        if (frame->picture_id == VA_INVALID_SURFACE || frame->flags & VA_PICTURE_HEVC_INVALID) continue;
        orders[count++] = frame->pic_order_cnt;
    }
    qsort(orders, (size_t)count, sizeof orders[0], compare_orders);
    while (before < count && orders[before] < current) before++;
    sv_bits_ue(&hevc->bits, (uint32_t)before);
    sv_bits_ue(&hevc->bits, (uint32_t)(count - before));
    for (int i = before - 1, previous = current; i >= 0; previous = orders[i--]) {
        sv_bits_ue(&hevc->bits, (uint32_t)(previous - orders[i] - 1));
        sv_bits_u(&hevc->bits, 1, is_used(hevc->slice, orders[i]));
    }
    for (int i = before, previous = current; i < count; previous = orders[i++]) {
        sv_bits_ue(&hevc->bits, (uint32_t)(orders[i] - previous - 1));
        sv_bits_u(&hevc->bits, 1, is_used(hevc->slice, orders[i]));
    }
}

/// What only P and B slices have.
static void write_inter_fields(sv_hevc *hevc) {
    const sv_hevc_slice *slice = hevc->slice;
    sv_bits *bits = &hevc->bits;
    bool bi = slice->type == SV_HEVC_B;
    int defaults[2] = {hevc->picture->num_ref_idx_l0_default_active_minus1 + 1,
        hevc->picture->num_ref_idx_l1_default_active_minus1 + 1};
    bool override = slice->counts[0] != defaults[0] || (bi && slice->counts[1] != defaults[1]);
    sv_bits_u(bits, 1, override);
    for (int list = 0; override && list <= bi; list++) sv_bits_ue(bits, (uint32_t)slice->counts[list] - 1);
    if (bi) sv_bits_u(bits, 1, slice->params->slice_fields.bits.mvd_l1_zero_flag);
    if (slice->params->slice_fields.bits.slice_temporal_mvp_enabled_flag) {
        bool second = bi && !slice->params->slice_fields.bits.collocated_from_l0_flag;
        if (bi) sv_bits_u(bits, 1, !second);
        int place = sv_collocated_place(hevc->picture, slice->params);
        if (slice->counts[second] > 1) sv_bits_ue(bits, (uint32_t)place);
    }
    sv_bits_ue(bits, (uint32_t)(5 - slice->params->max_num_merge_cand));
}

static void write_address(sv_hevc *hevc) {
    unsigned address = hevc->slice->params->slice_segment_address, length = 0;
    sv_bits_u(&hevc->bits, 1, address == 0);
    unsigned type = hevc->picture->nal_unit_type;
    if (type >= FIRST_IRAP && type <= LAST_IRAP) {
        sv_bits_u(&hevc->bits, 1, hevc->picture->pic_fields.bits.no_output_of_prior_pics_flag);
    }
    sv_bits_ue(&hevc->bits, hevc->slice->params->slice_pic_parameter_set_id);
    if (address == 0) return;
    if (hevc->picture->pic_fields.bits.dependent_slice_segments_enabled_flag) sv_bits_u(&hevc->bits, 1, 0);
    while (1 << length < hevc->columns * hevc->rows) length++;
    sv_bits_u(&hevc->bits, length, address);
}

void sv_hevc_write_header(sv_hevc *hevc) {
    const sv_hevc_slice *slice = hevc->slice;
    const VAEncSliceParameterBufferHEVC *params = slice->params;
    const VAEncSequenceParameterBufferHEVC *sequence = hevc->sequence;
    sv_bits *bits = &hevc->bits;
    unsigned type = hevc->picture->nal_unit_type;
    note_unsayable(hevc);
    sv_bits_start_code(bits);
    sv_bits_u(bits, 16, type << 9 | 1);
    write_address(hevc);
    sv_bits_ue(bits, params->slice_type);
    if (type != IDR_W_RADL && type != IDR_N_LP) {
        unsigned count = hevc->job->order_bits > 0 ? (unsigned)hevc->job->order_bits : 8;
        sv_bits_u(bits, count, (uint32_t)hevc->picture->decoded_curr_pic.pic_order_cnt & ((1u << count) - 1));
        sv_bits_u(bits, 1, 0);  // short_term_ref_pic_set_sps_flag
        write_reference_set(hevc);
        if (sequence->seq_fields.bits.sps_temporal_mvp_enabled_flag) {
            sv_bits_u(bits, 1, params->slice_fields.bits.slice_temporal_mvp_enabled_flag);
        }
    }
    bool sao_luma = params->slice_fields.bits.slice_sao_luma_flag;
    bool sao_chroma = params->slice_fields.bits.slice_sao_chroma_flag;
    if (sequence->seq_fields.bits.sample_adaptive_offset_enabled_flag) {
        sv_bits_u(bits, 1, sao_luma);
        sv_bits_u(bits, 1, sao_chroma);
    }
    if (slice->type != SV_HEVC_I) write_inter_fields(hevc);
    sv_bits_se(bits, params->slice_qp_delta);
    bool filtered = !params->slice_fields.bits.slice_deblocking_filter_disabled_flag || sao_luma || sao_chroma;
    if (hevc->picture->pic_fields.bits.pps_loop_filter_across_slices_enabled_flag && filtered) {
        sv_bits_u(bits, 1, params->slice_fields.bits.slice_loop_filter_across_slices_enabled_flag);
    }
    sv_bits_trailing(bits);  // byte_alignment() has the same bits
}
