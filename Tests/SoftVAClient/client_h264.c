// SPDX-License-Identifier: MIT
// The H.264 parameters and headers of the client's plan.
#include <string.h>
#include <va/va.h>
#include <va/va_enc_h264.h>

#include "client.h"

static bool cabac(const client *c) { return c->settings.profile != VAProfileH264ConstrainedBaseline; }

static VAEncSequenceParameterBufferH264 sequence_of(const client *c) {
    VAEncSequenceParameterBufferH264 s;
    memset(&s, 0, sizeof s);
    s.level_idc = 30;
    s.intra_period = s.intra_idr_period = 30;
    s.ip_period = c->settings.b_pictures ? 3 : 1;
    s.bits_per_second = c->settings.bits_per_second;
    s.max_num_ref_frames = c->settings.single ? 1 : 2;
    s.picture_width_in_mbs = (uint16_t)(c->coded_width / 16);
    s.picture_height_in_mbs = (uint16_t)(c->coded_height / 16);
    s.seq_fields.bits.chroma_format_idc = 1;
    s.seq_fields.bits.frame_mbs_only_flag = 1;
    s.seq_fields.bits.direct_8x8_inference_flag = 1;
    s.seq_fields.bits.log2_max_frame_num_minus4 = 4;
    s.seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 = 4;
    s.frame_crop_right_offset = (uint32_t)(c->coded_width - c->settings.width) / 2;
    s.frame_crop_bottom_offset = (uint32_t)(c->coded_height - c->settings.height) / 2;
    s.frame_cropping_flag = s.frame_crop_right_offset || s.frame_crop_bottom_offset;
    s.vui_parameters_present_flag = 1;
    s.vui_fields.bits.timing_info_present_flag = 1;
    s.num_units_in_tick = 1;
    s.time_scale = 60;
    return s;
}

static void write_sps(const client *c, const VAEncSequenceParameterBufferH264 *s, client_bits *b) {
    bool high = c->settings.profile == VAProfileH264High;
    put_u(b, 32, 1);
    put_u(b, 8, 0x67);
    put_u(b, 8, high ? 100 : cabac(c) ? 77 : 66);
    put_u(b, 8, cabac(c) ? 0 : 0x40);
    put_u(b, 8, s->level_idc);
    put_ue(b, 0);
    if (high) {
        put_ue(b, 1);
        put_ue(b, 0);
        put_ue(b, 0);
        put_u(b, 2, 0);
    }
    put_ue(b, s->seq_fields.bits.log2_max_frame_num_minus4);
    put_ue(b, 0);
    put_ue(b, s->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4);
    put_ue(b, s->max_num_ref_frames);
    put_u(b, 1, 0);
    put_ue(b, s->picture_width_in_mbs - 1u);
    put_ue(b, s->picture_height_in_mbs - 1u);
    put_u(b, 2, 3);
    put_u(b, 1, s->frame_cropping_flag);
    if (s->frame_cropping_flag) {
        put_ue(b, 0);
        put_ue(b, s->frame_crop_right_offset);
        put_ue(b, 0);
        put_ue(b, s->frame_crop_bottom_offset);
    }
    put_u(b, 1, 1);
    put_u(b, 4, 0);  // no aspect ratio, overscan, video signal, chroma location
    put_u(b, 1, 1);
    put_u(b, 32, s->num_units_in_tick);
    put_u(b, 32, s->time_scale);
    put_u(b, 5, 0);  // fixed rate, HRDs, pic_struct, restriction
    put_trailing(b);
}

static void write_pps(const client *c, const VAEncPictureParameterBufferH264 *p, client_bits *b) {
    put_u(b, 32, 1);
    put_u(b, 8, 0x68);
    put_ue(b, 0);
    put_ue(b, 0);
    put_u(b, 1, cabac(c));
    put_u(b, 1, 0);
    put_ue(b, 0);
    put_ue(b, 0);
    put_ue(b, 0);
    put_u(b, 3, 0);
    put_se(b, p->pic_init_qp - 26);
    put_se(b, 0);
    put_se(b, p->chroma_qp_index_offset);
    put_u(b, 3, 4);
    if (c->settings.profile == VAProfileH264High) {
        put_u(b, 2, 2);  // transform_8x8_mode_flag
        put_se(b, p->second_chroma_qp_index_offset);
    }
    put_trailing(b);
}

static VAPictureH264 entry_of(const client *c, int place) {
    VAPictureH264 entry;
    memset(&entry, 0, sizeof entry);
    entry.picture_id = VA_INVALID_SURFACE;
    entry.flags = VA_PICTURE_H264_INVALID;
    if (place < 0) return entry;
    entry.picture_id = c->reconstructions[place];
    entry.frame_idx = (uint32_t)c->plan[place].frame_num;
    entry.flags = VA_PICTURE_H264_SHORT_TERM_REFERENCE;
    entry.TopFieldOrderCnt = entry.BottomFieldOrderCnt = 2 * c->plan[place].shown;
    return entry;
}

