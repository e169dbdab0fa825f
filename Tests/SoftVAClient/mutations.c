// SPDX-License-Identifier: MIT
// Changes one bit of a structure or of a packed header at a time: each change has to be noticed, by a refusal, by a
// violation that names a field, by a misuse, or by a decoder. Bits that cannot matter, most of them reserved ones and
// unused entries of lists, are left out, each with the reason.
#include <softva.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <va/va.h>
#include <va/va_enc_h264.h>
#include <va/va_enc_hevc.h>

#include "client.h"

#define MAX_BUFFERS 96

/// A buffer as the client makes it.
typedef struct {
    VABufferType type;
    unsigned size;
    uint8_t data[8192];
} Recorded;

static Recorded recorded[MAX_BUFFERS];

/// One bit of one buffer.
typedef struct {
    int buffer;  // counted over the whole stream; -1: none, and all are recorded
    unsigned bit;
    int count;  // of the stream's buffers, when all are recorded
} Flip;

static void flip(client *c, VABufferType type, void *data, unsigned size) {
    Flip *wanted = c->change_context;
    int index = c->change_count++;
    if (wanted->buffer < 0 && index < MAX_BUFFERS) {
        recorded[index].type = type;
        recorded[index].size = size;
        memcpy(recorded[index].data, data, size);
    }
    if (index == wanted->buffer) ((uint8_t *)data)[wanted->bit / 8] ^= (uint8_t)(0x80 >> wanted->bit % 8);
}

typedef enum { REFUSED, NAMED, DECODED_OTHERWISE, MISUSED, UNNOTICED } Outcome;

static Outcome encode(const client_settings *settings, Flip *wanted) {
    client c;
    char why[160];
    softva_reset();
    Outcome outcome = UNNOTICED;
    if (!client_open(&c, settings)) exit(2);
    c.change = flip;
    c.change_context = wanted;
    if (!client_encode_all(&c)) {
        outcome = REFUSED;
    } else if (softva_count(SOFTVA_VIOLATIONS) > 0) {
        outcome = NAMED;
    } else if (softva_count(SOFTVA_MISUSES) > 0) {
        outcome = MISUSED;
    } else if (!client_matches(&c, why)) {
        outcome = DECODED_OTHERWISE;
    }
    if (wanted->buffer < 0) wanted->count = c.change_count;
    client_close(&c);
    return outcome;
}

/// A part of a structure that cannot matter.
typedef struct {
    VABufferType type;
    size_t first, last;  // bytes
    const char *reason;
    uint8_t mask;  // bits of the bytes; 0: all
} Exempt;

#define FIELD(type, structure, field, reason) \
    {type, offsetof(structure, field), offsetof(structure, field) + sizeof(((structure *)0)->field) - 1, reason, 0}
#define SEQ(structure, field, reason) FIELD(VAEncSequenceParameterBufferType, structure, field, reason)
#define PIC(structure, field, reason) FIELD(VAEncPictureParameterBufferType, structure, field, reason)
#define SLICE(structure, field, reason) FIELD(VAEncSliceParameterBufferType, structure, field, reason)
#define HINT "a hint to a driver that plans pictures itself"
#define NO_WEIGHTS "weighted prediction is off"
#define RESERVED "reserved"

#define PADDING "padding"
#define PROMISE "a promise about the stream that no decoder here checks"
/// The bytes behind `field` up to `next`.
#define GAP(type, structure, field, next) \
    {type, offsetof(structure, field) + sizeof(((structure *)0)->field), offsetof(structure, next) - 1, PADDING, 0}
/// Bits of one byte of a bit field, which begins at `field`.
#define BITS(type, structure, field, byte, mask, reason) \
    {type, offsetof(structure, field) + (byte), offsetof(structure, field) + (byte), reason, mask}
#define SEQ_TYPE VAEncSequenceParameterBufferType
#define PIC_TYPE VAEncPictureParameterBufferType
#define SLICE_TYPE VAEncSliceParameterBufferType
#define PACKED_EXEMPT \
    GAP(VAEncPackedHeaderParameterBufferType, VAEncPackedHeaderParameterBuffer, has_emulation_bytes, va_reserved), \
    FIELD(VAEncPackedHeaderParameterBufferType, VAEncPackedHeaderParameterBuffer, va_reserved, RESERVED), \
    FIELD(VAEncPackedHeaderParameterBufferType, VAEncPackedHeaderParameterBuffer, has_emulation_bytes, \
          "matters only to a header with bytes to escape; the contract test has those")

