// SPDX-License-Identifier: MIT
// HEVC's parameter sets, 7.3.2: read, for what the slice headers need and for the comparison with the structures.
#include "softva_nal.h"

enum { UNIT_VPS = 32, UNIT_SPS = 33, UNIT_PPS = 34, UNIT_AUD = 35, UNIT_SEI_PREFIX = 39 };

/// profile_tier_level() of a set without sub-layers.
static void read_profile(sv_reader *reader, const sv_work *work, const char *set) {
    const VAEncSequenceParameterBufferHEVC *sequence = &work->sequence.hevc;
    sv_expect_only(set, sv_read_u(reader, 2), 0);  // general_profile_space
    sv_expect("seq.general_tier_flag", sv_read_u(reader, 1), sequence->general_tier_flag);
    sv_expect("seq.general_profile_idc", sv_read_u(reader, 5), sequence->general_profile_idc);
    uint32_t compatibility = sv_read_u(reader, 32);
    if (!(compatibility >> (31 - sequence->general_profile_idc % 32) & 1)) {
        sv_violation("general_profile_compatibility_flag", "not set for profile %u", sequence->general_profile_idc);
    }
    sv_read_u(reader, 4);
    sv_read_u(reader, 32);
    sv_read_u(reader, 12);
    sv_expect("seq.general_level_idc", sv_read_u(reader, 8), sequence->general_level_idc);
}

/// The buffering of a set without sub-layers, as one number.
static uint64_t read_buffering(sv_reader *reader) {
    sv_read_u(reader, 1);
    unsigned buffering = sv_read_ue(reader), reorder = sv_read_ue(reader);
    if (buffering > 15) sv_violation("sps_max_dec_pic_buffering_minus1", "%u is over 15", buffering);
    if (reorder > buffering) sv_violation("sps_max_num_reorder_pics", "%u is over %u", reorder, buffering);
    return (uint64_t)sv_read_ue(reader) << 32 | (uint64_t)(reorder & 0xffff) << 16 | (buffering & 0xffff);
}

static void read_video(sv_reader *reader, const sv_work *work, sv_hevc_sets *sets) {
    sv_expect_only("vps.vps_video_parameter_set_id", sv_read_u(reader, 4), 0);
    sv_expect_only("vps.base_layer", sv_read_u(reader, 2), 3);
    sv_expect_only("vps.vps_max_layers_minus1", sv_read_u(reader, 6), 0);
    sv_expect_only("vps.vps_max_sub_layers_minus1", sv_read_u(reader, 3), 0);
    sv_expect_only("vps.vps_temporal_id_nesting_flag", sv_read_u(reader, 1), 1);
    sv_expect_only("vps.vps_reserved_0xffff_16bits", sv_read_u(reader, 16), 0xffff);
    read_profile(reader, work, "vps.general_profile_space");
    sets->vps_buffering = read_buffering(reader);
    sv_expect_only("vps.vps_max_layer_id", sv_read_u(reader, 6), 0);
    sv_expect_only("vps.vps_num_layer_sets_minus1", sv_read_ue(reader), 0);
    if (sv_read_u(reader, 1)) {
        sv_read_u(reader, 32);
        sv_read_u(reader, 32);
        if (sv_read_u(reader, 1)) sv_read_ue(reader);
        sv_expect_only("vps.vps_num_hrd_parameters", sv_read_ue(reader), 0);
    }
    sv_expect_only("vps.vps_extension_flag", sv_read_u(reader, 1), 0);
    sv_expect_trailing(reader, "vps");
}

/// A set predicted from an earlier one, 7.4.8: its differences are those of the other plus `delta`.
static bool read_predicted_set(sv_reader *reader, const sv_hevc_sets *sets, unsigned index, unsigned count,
                               sv_hevc_set *set) {
    unsigned back = index == count ? sv_read_ue(reader) : 0;  // delta_idx_minus1
    if (back >= index || index > 64) return false;
    const sv_hevc_set *from = &sets->sets[index - back - 1];
    unsigned negative = sv_read_u(reader, 1), size = sv_read_ue(reader);  // abs_delta_rps_minus1
    if (size > 32767) return false;
    int delta = negative ? -(int)size - 1 : (int)size + 1;
    for (int i = 0; i <= from->count; i++) {
        bool used = sv_read_u(reader, 1);
        bool kept = used || sv_read_u(reader, 1);
        if (!kept || set->count == 16) continue;
        set->delta[set->count] = (i < from->count ? from->delta[i] : 0) + delta;
        set->used[set->count++] = used;
    }
    return true;
}