static VAEncPictureParameterBufferH264 picture_of(const client *c) {
    const client_picture *plan = &c->plan[c->picture];
    VAEncPictureParameterBufferH264 p;
    memset(&p, 0, sizeof p);
    p.CurrPic = entry_of(c, c->picture);
    p.CurrPic.flags = 0;
    for (int i = 0; i < 16; i++) p.ReferenceFrames[i] = entry_of(c, i < plan->kept_count ? plan->kept[i] : -1);
    p.coded_buf = c->coded;
    p.frame_num = (uint16_t)plan->frame_num;
    p.pic_init_qp = 30;
    p.chroma_qp_index_offset = 1;
    p.second_chroma_qp_index_offset = c->settings.profile == VAProfileH264High ? 2 : 1;
    p.pic_fields.bits.idr_pic_flag = plan->type == 'I';
    p.pic_fields.bits.reference_pic_flag = plan->reference;
    p.pic_fields.bits.entropy_coding_mode_flag = cabac(c);
    p.pic_fields.bits.transform_8x8_mode_flag = c->settings.profile == VAProfileH264High;
    p.pic_fields.bits.deblocking_filter_control_present_flag = 1;
    return p;
}

static void write_slice(const client *c, const VAEncPictureParameterBufferH264 *p,
                        const VAEncSliceParameterBufferH264 *s, client_bits *b) {
    const client_picture *plan = &c->plan[c->picture];
    bool idr = plan->type == 'I';
    put_u(b, 32, 1);
    put_u(b, 8, (plan->reference ? 0x60u : 0) | (idr ? 5 : 1));
    put_ue(b, s->macroblock_address);
    put_ue(b, s->slice_type);
    put_ue(b, 0);
    put_u(b, 8, p->frame_num);
    if (idr) put_ue(b, s->idr_pic_id);
    put_u(b, 8, s->pic_order_cnt_lsb);
    if (plan->type == 'B') put_u(b, 1, 1);
    if (!idr) {
        put_u(b, 1, s->num_ref_idx_active_override_flag);
        if (s->num_ref_idx_active_override_flag) put_ue(b, s->num_ref_idx_l0_active_minus1);
        if (s->num_ref_idx_active_override_flag && plan->type == 'B') put_ue(b, s->num_ref_idx_l1_active_minus1);
        put_u(b, 1, 0);
        if (plan->type == 'B') put_u(b, 1, 0);
    }
    if (plan->reference) put_u(b, idr ? 2 : 1, 0);
    if (cabac(c) && !idr) put_ue(b, s->cabac_init_idc);
    put_se(b, s->slice_qp_delta);
    put_ue(b, s->disable_deblocking_filter_idc);
    put_se(b, s->slice_alpha_c0_offset_div2);
    put_se(b, s->slice_beta_offset_div2);
}

static bool add_slice(client *c, const VAEncPictureParameterBufferH264 *p, int index) {
    const client_picture *plan = &c->plan[c->picture];
    VAEncSliceParameterBufferH264 s;
    memset(&s, 0, sizeof s);
    uint32_t across = (uint32_t)c->coded_width / 16, rows = (uint32_t)c->coded_height / 16;
    uint32_t first = rows * (uint32_t)index / (uint32_t)c->settings.slices;
    uint32_t next = rows * (uint32_t)(index + 1) / (uint32_t)c->settings.slices;
    s.macroblock_address = first * across;
    s.num_macroblocks = (next - first) * across;
    s.macroblock_info = VA_INVALID_ID;
    s.slice_type = plan->type == 'I' ? 2 : plan->type == 'B' ? 1 : 0;
    s.idr_pic_id = 1;
    s.pic_order_cnt_lsb = (uint16_t)(2 * plan->shown);
    s.direct_spatial_mv_pred_flag = plan->type == 'B';
    s.num_ref_idx_active_override_flag = plan->count0 > 1;
    s.num_ref_idx_l0_active_minus1 = plan->count0 > 1;
    for (int i = 0; i < 32; i++) {
        s.RefPicList0[i] = entry_of(c, i < plan->count0 ? plan->list0[i] : -1);
        s.RefPicList1[i] = entry_of(c, i == 0 && plan->type == 'B' ? plan->list1 : -1);
    }
    s.cabac_init_idc = cabac(c) && plan->type != 'I' ? 1 : 0;
    s.slice_qp_delta = (int8_t)(c->settings.qp + (plan->type == 'B' ? 3 : 0) - p->pic_init_qp);
    s.slice_alpha_c0_offset_div2 = 1;
    s.slice_beta_offset_div2 = -1;
    client_bits bits = {{0}, 0};
    write_slice(c, p, &s, &bits);
    return client_add_packed(c, VAEncPackedHeaderSlice, bits.bytes, bits.count) &&
           client_add(c, VAEncSliceParameterBufferType, &s, sizeof s);
}

bool client_render_h264(client *c) {
    VAEncSequenceParameterBufferH264 sequence = sequence_of(c);
    VAEncPictureParameterBufferH264 picture = picture_of(c);
    bool good = true;
    if (c->picture == 0 || c->repeats_sequence) good = client_add(c, VAEncSequenceParameterBufferType, &sequence, sizeof sequence);
    good = good && client_add(c, VAEncPictureParameterBufferType, &picture, sizeof picture);
    uint32_t size[6] = {VAEncMiscParameterTypeMaxSliceSize, c->settings.max_slice_bytes};
    if (size[1] > 0) good = good && client_add(c, VAEncMiscParameterBufferType, size, sizeof size);
    if (c->picture == 0) {
        client_bits sps = {{0}, 0}, pps = {{0}, 0};
        write_sps(c, &sequence, &sps);
        write_pps(c, &picture, &pps);
        good = good && client_add_packed(c, VAEncPackedHeaderSequence, sps.bytes, sps.count) &&
               client_add_packed(c, VAEncPackedHeaderPicture, pps.bytes, pps.count);
    }
    for (int i = 0; i < c->settings.slices && good; i++) good = add_slice(c, &picture, i);
    return good;
}