static const Exempt h264_exempt[] = {
    PACKED_EXEMPT,
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferH264, level_idc, intra_period),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferH264, seq_fields, 2, 0, "of pic_order_cnt_type 1, or reserved"),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferH264, seq_fields, 3, 0, RESERVED),
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferH264, num_ref_frames_in_pic_order_cnt_cycle, offset_for_non_ref_pic),
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferH264, frame_cropping_flag, frame_crop_left_offset),
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferH264, vui_parameters_present_flag, vui_fields),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferH264, vui_fields, 0, 0xf8, "of a restriction that the stream does not have"),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferH264, vui_fields, 1, 0, "vectors' lengths, fixed rate, HRD: not in the stream"),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferH264, vui_fields, 2, 0, RESERVED),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferH264, vui_fields, 3, 0, RESERVED),
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferH264, aspect_ratio_idc, sar_width),
    FIELD(PIC_TYPE, VAEncPictureParameterBufferH264, CurrPic.va_reserved, RESERVED),
    BITS(PIC_TYPE, VAEncPictureParameterBufferH264, CurrPic.flags, 0, 0x18, "clients mark the picture as a reference or not"),
    GAP(PIC_TYPE, VAEncPictureParameterBufferH264, last_picture, frame_num),
    GAP(PIC_TYPE, VAEncPictureParameterBufferH264, second_chroma_qp_index_offset, pic_fields),
    BITS(PIC_TYPE, VAEncPictureParameterBufferH264, pic_fields, 0, 0x04, "any nal_ref_idc but 0 means the same"),
    BITS(PIC_TYPE, VAEncPictureParameterBufferH264, pic_fields, 1, 0xe0, RESERVED),
    BITS(PIC_TYPE, VAEncPictureParameterBufferH264, pic_fields, 2, 0, RESERVED),
    BITS(PIC_TYPE, VAEncPictureParameterBufferH264, pic_fields, 3, 0, RESERVED),
    GAP(SLICE_TYPE, VAEncSliceParameterBufferH264, pic_order_cnt_lsb, delta_pic_order_cnt_bottom),
    GAP(SLICE_TYPE, VAEncSliceParameterBufferH264, slice_beta_offset_div2, va_reserved),
    SEQ(VAEncSequenceParameterBufferH264, intra_period, HINT),
    SEQ(VAEncSequenceParameterBufferH264, intra_idr_period, HINT),
    SEQ(VAEncSequenceParameterBufferH264, ip_period, HINT),
    SEQ(VAEncSequenceParameterBufferH264, bits_per_second, "rate control takes its own buffer; here QPs are constant"),
    SEQ(VAEncSequenceParameterBufferH264, num_ref_frames_in_pic_order_cnt_cycle, "of pic_order_cnt_type 1"),
    SEQ(VAEncSequenceParameterBufferH264, offset_for_non_ref_pic, "of pic_order_cnt_type 1"),
    SEQ(VAEncSequenceParameterBufferH264, offset_for_top_to_bottom_field, "of pic_order_cnt_type 1"),
    SEQ(VAEncSequenceParameterBufferH264, offset_for_ref_frame, "of pic_order_cnt_type 1"),
    SEQ(VAEncSequenceParameterBufferH264, aspect_ratio_idc, "the stream says no aspect ratio"),
    SEQ(VAEncSequenceParameterBufferH264, sar_width, "the stream says no aspect ratio"),
    SEQ(VAEncSequenceParameterBufferH264, sar_height, "the stream says no aspect ratio"),
    SEQ(VAEncSequenceParameterBufferH264, va_reserved, RESERVED),
    PIC(VAEncPictureParameterBufferH264, va_reserved, RESERVED),
    SLICE(VAEncSliceParameterBufferH264, luma_log2_weight_denom, NO_WEIGHTS),
    SLICE(VAEncSliceParameterBufferH264, chroma_log2_weight_denom, NO_WEIGHTS),
    {VAEncSliceParameterBufferType, offsetof(VAEncSliceParameterBufferH264, luma_weight_l0_flag),
     offsetof(VAEncSliceParameterBufferH264, cabac_init_idc) - 1, NO_WEIGHTS, 0},
    SLICE(VAEncSliceParameterBufferH264, va_reserved, RESERVED),
};

