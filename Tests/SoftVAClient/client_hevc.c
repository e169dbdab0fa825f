// SPDX-License-Identifier: MIT
// The HEVC parameters and headers of the client's plan.
#include <string.h>
#include <va/va.h>
#include <va/va_enc_hevc.h>

#include "client.h"

enum { MIN_CODING = 3, MAX_TRANSFORM = 5 };

static VAEncSequenceParameterBufferHEVC sequence_of(const client *c) {
    VAEncSequenceParameterBufferHEVC s;
    memset(&s, 0, sizeof s);
    unsigned tree = c->settings.tree, transform = tree < MAX_TRANSFORM ? tree : MAX_TRANSFORM;
    s.general_profile_idc = c->settings.ten_bit ? 2 : 1;
    s.general_level_idc = 90;
    s.intra_period = s.intra_idr_period = 30;
    s.ip_period = c->settings.b_pictures ? 3 : 1;
    s.bits_per_second = c->settings.bits_per_second;
    s.pic_width_in_luma_samples = (uint16_t)c->coded_width;
    s.pic_height_in_luma_samples = (uint16_t)c->coded_height;
    s.seq_fields.bits.chroma_format_idc = 1;
    s.seq_fields.bits.bit_depth_luma_minus8 = s.seq_fields.bits.bit_depth_chroma_minus8 = c->settings.ten_bit ? 2 : 0;
    s.seq_fields.bits.amp_enabled_flag = 1;
    s.seq_fields.bits.sample_adaptive_offset_enabled_flag = 1;
    s.log2_diff_max_min_luma_coding_block_size = (uint8_t)(tree - MIN_CODING);
    s.log2_diff_max_min_transform_block_size = (uint8_t)(transform - 2);
    s.max_transform_hierarchy_depth_inter = s.max_transform_hierarchy_depth_intra = 2;
    return s;
}

static void write_profile(const VAEncSequenceParameterBufferHEVC *s, client_bits *b) {
    put_u(b, 3, 0);
    put_u(b, 5, s->general_profile_idc);
    put_u(b, 32, s->general_profile_idc == 1 ? 0x60000000u : 0x20000000u);
    put_u(b, 4, 9);  // progressive, frames only
    put_u(b, 32, 0);
    put_u(b, 12, 0);
    put_u(b, 8, s->general_level_idc);
}

static void write_vps(const VAEncSequenceParameterBufferHEVC *s, client_bits *b) {
    put_u(b, 32, 1);
    put_u(b, 16, 32 << 9 | 1);
    put_u(b, 4, 0);
    put_u(b, 2, 3);
    put_u(b, 9, 0);
    put_u(b, 1, 1);
    put_u(b, 16, 0xffff);
    write_profile(s, b);
    put_u(b, 1, 1);
    put_ue(b, 4);
    put_ue(b, 2);
    put_ue(b, 0);
    put_u(b, 6, 0);
    put_ue(b, 0);
    put_u(b, 2, 0);
    put_trailing(b);
}

