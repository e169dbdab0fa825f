// SPDX-License-Identifier: MIT
#include "softva_headers.h"

#include <stdlib.h>

#include "softva_bits.h"
#include "softva_nal.h"

struct sv_header_state *sv_headers_new(void) { return calloc(1, sizeof(struct sv_header_state)); }

void sv_expect_trailing(sv_reader *reader, const char *unit) {
    unsigned stop = sv_read_u(reader, 1), rest = 0, count = 0;
    while (!reader->overrun && reader->position < reader->bits) {
        rest |= sv_read_u(reader, 1);
        count++;
    }
    if (reader->overrun || stop != 1 || rest != 0 || count > 7) {
        sv_violation(unit, "its syntax does not end where the unit does");
    }
}

sv_vui_start sv_read_vui_start(sv_reader *reader) {
    sv_vui_start start = {0};
    start.aspect = sv_read_u(reader, 1);
    if (start.aspect) start.aspect_idc = sv_read_u(reader, 8);
    if (start.aspect && start.aspect_idc == 255) {
        start.sar[0] = sv_read_u(reader, 16);
        start.sar[1] = sv_read_u(reader, 16);
    }
    if (sv_read_u(reader, 1)) sv_read_u(reader, 1);  // overscan
    if (sv_read_u(reader, 1)) {                      // video_signal_type
        sv_read_u(reader, 4);
        if (sv_read_u(reader, 1)) sv_read_u(reader, 24);
    }
    if (sv_read_u(reader, 1)) {  // chroma_loc_info
        for (int i = 0; i < 2; i++) {
            unsigned location = sv_read_ue(reader);
            if (location > 5) sv_violation("vui.chroma_sample_loc_type", "%u is over 5", location);
        }
    }
    return start;
}

/// The bytes of the next NAL unit that an escaped header holds; a header that is not escaped holds one.
static size_t unit_end(const sv_packed *packed, size_t start, size_t bytes) {
    if (!packed->has_emulation) return bytes;
    for (size_t i = start; i + 3 <= bytes; i++) {
        if (sv_start_code_length(packed->data + i, bytes - i)) return i;
    }
    return bytes;
}

/// Reads the NAL units of a packed header; in a slice's, `index` of 0 and up, the last one is the slice's.
static void read_units(sv_work *work, const sv_packed *packed, int index) {
    size_t bytes = (packed->bits + 7) / 8, start = 0;
    while (start < bytes) {
        size_t code = sv_start_code_length(packed->data + start, bytes - start);
        if (code == 0) {
            sv_violation("packed.data", "no start code where a NAL unit begins");
            return;
        }
        start += code;
        size_t end = unit_end(packed, start, bytes);
        size_t last = end == bytes ? packed->bits : end * 8;
        size_t bits = last > start * 8 ? last - start * 8 : 0;  // a header may end inside its start code
        sv_reader reader;
        sv_reader_begin(&reader, packed->data + start, bits, packed->has_emulation);
        bool hevc = work->codec == SV_HEVC, good = true;
        if (index < 0 || end < bytes) {
            good = hevc ? sv_hevc_read_unit(work, &reader) : sv_h264_read_unit(work, &reader);
        } else if (hevc) {
            sv_hevc_compare_slice(work, index, &reader);
        } else {
            sv_h264_compare_slice(work, index, &reader);
        }
        if (!good) sv_violation("packed.data", "no NAL unit that may stand before a slice");
        if (reader.overrun) sv_violation("packed.bit_length", "the header ends before its syntax does");
        start = end;
    }
}

void sv_headers_check(sv_work *work, bool are_replaced) {
    for (int i = 0; i < work->unit_count; i++) read_units(work, &work->units[i], -1);
    bool wants_slices = work->context->config->packed_headers & VA_ENC_PACKED_HEADER_SLICE;
    if (work->codec == SV_HEVC) {
        sv_hevc_compare_sets(work);
    } else {
        sv_h264_compare_sets(work);
    }
    const struct sv_header_state *state = work->context->headers;
    bool sequence = work->codec == SV_HEVC ? state->hevc.seen_sequence : state->h264.seen_sequence;
    bool picture = work->codec == SV_HEVC ? state->hevc.seen_picture : state->h264.seen_picture;
    sv_require(are_replaced || (sequence && picture), "packed",
               "no %s parameter set came before the picture, and the driver writes none",
               sequence ? "picture" : "sequence");
    for (int i = 0; i < work->slice_count; i++) {
        if (work->slices[i].header.data) {
            read_units(work, &work->slices[i].header, i);
        } else if (wants_slices) {
            sv_violation("packed", "slice %d has no packed slice header, which the configuration announces", i);
        } else if (work->codec == SV_HEVC && i == 0) {
            sv_hevc_expect_plain_sets(&state->hevc);
        }
    }
}