static const Exempt hevc_exempt[] = {
    PACKED_EXEMPT,
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, general_tier_flag, intra_period),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, seq_fields, 1, 0x40, "PCM is off"),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, seq_fields, 2, 0, "low_delay_seq and hierachical_flag are hints"),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, seq_fields, 3, 0, RESERVED),
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, max_transform_hierarchy_depth_intra,
        pcm_sample_bit_depth_luma_minus1),
    GAP(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, vui_parameters_present_flag, vui_fields),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, scc_fields, 0, 0xfe, RESERVED),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, scc_fields, 1, 0, RESERVED),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, scc_fields, 2, 0, RESERVED),
    BITS(SEQ_TYPE, VAEncSequenceParameterBufferHEVC, scc_fields, 3, 0, RESERVED),
    FIELD(PIC_TYPE, VAEncPictureParameterBufferHEVC, decoded_curr_pic.va_reserved, RESERVED),
    GAP(PIC_TYPE, VAEncPictureParameterBufferHEVC, nal_unit_type, pic_fields),
    BITS(PIC_TYPE, VAEncPictureParameterBufferHEVC, pic_fields, 0, 0x02, "clients call B slices with two equal lists P or B"),
    BITS(PIC_TYPE, VAEncPictureParameterBufferHEVC, pic_fields, 1, 0x80, "tiles are off"),
    BITS(PIC_TYPE, VAEncPictureParameterBufferHEVC, pic_fields, 2, 0xec, "hints, or reserved"),
    BITS(PIC_TYPE, VAEncPictureParameterBufferHEVC, pic_fields, 3, 0, RESERVED),
    BITS(PIC_TYPE, VAEncPictureParameterBufferHEVC, scc_fields, 0, 0xfe, RESERVED),
    BITS(PIC_TYPE, VAEncPictureParameterBufferHEVC, scc_fields, 1, 0, RESERVED),
    BITS(SLICE_TYPE, VAEncSliceParameterBufferHEVC, slice_fields, 0, 0x0c, "color planes are not separate"),
    BITS(SLICE_TYPE, VAEncSliceParameterBufferHEVC, slice_fields, 1, 0xe0, "TMVP is off; or reserved"),
    BITS(SLICE_TYPE, VAEncSliceParameterBufferHEVC, slice_fields, 2, 0, RESERVED),
    BITS(SLICE_TYPE, VAEncSliceParameterBufferHEVC, slice_fields, 3, 0, RESERVED),
    SEQ(VAEncSequenceParameterBufferHEVC, intra_period, HINT),
    SEQ(VAEncSequenceParameterBufferHEVC, intra_idr_period, HINT),
    SEQ(VAEncSequenceParameterBufferHEVC, ip_period, HINT),
    SEQ(VAEncSequenceParameterBufferHEVC, bits_per_second, "rate control takes its own buffer; here QPs are constant"),
    {VAEncSequenceParameterBufferType, offsetof(VAEncSequenceParameterBufferHEVC, pcm_sample_bit_depth_luma_minus1),
     offsetof(VAEncSequenceParameterBufferHEVC, vui_parameters_present_flag) - 1, "PCM is off", 0},
    {VAEncSequenceParameterBufferType, offsetof(VAEncSequenceParameterBufferHEVC, vui_fields),
     offsetof(VAEncSequenceParameterBufferHEVC, scc_fields) - 1, "the structure says that there is no VUI", 0},
    SEQ(VAEncSequenceParameterBufferHEVC, va_reserved, RESERVED),
    PIC(VAEncPictureParameterBufferHEVC, num_tile_columns_minus1, "tiles are off"),
    PIC(VAEncPictureParameterBufferHEVC, num_tile_rows_minus1, "tiles are off"),
    PIC(VAEncPictureParameterBufferHEVC, column_width_minus1, "tiles are off"),
    PIC(VAEncPictureParameterBufferHEVC, row_height_minus1, "tiles are off"),
    PIC(VAEncPictureParameterBufferHEVC, hierarchical_level_plus1, HINT),
    PIC(VAEncPictureParameterBufferHEVC, va_byte_reserved, RESERVED),
    PIC(VAEncPictureParameterBufferHEVC, va_reserved, RESERVED),
    {VAEncSliceParameterBufferType, offsetof(VAEncSliceParameterBufferHEVC, luma_log2_weight_denom),
     offsetof(VAEncSliceParameterBufferHEVC, max_num_merge_cand) - 1, NO_WEIGHTS, 0},
    SLICE(VAEncSliceParameterBufferHEVC, pred_weight_table_bit_offset, NO_WEIGHTS),
    SLICE(VAEncSliceParameterBufferHEVC, pred_weight_table_bit_length, NO_WEIGHTS),
    SLICE(VAEncSliceParameterBufferHEVC, va_reserved, RESERVED),
};