static void write_sps(const client *c, const VAEncSequenceParameterBufferHEVC *s, client_bits *b) {
    put_u(b, 32, 1);
    put_u(b, 16, 33 << 9 | 1);
    put_u(b, 7, 0);
    put_u(b, 1, 1);
    write_profile(s, b);
    put_ue(b, 0);
    put_ue(b, 1);
    put_ue(b, s->pic_width_in_luma_samples);
    put_ue(b, s->pic_height_in_luma_samples);
    put_u(b, 1, 1);
    put_ue(b, 0);
    put_ue(b, (uint32_t)(c->coded_width - c->settings.width) / 2);
    put_ue(b, 0);
    put_ue(b, (uint32_t)(c->coded_height - c->settings.height) / 2);
    put_ue(b, s->seq_fields.bits.bit_depth_luma_minus8);
    put_ue(b, s->seq_fields.bits.bit_depth_chroma_minus8);
    put_ue(b, 4);
    put_u(b, 1, 1);
    put_ue(b, 4);
    put_ue(b, 2);
    put_ue(b, 0);
    put_ue(b, s->log2_min_luma_coding_block_size_minus3);
    put_ue(b, s->log2_diff_max_min_luma_coding_block_size);
    put_ue(b, s->log2_min_transform_block_size_minus2);
    put_ue(b, s->log2_diff_max_min_transform_block_size);
    put_ue(b, s->max_transform_hierarchy_depth_inter);
    put_ue(b, s->max_transform_hierarchy_depth_intra);
    put_u(b, 1, 0);
    put_u(b, 1, s->seq_fields.bits.amp_enabled_flag);
    put_u(b, 1, s->seq_fields.bits.sample_adaptive_offset_enabled_flag);
    put_u(b, 1, 0);
    put_ue(b, c->settings.far_set ? 2 : 0);  // reference picture sets
    if (c->settings.far_set) {
        put_ue(b, 1);  // a picture before
        put_ue(b, 0);
        put_ue(b, 0);
        put_u(b, 1, 1);
        put_u(b, 2, 3);  // and the same, predicted from it, far before
        put_ue(b, c->settings.far_set);
        put_u(b, 2, 3);
    }
    put_u(b, 5, 0);  // no long-term pictures, TMVP, strong smoothing, VUI, extension
    put_trailing(b);
}

static void write_pps(const client *c, const VAEncPictureParameterBufferHEVC *p, client_bits *b) {
    // Slice headers of the driver have no optional syntax.
    bool own = c->settings.optional_syntax || c->settings.packed & VA_ENC_PACKED_HEADER_SLICE;
    put_u(b, 32, 1);
    put_u(b, 16, 34 << 9 | 1);
    put_ue(b, 0);
    put_ue(b, 0);
    put_u(b, 6, 0);
    put_u(b, 1, own);  // cabac_init_present_flag
    put_ue(b, p->num_ref_idx_l0_default_active_minus1);
    put_ue(b, p->num_ref_idx_l1_default_active_minus1);
    put_se(b, p->pic_init_qp - 26);
    put_u(b, 2, 0);
    put_u(b, 1, p->pic_fields.bits.cu_qp_delta_enabled_flag);
    if (p->pic_fields.bits.cu_qp_delta_enabled_flag) put_ue(b, p->diff_cu_qp_delta_depth);
    put_se(b, p->pps_cb_qp_offset);
    put_se(b, p->pps_cr_qp_offset);
    put_u(b, 1, own);  // pps_slice_chroma_qp_offsets_present_flag
    put_u(b, 5, 0);
    put_u(b, 1, p->pic_fields.bits.pps_loop_filter_across_slices_enabled_flag);
    put_u(b, 3, own ? 6 : 4);  // deblocking control, overridden in slices, on
    put_se(b, 0);
    put_se(b, 0);
    put_u(b, 2, 0);
    put_ue(b, p->log2_parallel_merge_level_minus2);
    put_u(b, 2, 0);
    put_trailing(b);
}

static VAPictureHEVC entry_of(const client *c, int place) {
    VAPictureHEVC entry;
    memset(&entry, 0, sizeof entry);
    entry.picture_id = VA_INVALID_SURFACE;
    entry.flags = VA_PICTURE_HEVC_INVALID;
    if (place < 0) return entry;
    entry.picture_id = c->reconstructions[place];
    entry.pic_order_cnt = c->plan[place].shown;
    entry.flags = 0;
    return entry;
}

