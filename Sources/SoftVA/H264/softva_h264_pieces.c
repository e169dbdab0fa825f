// SPDX-License-Identifier: MIT
// Divides slices that would have more bytes than the application allows.
#include "softva_h264.h"
#include "softva_reader.h"

/// Where the slice's own NAL unit begins in its packed header, behind the start code.
static size_t unit_of_slice(const sv_packed *header) {
    size_t bytes = header->bits / 8, start = sv_start_code_length(header->data, bytes);
    // A header that is not escaped holds one unit.
    for (size_t i = start; header->has_emulation && i < bytes; i++) {
        size_t code = sv_start_code_length(header->data + i, bytes - i);
        if (code > 0) start = i + code;
    }
    return start;
}

/// Writes a packed slice header with another first_mb_in_slice, which is its first field.
static void write_for(const sv_packed *header, int first, sv_bits *bits) {
    size_t start = unit_of_slice(header);
    sv_reader reader;
    sv_reader_begin(&reader, header->data + start, header->bits - start * 8, header->has_emulation);
    sv_bits_start_code(bits);
    sv_bits_u(bits, 8, sv_read_u(&reader, 8));
    sv_read_ue(&reader);
    sv_bits_ue(bits, (uint32_t)first);
    while (reader.position < reader.bits) {
        unsigned bit = sv_read_u(&reader, 1);
        if (!reader.overrun) sv_bits_u(bits, 1, bit);
    }
}

static void write_header(const sv_h264_frame *frame, const sv_h264_piece *piece, sv_bits *bits) {
    const sv_slice *slice = &frame->job->slices[piece->slice];
    VAEncSliceParameterBufferH264 params = *(const VAEncSliceParameterBufferH264 *)slice->params;
    if (!slice->header.data) {
        params.macroblock_address = (uint32_t)piece->first;
        sv_h264_write_slice_header(frame, &params, bits);
    } else if (piece->first == (int)params.macroblock_address) {
        sv_bits_packed(bits, &slice->header);
    } else {
        write_for(&slice->header, piece->first, bits);
    }
}

/// Codes a piece as far as its bytes allow, again and again until its end is where they do.
static int encode_piece(sv_h264_frame *frame, int index, sv_bits *bits) {
    sv_h264_piece *piece = &frame->pieces[index];
    const sv_bits begin = *bits;
    const sv_output before = *bits->out;
    size_t most = frame->job->max_slice_bytes > 0 ? before.count + frame->job->max_slice_bytes : 0;
    for (;;) {
        int end = piece->end;
        write_header(frame, piece, bits);
        int status = sv_h264_encode_slice(frame, index, most, bits);
        if (status != VA_STATUS_SUCCESS) return status;
        bool is_whole = piece->end == end, fits = most == 0 || bits->out->count <= most;
        if (is_whole && (fits || end - piece->first == 1)) {
            bits->out->large_slice |= !fits;
            return status;
        }
        // What ends a slice takes bytes too.
        if (is_whole) piece->end--;
        *bits = begin;
        *bits->out = before;
    }
}

int sv_h264_encode_pieces(sv_h264_frame *frame, int index, sv_bits *bits) {
    const VAEncSliceParameterBufferH264 *params = frame->job->slices[index].params;
    int first = (int)params->macroblock_address, end = first + (int)params->num_macroblocks;
    while (first < end) {
        if (frame->piece_count == frame->piece_capacity) return VA_STATUS_ERROR_MAX_NUM_EXCEEDED;
        int piece = frame->piece_count++;
        frame->pieces[piece] = (sv_h264_piece){index, first, end};
        int status = encode_piece(frame, piece, bits);
        if (status != VA_STATUS_SUCCESS) return status;
        first = frame->pieces[piece].end;
    }
    return VA_STATUS_SUCCESS;
}