/// Bits of packed headers that cannot matter, by where they lie in this client's headers.
static bool header_exempt(bool hevc, int index, unsigned bit) {
    const Recorded *buffer = &recorded[index];
    if (buffer->type != VAEncPackedHeaderDataBufferType) return false;
    VAEncPackedHeaderParameterBuffer header;
    memcpy(&header, recorded[index - 1].data, sizeof header);
    if (bit >= header.bit_length) return true;  // fills the last byte
    unsigned byte = bit / 8;
    if (hevc) {
        unsigned type = buffer->data[4] >> 1 & 0x3f, profile = type == 32 ? 10 : 7;
        // Compatibility and constraint flags are promises.
        if ((type == 32 || type == 33) && byte > profile && byte < profile + 11) return true;
        // Without sub-layers sub_layer_ordering_info_present_flag says nothing.
        return (type == 32 && bit == 176) || (type == 33 && bit == 196);
    }
    unsigned type = buffer->data[4] & 0x1f;
    if (byte == 4 && (bit % 8 == 1 || bit % 8 == 2)) return true;  // any nal_ref_idc but 0 means the same
    if (type == 7 && byte == 6) return true;                       // constraint flags are promises
    // fixed_frame_rate_flag and pic_struct_present_flag are of output times.
    if (type == 7 && (bit == 176 || bit == 179)) return true;
    bool first = buffer->data[5] >> 7;
    return type == 5 && bit == (first ? 64u : 68u);  // no_output_of_prior_pics_flag: nothing was before
}

/// Where the lists of references lie in a structure.
typedef struct {
    VABufferType type;
    size_t first, count, entry;
    bool sliced;  // an I slice has none
} List;

static const List h264_lists[] = {
    {VAEncPictureParameterBufferType, offsetof(VAEncPictureParameterBufferH264, ReferenceFrames), 16,
     sizeof(VAPictureH264), false},
    {VAEncSliceParameterBufferType, offsetof(VAEncSliceParameterBufferH264, RefPicList0), 64, sizeof(VAPictureH264), true},
};
static const List hevc_lists[] = {
    {VAEncPictureParameterBufferType, offsetof(VAEncPictureParameterBufferHEVC, reference_frames), 15,
     sizeof(VAPictureHEVC), false},
    {VAEncSliceParameterBufferType, offsetof(VAEncSliceParameterBufferHEVC, ref_pic_list0), 30, sizeof(VAPictureHEVC),
     true},
};

/// Whether the byte is of an entry that names no picture, or is reserved.
static bool is_unused_entry(bool hevc, const Recorded *buffer, unsigned byte) {
    const List *lists = hevc ? hevc_lists : h264_lists;
    for (int i = 0; i < 2; i++) {
        if (lists[i].type != buffer->type || byte < lists[i].first) continue;
        size_t place = (byte - lists[i].first) / lists[i].entry;
        if (place >= lists[i].count) continue;
        uint32_t id;
        memcpy(&id, buffer->data + lists[i].first + place * lists[i].entry, sizeof id);
        size_t reserved = hevc ? offsetof(VAPictureHEVC, va_reserved) : offsetof(VAPictureH264, va_reserved);
        return id == VA_INVALID_SURFACE || (byte - lists[i].first) % lists[i].entry >= reserved;
    }
    return false;
}