static VAEncPictureParameterBufferHEVC picture_of(const client *c) {
    const client_picture *plan = &c->plan[c->picture];
    VAEncPictureParameterBufferHEVC p;
    memset(&p, 0, sizeof p);
    p.decoded_curr_pic = entry_of(c, c->picture);
    for (int i = 0; i < 15; i++) p.reference_frames[i] = entry_of(c, i < plan->kept_count ? plan->kept[i] : -1);
    p.coded_buf = c->coded;
    p.collocated_ref_pic_index = 0xff;
    p.pic_init_qp = 30;
    // As deep as blocks go: the one depth that every personality takes.
    p.diff_cu_qp_delta_depth = c->settings.no_deltas ? 0 : sequence_of(c).log2_diff_max_min_luma_coding_block_size;
    p.pps_cb_qp_offset = 1;
    p.pps_cr_qp_offset = -1;
    p.nal_unit_type = plan->type == 'I' ? 19 : plan->reference ? 1 : 0;
    p.pic_fields.bits.idr_pic_flag = plan->type == 'I';
    p.pic_fields.bits.coding_type = plan->type == 'I' ? 1 : plan->type == 'P' ? 2 : 3;
    p.pic_fields.bits.reference_pic_flag = plan->reference;
    p.pic_fields.bits.cu_qp_delta_enabled_flag = !c->settings.no_deltas;
    p.pic_fields.bits.pps_loop_filter_across_slices_enabled_flag = 1;
    return p;
}

/// st_ref_pic_set() of what is kept: earlier pictures nearest first, then later ones.
static void write_set(const client *c, client_bits *b) {
    const client_picture *plan = &c->plan[c->picture];
    for (int side = 0; side < 2; side++) {
        uint32_t count = 0;
        for (int i = 0; i < plan->kept_count; i++) count += (c->plan[plan->kept[i]].shown > plan->shown) == side;
        put_ue(b, count);
    }
    for (int side = 0; side < 2; side++) {
        int before = plan->shown;
        for (int i = 0; i < plan->kept_count; i++) {
            int shown = c->plan[plan->kept[i]].shown;
            if ((shown > plan->shown) != side) continue;
            put_ue(b, (uint32_t)(side ? shown - before : before - shown) - 1);
            bool used = plan->type == 'B' && plan->list1 == plan->kept[i];
            for (int j = 0; j < plan->count0; j++) used = used || plan->list0[j] == plan->kept[i];
            put_u(b, 1, used);
            before = shown;
        }
    }
}

static void write_slice(const client *c, const VAEncPictureParameterBufferHEVC *p,
                        const VAEncSliceParameterBufferHEVC *s, unsigned address_bits, client_bits *b) {
    put_u(b, 32, 1);
    put_u(b, 16, (uint32_t)p->nal_unit_type << 9 | 1);
    put_u(b, 1, s->slice_segment_address == 0);
    if (p->nal_unit_type >= 16) put_u(b, 1, 0);
    put_ue(b, 0);
    if (s->slice_segment_address) put_u(b, address_bits, s->slice_segment_address);
    put_ue(b, s->slice_type);
    if (p->nal_unit_type != 19) {
        put_u(b, 8, (uint32_t)p->decoded_curr_pic.pic_order_cnt & 0xff);
        put_u(b, 1, 0);
        write_set(c, b);
    }
    put_u(b, 2, 0);  // SAO
    if (s->slice_type != 2) {
        put_u(b, 1, s->slice_fields.bits.num_ref_idx_active_override_flag);
        if (s->slice_fields.bits.num_ref_idx_active_override_flag) put_ue(b, s->num_ref_idx_l0_active_minus1);
        if (s->slice_fields.bits.num_ref_idx_active_override_flag && s->slice_type == 0) {
            put_ue(b, s->num_ref_idx_l1_active_minus1);
        }
        if (s->slice_type == 0) put_u(b, 1, s->slice_fields.bits.mvd_l1_zero_flag);
        put_u(b, 1, s->slice_fields.bits.cabac_init_flag);
        put_ue(b, 5u - s->max_num_merge_cand);
    }
    put_se(b, s->slice_qp_delta);
    put_se(b, s->slice_cb_qp_offset);
    put_se(b, s->slice_cr_qp_offset);
    put_u(b, 2, 2);  // override, deblocking on
    put_se(b, s->slice_beta_offset_div2);
    put_se(b, s->slice_tc_offset_div2);
    put_u(b, 1, s->slice_fields.bits.slice_loop_filter_across_slices_enabled_flag);
    put_trailing(b);
}

