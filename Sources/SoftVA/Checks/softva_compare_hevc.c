// SPDX-License-Identifier: MIT
// HEVC's parameter sets compared with the structures.
#include "softva_nal.h"

static void compare_sequence(sv_work *work, const sv_hevc_sets *sets) {
    const VAEncSequenceParameterBufferHEVC *sequence = &work->sequence.hevc;
    sv_expect("seq.pic_width_in_luma_samples", sets->width, sequence->pic_width_in_luma_samples);
    sv_expect("seq.pic_height_in_luma_samples", sets->height, sequence->pic_height_in_luma_samples);
    sv_expect("seq.bit_depth_luma_minus8", sets->depth[0], sequence->seq_fields.bits.bit_depth_luma_minus8);
    sv_expect("seq.bit_depth_chroma_minus8", sets->depth[1], sequence->seq_fields.bits.bit_depth_chroma_minus8);
    sv_expect("seq.log2_min_luma_coding_block_size_minus3", sets->min_coding,
              sequence->log2_min_luma_coding_block_size_minus3);
    sv_expect("seq.log2_diff_max_min_luma_coding_block_size", sets->diff_coding,
              sequence->log2_diff_max_min_luma_coding_block_size);
    sv_expect("seq.log2_min_transform_block_size_minus2", sets->min_transform,
              sequence->log2_min_transform_block_size_minus2);
    sv_expect("seq.log2_diff_max_min_transform_block_size", sets->diff_transform,
              sequence->log2_diff_max_min_transform_block_size);
    sv_expect("seq.max_transform_hierarchy_depth_inter", sets->depth_inter,
              sequence->max_transform_hierarchy_depth_inter);
    sv_expect("seq.max_transform_hierarchy_depth_intra", sets->depth_intra,
              sequence->max_transform_hierarchy_depth_intra);
    sv_expect("seq.amp_enabled_flag", sets->amp, sequence->seq_fields.bits.amp_enabled_flag);
    sv_expect("seq.sample_adaptive_offset_enabled_flag", sets->sao,
              sequence->seq_fields.bits.sample_adaptive_offset_enabled_flag);
    sv_expect("seq.sps_temporal_mvp_enabled_flag", sets->temporal,
              sequence->seq_fields.bits.sps_temporal_mvp_enabled_flag);
    sv_expect("seq.strong_intra_smoothing_enabled_flag", sets->strong,
              sequence->seq_fields.bits.strong_intra_smoothing_enabled_flag);
    // The structure's VUI is what a driver would write; without it the application's own stands alone.
    bool both = sequence->vui_parameters_present_flag;
    if (both) {
        sv_expect("seq.vui_parameters_present_flag", sets->vui, 1);
        sv_expect("seq.vui_timing_info_present_flag", sets->timing,
                  sequence->vui_fields.bits.vui_timing_info_present_flag);
    }
    if (both && sets->timing) {
        sv_expect("seq.vui_num_units_in_tick", sets->tick, sequence->vui_num_units_in_tick);
        sv_expect("seq.vui_time_scale", sets->scale, sequence->vui_time_scale);
    }
    bool leaves = (uint64_t)sets->crop[0] * 2 + (uint64_t)sets->crop[1] * 2 < (unsigned)work->width &&
                  (uint64_t)sets->crop[2] * 2 + (uint64_t)sets->crop[3] * 2 < (unsigned)work->height;
    if (!leaves) sv_violation("sps.conformance_window", "leaves nothing");
    for (int i = 0; leaves && i < 4; i++) work->crop[i] = sets->crop[i] * 2;
    // The surface is the size that the application wants shown; no structure has the window.
    sv_expect("input.width (conformance window)", work->width - (int)(work->crop[0] + work->crop[1]),
              work->input->picture.width < work->width ? work->input->picture.width : work->width - (int)work->crop[1]);
    sv_expect("input.height (conformance window)", work->height - (int)(work->crop[2] + work->crop[3]),
              work->input->picture.height < work->height ? work->input->picture.height
                                                         : work->height - (int)work->crop[3]);
}

void sv_hevc_expect_plain_sets(const sv_hevc_sets *sets) {
    const struct {
        const char *syntax;
        unsigned value;
    } optional[] = {
        {"sps.num_short_term_ref_pic_sets", sets->set_count},
        {"sps.long_term_ref_pics_present_flag", sets->long_term},
        {"pps.output_flag_present_flag", sets->output_flag},
        {"pps.num_extra_slice_header_bits", sets->extra_bits},
        {"pps.cabac_init_present_flag", sets->cabac_init},
        {"pps.pps_slice_chroma_qp_offsets_present_flag", sets->slice_chroma},
        {"pps.deblocking_filter_override_enabled_flag", sets->override},
        {"pps.lists_modification_present_flag", sets->modification},
        {"pps.slice_segment_header_extension_present_flag", sets->extension},
    };
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        sv_require(optional[i].value == 0, optional[i].syntax, "%u, and the driver's own slice headers have no such syntax",
                   optional[i].value);
    }
}

void sv_hevc_compare_sets(sv_work *work) {
    const sv_hevc_sets *sets = &work->context->headers->hevc;
    const VAEncPictureParameterBufferHEVC *picture = &work->picture.hevc;
    if (sets->seen_sequence) {
        compare_sequence(work, sets);
        work->order_bits = (int)sets->log2_poc_lsb;
    }
    if (!sets->seen_picture) return;
    sv_expect("picture.slice_pic_parameter_set_id", sets->pps_id, picture->slice_pic_parameter_set_id);
    if (sets->seen_sequence) sv_expect_only("pps.pps_seq_parameter_set_id", sets->pps_sps_id, sets->id);
    sv_expect("picture.num_ref_idx_l0_default_active_minus1", sets->references_active[0],
              picture->num_ref_idx_l0_default_active_minus1);
    sv_expect("picture.num_ref_idx_l1_default_active_minus1", sets->references_active[1],
              picture->num_ref_idx_l1_default_active_minus1);
    sv_expect("picture.pic_init_qp", sets->init_qp, picture->pic_init_qp);
    sv_expect("picture.transform_skip_enabled_flag", sets->transform_skip,
              picture->pic_fields.bits.transform_skip_enabled_flag);
    sv_expect("picture.cu_qp_delta_enabled_flag", sets->cu_qp_delta, picture->pic_fields.bits.cu_qp_delta_enabled_flag);
    sv_expect("picture.diff_cu_qp_delta_depth", sets->qp_depth, picture->diff_cu_qp_delta_depth);
    sv_expect("picture.pps_cb_qp_offset", sets->chroma_offset[0], picture->pps_cb_qp_offset);
    sv_expect("picture.pps_cr_qp_offset", sets->chroma_offset[1], picture->pps_cr_qp_offset);
    sv_expect("picture.pps_loop_filter_across_slices_enabled_flag", sets->across_slices,
              picture->pic_fields.bits.pps_loop_filter_across_slices_enabled_flag);
    sv_expect("picture.log2_parallel_merge_level_minus2", sets->merge_level, picture->log2_parallel_merge_level_minus2);
}