bool sv_hevc_read_set(sv_reader *reader, const sv_hevc_sets *sets, unsigned index, unsigned count, sv_hevc_set *set) {
    *set = (sv_hevc_set){0};
    if (index != 0 && sv_read_u(reader, 1)) return read_predicted_set(reader, sets, index, count, set);
    unsigned negative = sv_read_ue(reader), positive = sv_read_ue(reader);
    if (negative > 15 || positive > 15 - negative) return false;
    for (unsigned i = 0; i < negative + positive; i++) {
        bool first = i == 0 || i == negative;
        int step = (int)(sv_read_ue(reader) & 0xffff) + 1, before = first ? 0 : set->delta[i - 1];
        set->delta[i] = i < negative ? before - step : before + step;
        set->used[i] = sv_read_u(reader, 1);
    }
    set->count = (int)(negative + positive);
    return true;
}

static void read_vui(sv_reader *reader, sv_hevc_sets *sets) {
    sv_read_vui_start(reader);
    sv_read_u(reader, 1);
    sv_expect_only("vui.field_seq_flag", sv_read_u(reader, 1), 0);
    sv_read_u(reader, 1);
    sv_expect_only("vui.default_display_window_flag", sv_read_u(reader, 1), 0);
    sets->timing = sv_read_u(reader, 1);
    if (sets->timing) {
        sets->tick = sv_read_u(reader, 32);
        sets->scale = sv_read_u(reader, 32);
        if (sv_read_u(reader, 1)) sv_read_ue(reader);
        sv_expect_only("vui.vui_hrd_parameters_present_flag", sv_read_u(reader, 1), 0);
    }
    if (!sv_read_u(reader, 1)) return;  // bitstream_restriction_flag
    sv_read_u(reader, 3);
    if (sv_read_ue(reader) > 4095) sv_violation("vui.min_spatial_segmentation_idc", "over 4095");
    for (int i = 0; i < 2; i++) {
        if (sv_read_ue(reader) > 16) sv_violation("vui.max_bytes_per_pic_denom", "over 16");
    }
    for (int i = 0; i < 2; i++) {
        if (sv_read_ue(reader) > 15) sv_violation("vui.log2_max_mv_length", "over 15");
    }
}

static void read_tools(sv_reader *reader, sv_hevc_sets *sets) {
    sets->min_coding = sv_read_ue(reader);
    sets->diff_coding = sv_read_ue(reader);
    sets->min_transform = sv_read_ue(reader);
    sets->diff_transform = sv_read_ue(reader);
    sets->depth_inter = sv_read_ue(reader);
    sets->depth_intra = sv_read_ue(reader);
    sv_expect_only("sps.scaling_list_enabled_flag", sv_read_u(reader, 1), 0);
    sets->amp = sv_read_u(reader, 1);
    sets->sao = sv_read_u(reader, 1);
    sv_expect_only("sps.pcm_enabled_flag", sv_read_u(reader, 1), 0);
    sets->set_count = sv_read_ue(reader);
    if (sets->set_count > 64) sets->set_count = 64;
    for (unsigned i = 0; i < sets->set_count && !reader->overrun; i++) {
        if (!sv_hevc_read_set(reader, sets, i, sets->set_count, &sets->sets[i])) {
            sv_violation("sps.st_ref_pic_set", "set %u cannot be read", i);
            return;
        }
    }
    sets->long_term = sv_read_u(reader, 1);
    if (sets->long_term) sets->long_term_count = sv_read_ue(reader);
    sv_expect_only("sps.num_long_term_ref_pics_sps", sets->long_term_count, 0);
    sets->temporal = sv_read_u(reader, 1);
    sets->strong = sv_read_u(reader, 1);
}

static void read_sequence(sv_reader *reader, const sv_work *work, sv_hevc_sets *sets) {
    *sets = (sv_hevc_sets){.seen_sequence = true, .vps_buffering = sets->vps_buffering};
    sv_expect_only("sps.sps_video_parameter_set_id", sv_read_u(reader, 4), 0);
    sv_expect_only("sps.sps_max_sub_layers_minus1", sv_read_u(reader, 3), 0);
    sv_expect_only("sps.sps_temporal_id_nesting_flag", sv_read_u(reader, 1), 1);
    read_profile(reader, work, "sps.general_profile_space");
    sets->id = sv_read_ue(reader);
    sv_expect_only("sps.chroma_format_idc", sv_read_ue(reader), 1);
    sets->width = sv_read_ue(reader);
    sets->height = sv_read_ue(reader);
    bool window = sv_read_u(reader, 1);
    for (int i = 0; window && i < 4; i++) sets->crop[i] = sv_read_ue(reader);
    sets->depth[0] = sv_read_ue(reader);
    sets->depth[1] = sv_read_ue(reader);
    unsigned order_bits = sv_read_ue(reader);
    if (order_bits > 12) sv_violation("sps.log2_max_pic_order_cnt_lsb_minus4", "%u is over 12", order_bits);
    sets->log2_poc_lsb = order_bits > 12 ? 16 : order_bits + 4;
    if (read_buffering(reader) != sets->vps_buffering) sv_violation("sps_max_dec_pic_buffering", "differs from the VPS");
    read_tools(reader, sets);
    sets->vui = sv_read_u(reader, 1);
    if (sets->vui) read_vui(reader, sets);
    sv_expect_only("sps.sps_extension_present_flag", sv_read_u(reader, 1), 0);
    sv_expect_trailing(reader, "sps");
}