static bool add_slice(client *c, const VAEncPictureParameterBufferHEVC *p, int index) {
    const client_picture *plan = &c->plan[c->picture];
    VAEncSliceParameterBufferHEVC s;
    memset(&s, 0, sizeof s);
    unsigned side = 1u << c->settings.tree, address_bits = 0;
    uint32_t across = ((uint32_t)c->coded_width + side - 1) / side, rows = ((uint32_t)c->coded_height + side - 1) / side;
    while (1u << address_bits < across * rows) address_bits++;
    uint32_t first = rows * (uint32_t)index / (uint32_t)c->settings.slices;
    uint32_t next = rows * (uint32_t)(index + 1) / (uint32_t)c->settings.slices;
    s.slice_segment_address = first * across;
    s.num_ctu_in_slice = (next - first) * across;
    bool both = plan->type == 'B' || (plan->type == 'P' && c->settings.gpb);
    s.slice_type = plan->type == 'I' ? 2 : both ? 0 : 1;
    s.slice_fields.bits.num_ref_idx_active_override_flag = plan->count0 > 1;
    s.num_ref_idx_l0_active_minus1 = plan->count0 > 1;
    s.num_ref_idx_l1_active_minus1 = plan->type == 'P' && both && plan->count0 > 1;
    for (int i = 0; i < 15; i++) {
        s.ref_pic_list0[i] = entry_of(c, i < plan->count0 ? plan->list0[i] : -1);
        s.ref_pic_list1[i] = entry_of(c, -1);
        if (plan->type == 'B' && i == 0) s.ref_pic_list1[i] = entry_of(c, plan->list1);
        if (plan->type == 'P' && both) s.ref_pic_list1[i] = s.ref_pic_list0[i];
    }
    s.max_num_merge_cand = 4;
    s.slice_qp_delta = (int8_t)(c->settings.qp + (plan->type == 'B' ? 3 : 0) - p->pic_init_qp);
    // A slice header of the driver's own has no room for these.
    bool own = c->settings.packed & VA_ENC_PACKED_HEADER_SLICE;
    s.slice_cb_qp_offset = own;
    s.slice_beta_offset_div2 = own;
    s.slice_tc_offset_div2 = (int8_t)-own;
    s.slice_fields.bits.cabac_init_flag = own && plan->type != 'I';
    s.slice_fields.bits.last_slice_of_pic_flag = index + 1 == c->settings.slices;
    s.slice_fields.bits.slice_loop_filter_across_slices_enabled_flag = 1;
    client_bits bits = {{0}, 0};
    write_slice(c, p, &s, address_bits, &bits);
    return client_add_packed(c, VAEncPackedHeaderSlice, bits.bytes, bits.count) &&
           client_add(c, VAEncSliceParameterBufferType, &s, sizeof s);
}

bool client_render_hevc(client *c) {
    VAEncSequenceParameterBufferHEVC sequence = sequence_of(c);
    VAEncPictureParameterBufferHEVC picture = picture_of(c);
    bool good = true;
    if (c->picture == 0 || c->repeats_sequence) good = client_add(c, VAEncSequenceParameterBufferType, &sequence, sizeof sequence);
    good = good && client_add(c, VAEncPictureParameterBufferType, &picture, sizeof picture);
    if (c->picture == 0) {
        client_bits vps = {{0}, 0}, sps = {{0}, 0}, pps = {{0}, 0};
        write_vps(&sequence, &vps);
        write_sps(c, &sequence, &sps);
        write_pps(c, &picture, &pps);
        good = good && client_add_packed(c, VAEncPackedHeaderSequence, vps.bytes, vps.count) &&
               client_add_packed(c, VAEncPackedHeaderSequence, sps.bytes, sps.count) &&
               client_add_packed(c, VAEncPackedHeaderPicture, pps.bytes, pps.count);
    }
    for (int i = 0; i < c->settings.slices && good; i++) good = add_slice(c, &picture, i);
    return good;
}