/// The bits of the byte that cannot matter.
static uint8_t exempt_bits(bool hevc, const Recorded *buffer, unsigned byte) {
    const Exempt *list = hevc ? hevc_exempt : h264_exempt;
    size_t count = hevc ? sizeof hevc_exempt / sizeof *list : sizeof h264_exempt / sizeof *list;
    uint8_t bits = is_unused_entry(hevc, buffer, byte) ? 0xff : 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].type != buffer->type || byte < list[i].first || byte > list[i].last) continue;
        bits |= list[i].mask ? list[i].mask : 0xff;
    }
    bool slice = buffer->type == VAEncSliceParameterBufferType;
    if (slice && !hevc) {
        VAEncSliceParameterBufferH264 s;
        memcpy(&s, buffer->data, sizeof s);
        bool lists = byte >= offsetof(VAEncSliceParameterBufferH264, direct_spatial_mv_pred_flag) &&
                     byte < offsetof(VAEncSliceParameterBufferH264, RefPicList0);
        bool idr = byte - offsetof(VAEncSliceParameterBufferH264, idr_pic_id) < sizeof s.idr_pic_id;
        // An I slice has no references, a P slice no second list and no direct blocks; only IDR pictures have an id.
        if ((lists && s.slice_type == 2) || (idr && s.slice_type != 2)) bits = 0xff;
        if (s.slice_type == 0 && (byte == offsetof(VAEncSliceParameterBufferH264, direct_spatial_mv_pred_flag) ||
                                  byte == offsetof(VAEncSliceParameterBufferH264, num_ref_idx_l1_active_minus1))) {
            bits = 0xff;
        }
        // Counts stand for something only when they override.
        if (!s.num_ref_idx_active_override_flag &&
            (byte == offsetof(VAEncSliceParameterBufferH264, num_ref_idx_l0_active_minus1) ||
             byte == offsetof(VAEncSliceParameterBufferH264, num_ref_idx_l1_active_minus1))) {
            bits = 0xff;
        }
        if (!s.num_ref_idx_active_override_flag &&
            byte == offsetof(VAEncSliceParameterBufferH264, num_ref_idx_active_override_flag)) {
            bits = 0xff;  // overriding with the same counts
        }
        if (s.slice_type == 2 && byte == offsetof(VAEncSliceParameterBufferH264, cabac_init_idc)) bits = 0xff;
    }
    if (slice && hevc) {
        VAEncSliceParameterBufferHEVC s;
        memcpy(&s, buffer->data, sizeof s);
        bool counts = byte == offsetof(VAEncSliceParameterBufferHEVC, num_ref_idx_l0_active_minus1) ||
                      byte == offsetof(VAEncSliceParameterBufferHEVC, num_ref_idx_l1_active_minus1);
        if (counts && s.slice_type == 2) bits = 0xff;
        if (s.slice_type == 1 && byte == offsetof(VAEncSliceParameterBufferHEVC, num_ref_idx_l1_active_minus1)) bits = 0xff;
        if (s.slice_type == 2 && byte == offsetof(VAEncSliceParameterBufferHEVC, max_num_merge_cand)) bits = 0xff;
        size_t fields = offsetof(VAEncSliceParameterBufferHEVC, slice_fields);
        if (!s.slice_fields.bits.num_ref_idx_active_override_flag && byte == fields) bits |= 0x80;  // the same counts
        if (s.slice_type != 0 && byte == fields + 1) bits |= 0x01;                                  // mvd_l1_zero_flag
        if (s.slice_type == 2 && byte == fields + 1) bits |= 0x02;                                  // cabac_init_flag
    }
    return bits;
}

int main(int argc, char **argv) {
    // Every STEPth bit that can matter, beginning with the PHASEth.
    int step = argc > 1 ? atoi(argv[1]) : 1, phase = argc > 2 ? atoi(argv[2]) : 7;
    int total = 0, at = phase, unnoticed = 0, exempt = 0, counts[UNNOTICED + 1] = {0};
    softva_set_personality("strict");
    for (int hevc = 0; hevc < 2; hevc++) {
        client_settings settings = client_defaults(hevc);
        settings.pictures = 5;
        Flip wanted = {-1, 0, 0};
        if (encode(&settings, &wanted) != UNNOTICED) {
            printf("mutations: the stream is wrong before anything is changed\n");
            return 1;
        }
        int buffers = wanted.count < MAX_BUFFERS ? wanted.count : MAX_BUFFERS;
        for (int i = 0; i < buffers; i++) {
            const Recorded *buffer = &recorded[i];
            for (unsigned bit = 0; bit < buffer->size * 8; bit++) {
                if (exempt_bits(hevc, buffer, bit / 8) & 0x80 >> bit % 8) {
                    exempt++;
                    continue;
                }
                if (++at % step != 0) continue;
                wanted.buffer = i;
                wanted.bit = bit;
                Outcome outcome = encode(&settings, &wanted);
                total++;
                counts[outcome]++;
                if (outcome != UNNOTICED || header_exempt(hevc, i, bit)) continue;
                unnoticed++;
                printf("unnoticed: %s buffer %d type %d byte %u bit %u\n", hevc ? "HEVC" : "H.264", i, buffer->type,
                       bit / 8, bit % 8);
            }
        }
    }
    printf("mutations: %d, refused %d, named %d, misuse %d, decoded otherwise %d, known to be harmless %d, unnoticed %d; "
           "%d bits left out, see the tables\n", total, counts[REFUSED], counts[NAMED], counts[MISUSED],
           counts[DECODED_OTHERWISE], counts[UNNOTICED] - unnoticed, unnoticed, exempt);
    return unnoticed != 0;
}
