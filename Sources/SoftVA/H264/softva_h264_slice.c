// SPDX-License-Identifier: MIT
// A slice: its references, and its macroblocks in order.
#include <stdio.h>
#include <stdlib.h>

#include "softva_h264.h"

/// The pixels of a surface, grey if it has none; NULL without memory. Loads each surface once for a picture.
static const sv_planes *planes_of(sv_h264_frame *frame, VASurfaceID id, const sv_picture *picture) {
    for (sv_h264_reference *known = frame->references; known; known = known->next) {
        if (known->id == id && known->is_grey == !picture) return &known->planes;
    }
    sv_h264_reference *reference = calloc(1, sizeof *reference);
    if (!reference) return NULL;
    if (!sv_planes_create(&reference->planes, frame->width * 16, frame->height * 16, 8)) {
        free(reference);
        return NULL;
    }
    if (picture) {
        // All of the coded size was reconstructed, also what lies beyond the surface's own size.
        sv_picture whole = *picture;
        whole.width = frame->width * 16;
        whole.height = frame->height * 16;
        sv_planes_load(&reference->planes, &whole);
    } else {
        sv_planes_load_grey(&reference->planes);
    }
    reference->id = id;
    reference->is_grey = !picture;
    reference->next = frame->references;
    frame->references = reference;
    return &reference->planes;
}

static const sv_planes *find_reference(sv_h264_frame *frame, const VAPictureH264 *entry, int list, int index) {
    const sv_job *job = frame->job;
    bool is_invalid = entry->picture_id == VA_INVALID_SURFACE || entry->flags & VA_PICTURE_H264_INVALID;
    const sv_picture *picture = is_invalid ? NULL : job->surfaces.find(job->surfaces.context, entry->picture_id);
    if (picture) return planes_of(frame, entry->picture_id, picture);
    char field[32];
    snprintf(field, sizeof field, "slice.RefPicList%d[%d]", list, index);
    job->violation(job->violation_context, field,
        is_invalid ? "an active entry names no surface" : "the surface was never written");
    return planes_of(frame, VA_INVALID_SURFACE, NULL);
}

static bool find_references(sv_h264_slice *slice) {
    for (int list = 0; list < 2; list++) {
        const VAPictureH264 *entries = list ? slice->params->RefPicList1 : slice->params->RefPicList0;
        slice->counts[list] = sv_h264_active_references(slice->frame, slice->params, list);
        for (int i = 0; i < slice->counts[list]; i++) {
            slice->lists[list][i] = find_reference(slice->frame, &entries[i], list, i);
            if (!slice->lists[list][i]) return false;
        }
    }
    return true;
}

/// A macroblock of the same slice, NULL elsewhere.
static const sv_h264_mb *neighbour(const sv_h264_slice *slice, int x, int y) {
    const sv_h264_frame *frame = slice->frame;
    if (x < 0 || y < 0 || x >= frame->width) return NULL;
    const sv_h264_mb *mb = &frame->mbs[y * frame->width + x];
    return mb->piece == slice->index ? mb : NULL;
}

static void move_to(sv_h264_slice *slice, int address) {
    slice->x = address % slice->frame->width;
    slice->y = address / slice->frame->width;
    slice->mb = &slice->frame->mbs[address];
    slice->left = neighbour(slice, slice->x - 1, slice->y);
    slice->top = neighbour(slice, slice->x, slice->y - 1);
    slice->top_left = neighbour(slice, slice->x - 1, slice->y - 1);
    slice->top_right = neighbour(slice, slice->x + 1, slice->y - 1);
    const sv_job *job = slice->frame->job;
    int delta = sv_region_delta(job->regions, job->region_count, slice->x * 16, slice->y * 16, 16);
    slice->target_qp = sv_clip(0, 51, slice->usual_qp + delta);
}

/// Gives the macroblock its QPY: the one aimed at if it carries mb_qp_delta, else that of its predecessor.
static void settle_qp(sv_h264_slice *slice) {
    sv_h264_mb *mb = slice->mb;
    slice->previous_delta = slice->delta;
    slice->delta = 0;
    if (mb->kind != H264_PCM && sv_h264_has_residual(mb)) {
        int delta = slice->target_qp - slice->qp;
        // QPs count in a circle of 52, so that -26...25 reaches every one, 7.4.5.
        slice->delta = delta > 25 ? delta - 52 : delta < -26 ? delta + 52 : delta;
        slice->qp = slice->target_qp;
    }
    mb->qp = slice->qp;
}

int sv_h264_encode_slice(sv_h264_frame *frame, int index, size_t most, sv_bits *bits) {
    const VAEncSliceParameterBufferH264 *params = sv_h264_params(frame, index);
    sv_h264_piece *piece = &frame->pieces[index];
    sv_h264_slice *slice = calloc(1, sizeof *slice);
    if (!slice) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    slice->frame = frame;
    slice->params = params;
    slice->index = index;
    slice->type = params->slice_type % 5;
    slice->bits = bits;
    slice->qp = frame->picture->pic_init_qp + params->slice_qp_delta;
    slice->usual_qp = frame->job->qp >= 0 ? frame->job->qp : slice->qp;
    bool uses_cabac = frame->picture->pic_fields.bits.entropy_coding_mode_flag;
    int status = find_references(slice) ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_ALLOCATION_FAILED;
    if (status == VA_STATUS_SUCCESS && uses_cabac) sv_h264_cabac_begin(slice);
    for (int address = piece->first; status == VA_STATUS_SUCCESS && address < piece->end; address++) {
        move_to(slice, address);
        sv_h264_decide(slice);
        settle_qp(slice);
        bool is_last = address + 1 == piece->end;
        if (uses_cabac) {
            sv_h264_cabac_write(slice, is_last);
        } else {
            sv_h264_cavlc_write(slice, is_last);
        }
        if (most > 0 && !is_last && bits->out->count > most) piece->end = address > piece->first ? address : address + 1;
    }
    free(slice);
    return status;
}