static void read_picture(sv_reader *reader, sv_hevc_sets *sets) {
    sets->seen_picture = true;
    sets->pps_id = sv_read_ue(reader);
    sets->pps_sps_id = sv_read_ue(reader);
    sv_expect_only("pps.dependent_slice_segments_enabled_flag", sv_read_u(reader, 1), 0);
    sets->output_flag = sv_read_u(reader, 1);
    sets->extra_bits = sv_read_u(reader, 3);
    sv_expect_only("pps.sign_data_hiding_enabled_flag", sv_read_u(reader, 1), 0);
    sets->cabac_init = sv_read_u(reader, 1);
    for (int i = 0; i < 2; i++) sets->references_active[i] = sv_read_ue(reader);
    sets->init_qp = 26 + sv_read_se(reader);
    sv_expect_only("pps.constrained_intra_pred_flag", sv_read_u(reader, 1), 0);
    sets->transform_skip = sv_read_u(reader, 1);
    sets->cu_qp_delta = sv_read_u(reader, 1);
    sets->qp_depth = sets->cu_qp_delta ? sv_read_ue(reader) : 0;
    for (int i = 0; i < 2; i++) sets->chroma_offset[i] = sv_read_se(reader);
    sets->slice_chroma = sv_read_u(reader, 1);
    sv_expect_only("pps.weighted_pred_flag", sv_read_u(reader, 1), 0);
    sv_expect_only("pps.weighted_bipred_flag", sv_read_u(reader, 1), 0);
    sv_expect_only("pps.transquant_bypass_enabled_flag", sv_read_u(reader, 1), 0);
    sv_expect_only("pps.tiles_enabled_flag", sv_read_u(reader, 1), 0);
    sv_expect_only("pps.entropy_coding_sync_enabled_flag", sv_read_u(reader, 1), 0);
    sets->across_slices = sv_read_u(reader, 1);
    sets->override = sets->disabled = 0;
    sets->beta = sets->tc = 0;
    if (sv_read_u(reader, 1)) {
        sets->override = sv_read_u(reader, 1);
        sets->disabled = sv_read_u(reader, 1);
        if (!sets->disabled) sets->beta = sv_read_se(reader);
        if (!sets->disabled) sets->tc = sv_read_se(reader);
    }
    sv_expect_only("pps.pps_scaling_list_data_present_flag", sv_read_u(reader, 1), 0);
    sets->modification = sv_read_u(reader, 1);
    sets->merge_level = sv_read_ue(reader);
    sets->extension = sv_read_u(reader, 1);
    sv_expect_only("pps.pps_extension_present_flag", sv_read_u(reader, 1), 0);
    sv_expect_trailing(reader, "pps");
}

bool sv_hevc_read_unit(sv_work *work, sv_reader *reader) {
    sv_hevc_sets *sets = &work->context->headers->hevc;
    sv_expect_only("nal.forbidden_zero_bit", sv_read_u(reader, 1), 0);
    unsigned type = sv_read_u(reader, 6);
    sv_expect_only("nal.nuh_layer_id", sv_read_u(reader, 6), 0);
    sv_expect_only("nal.nuh_temporal_id_plus1", sv_read_u(reader, 3), 1);
    switch (type) {
        case UNIT_VPS: read_video(reader, work, sets); return true;
        case UNIT_SPS: read_sequence(reader, work, sets); return true;
        case UNIT_PPS: read_picture(reader, sets); return true;
        case UNIT_SEI_PREFIX: return true;
        case UNIT_AUD: {
            unsigned kind = sv_read_u(reader, 3);
            for (int i = 0; i < work->slice_count; i++) {
                unsigned slice = work->params[i].hevc.slice_type;  // B 0, P 1, I 2
                if (kind < 2 - slice) sv_violation("aud.pic_type", "%u does not allow slice type %u", kind, slice);
            }
            sv_expect_trailing(reader, "aud");
            return true;
        }
        default: return false;
    }
}
