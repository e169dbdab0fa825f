// SPDX-License-Identifier: MIT
// Encodes a picture in H.264.
#include "softva_h264.h"

#include <stdlib.h>

int sv_h264_chroma_qp(const sv_h264_frame *frame, int component, int luma_qp) {
    // QPC for qPI 30...51, table 8-15; below, they are equal.
    static const uint8_t upper[22] = {
        29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39};
    const VAEncPictureParameterBufferH264 *picture = frame->picture;
    int offset = component == 1 ? picture->chroma_qp_index_offset : picture->second_chroma_qp_index_offset;
    int index = sv_clip(0, 51, luma_qp + offset);
    return index < 30 ? index : upper[index - 30];
}

static bool open_frame(sv_h264_frame *frame, const sv_job *job) {
    frame->job = job;
    frame->sequence = job->sequence;
    frame->picture = job->picture;
    frame->width = frame->sequence->picture_width_in_mbs;
    frame->height = frame->sequence->picture_height_in_mbs;
    size_t count = (size_t)frame->width * (size_t)frame->height;
    frame->mbs = malloc(count * sizeof *frame->mbs);
    // Each has a macroblock of its own.
    frame->piece_capacity = (int)count;
    frame->pieces = malloc(count * sizeof *frame->pieces);
    if (!frame->mbs || !frame->pieces || !sv_planes_create(&frame->source, frame->width * 16, frame->height * 16, 8) ||
        !sv_planes_create(&frame->reconstruction, frame->width * 16, frame->height * 16, 8)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) frame->mbs[i] = (sv_h264_mb){.piece = -1};
    sv_planes_load(&frame->source, job->input);
    return true;
}

static void close_frame(sv_h264_frame *frame) {
    free(frame->mbs);
    free(frame->pieces);
    sv_planes_destroy(&frame->source);
    sv_planes_destroy(&frame->reconstruction);
    while (frame->references) {
        sv_h264_reference *next = frame->references->next;
        sv_planes_destroy(&frame->references->planes);
        free(frame->references);
        frame->references = next;
    }
}

static int encode_slices(sv_h264_frame *frame, sv_output *out) {
    for (int i = 0; i < frame->job->slice_count; i++) {
        const sv_slice *slice = &frame->job->slices[i];
        sv_bits bits;
        sv_bits_begin(&bits, out);
        for (int k = 0; k < slice->before_count; k++) {
            sv_bits_packed(&bits, &slice->before[k]);
            // A unit of whole bytes, which a packed header need not end with.
            sv_bits_align(&bits, 0);
        }
        int status = sv_h264_encode_pieces(frame, i, &bits);
        if (status != VA_STATUS_SUCCESS) return status;
    }
    return VA_STATUS_SUCCESS;
}

int softva_h264_encode(const sv_job *job, sv_output *out) {
    int status = sv_h264_check(job);
    if (status != VA_STATUS_SUCCESS) return status;
    sv_h264_frame frame = {0};
    status = open_frame(&frame, job) ? encode_slices(&frame, out) : VA_STATUS_ERROR_ALLOCATION_FAILED;
    if (status == VA_STATUS_SUCCESS) {
        sv_h264_deblock(&frame);
        sv_planes_store(&frame.reconstruction, job->reconstruction);
    }
    close_frame(&frame);
    return status;
}
