// SPDX-License-Identifier: MIT
// The thread that encodes pictures, one after the other, while the application goes on.
#include <stdlib.h>
#include <string.h>

#include "softva_bits.h"
#include "softva_context.h"
#include "softva_reconstruction.h"
#include "softva_work.h"

#define MAX_PASSES 3

// A codec that is not linked in is not advertised.
#pragma weak softva_h264_encode
#pragma weak softva_hevc_encode

bool sv_codec_is_linked(sv_codec codec) {
    return codec == SV_HEVC ? softva_hevc_encode != NULL : softva_h264_encode != NULL;
}

static const sv_picture *find_reference(void *context, VASurfaceID id) {
    const sv_work *work = context;
    for (int i = 0; i < work->reference_count; i++) {
        if (work->references[i].id == id) return work->references[i].surface ? &work->references[i].picture : NULL;
    }
    return NULL;
}

static const sv_motion *find_motion(void *context, VASurfaceID id) {
    const sv_work *work = context;
    for (int i = 0; i < work->reference_count; i++) {
        if (work->references[i].id == id) return work->references[i].surface ? work->references[i].surface->motion : NULL;
    }
    return NULL;
}

/// Room for the motion of any picture that the surface holds.
static sv_motion *motion_of(sv_surface *surface) {
    size_t across = ((size_t)surface->picture.width + SV_PLANE_ALIGNMENT - 1) / SV_PLANE_ALIGNMENT;
    size_t down = ((size_t)surface->picture.height + SV_PLANE_ALIGNMENT - 1) / SV_PLANE_ALIGNMENT;
    size_t count = across * down * (SV_PLANE_ALIGNMENT / 16) * (SV_PLANE_ALIGNMENT / 16);
    if (!surface->motion) surface->motion = calloc(count, sizeof *surface->motion);
    return surface->motion;
}

static void note_violation(void *context, const char *field, const char *message) {
    (void)context;
    sv_violation(field, "%s", message);
}

/// Appends a filler data NAL unit of about so many bits, or as much of it as the buffer takes.
static void put_filler(sv_codec codec, sv_output *out, size_t bits) {
    size_t header = 4 + (codec == SV_HEVC ? 2 : 1) + 1;
    if (bits / 8 < header) return;
    sv_bits writer;
    sv_bits_begin(&writer, out);
    sv_bits_start_code(&writer);
    if (codec == SV_HEVC) {
        sv_bits_u(&writer, 16, 38 << 9 | 1);
    } else {
        sv_bits_u(&writer, 8, 12);
    }
    for (size_t i = header; i < bits / 8 && !out->overflow; i++) sv_bits_u(&writer, 8, 0xff);
    sv_bits_trailing(&writer);
}

static VAStatus encode(const sv_work *work, int qp, sv_output *out) {
    sv_job job = {
        .sequence = &work->sequence,
        .picture = &work->picture,
        .slices = work->slices,
        .slice_count = work->slice_count,
        .surfaces = {find_reference, find_motion, (void *)(uintptr_t)work},
        .input = &work->input->picture,
        .reconstruction = &work->reconstruction->picture,
        .motion = work->codec == SV_HEVC ? motion_of(work->reconstruction) : NULL,
        .qp = qp,
        .regions = work->regions,
        .region_count = work->region_count,
        .max_slice_bytes = work->max_slice_bytes,
        .fast = work->fast,
        .order_bits = work->order_bits,
        .violation = note_violation,
    };
    out->count = 0;
    out->overflow = out->large_slice = false;
    int status = work->codec == SV_HEVC ? softva_hevc_encode(&job, out) : softva_h264_encode(&job, out);
    return (VAStatus)status;
}

/// Encodes with rate control; fills `coded`.
static void encode_controlled(sv_driver *driver, sv_work *work, sv_coded *coded) {
    sv_rate_state *state = &work->context->rate_state;
    sv_output out = {.bytes = work->coded->data, .capacity = work->coded->element_size};
    int qp = sv_rate_qp(&work->rate, state, work->type, (double)work->width * work->height);
    unsigned passes = 1;
    coded->error = encode(work, qp, &out);
    while (!coded->error && qp >= 0 && passes < MAX_PASSES && sv_rate_retry(&work->rate, state, out.count * 8, &qp)) {
        coded->error = encode(work, qp, &out);
        passes++;
    }
    if (coded->error) return;
    bool underflow = false;
    size_t filler = qp < 0 ? 0 : sv_rate_spent(&work->rate, state, work->type, qp, out.count * 8, &underflow);
    put_filler(work->codec, &out, filler);
    coded->count = out.count;
    coded->status = (qp < 0 ? 0xff : (uint32_t)qp) | passes << 24 | (underflow ? VA_CODED_BUF_STATUS_BITRATE_OVERFLOW : 0);
    if (driver->personality->tells_no_quantizer) coded->status = 0;
    if (out.large_slice) coded->status |= VA_CODED_BUF_STATUS_SLICE_OVERFLOW_MASK;
    if (!out.overflow && work->fault.action != SV_OVERFLOW) return;
    coded->status |= VA_CODED_BUF_STATUS_SLICE_OVERFLOW_MASK;
    if (!driver->personality->flags_overflow) coded->error = VA_STATUS_ERROR_NOT_ENOUGH_BUFFER;
}

/// Divides the coded bytes into segments, and does what the picture's fault says.
static void divide(sv_driver *driver, sv_work *work, sv_coded *coded) {
    if (work->fault.action == SV_SIZE_ZERO) {
        coded->count = 0;
        coded->status = VA_CODED_BUF_STATUS_BAD_BITSTREAM;
    }
    coded->segment_count = 1;
    coded->ends[0] = coded->count;
    if (work->fault.action == SV_SPLIT) {
        coded->segment_count = 3;
        coded->ends[0] = coded->ends[1] = coded->count / 2;
        coded->ends[2] = coded->count;
    } else if (driver->personality->split_segments && coded->count > 1) {
        coded->segment_count = 2;
        coded->ends[0] = coded->count / 2;
        coded->ends[1] = coded->count;
    }
    uint32_t own = coded->status;
    if (work->fault.action == SV_REORDER) coded->status = work->context->last_status;
    work->context->last_status = own;
}

static void complete(sv_driver *driver, sv_work *work) {
    sv_coded coded = {0};
    if (work->fault.milliseconds > 0) sv_sleep(work->fault.milliseconds);
    if (work->fault.action == SV_STATUS) {
        coded.error = work->fault.status;
    } else {
        encode_controlled(driver, work, &coded);
    }
    divide(driver, work, &coded);
    if (!coded.error && coded.count > 0) sv_reconstruction_write(work);
    sv_report(SOFTVA_PICTURES, "picture", "coded");
    work->coded->coded = coded;
}

/// Takes back what could not be known when the picture was taken: that a reference would not be encoded.
static void forget_failed(sv_work *work) {
    for (int i = 0; i < work->reference_count; i++) {
        sv_reference *reference = &work->references[i];
        if (!reference->surface || reference->surface->reconstructed) continue;
        sv_violation("picture.reference_frames", "the encoding of surface %#x failed", reference->id);
        reference->surface = NULL;
    }
}

static void *run(void *argument) {
    sv_driver *driver = argument;
    pthread_mutex_lock(&driver->lock);
    for (;;) {
        while (!driver->first && !driver->stopping) pthread_cond_wait(&driver->more, &driver->lock);
        sv_work *work = driver->first;
        if (!work) break;
        driver->first = work->next;
        if (!driver->first) driver->last = NULL;
        forget_failed(work);
        // The objects that the picture uses are not freed before it is complete.
        pthread_mutex_unlock(&driver->lock);
        complete(driver, work);
        pthread_mutex_lock(&driver->lock);
        work->reconstruction->reconstructed = !work->coded->coded.error;
        driver->completed = work->serial;
        pthread_cond_broadcast(&driver->done);
        sv_work_free(work);
    }
    pthread_mutex_unlock(&driver->lock);
    return NULL;
}

void sv_worker_submit(sv_driver *driver, sv_work *work) {
    if (driver->last) {
        driver->last->next = work;
    } else {
        driver->first = work;
    }
    driver->last = work;
    pthread_cond_signal(&driver->more);
}

bool sv_worker_start(sv_driver *driver) { return pthread_create(&driver->worker, NULL, run, driver) == 0; }

void sv_worker_stop(sv_driver *driver) {
    pthread_mutex_lock(&driver->lock);
    driver->stopping = true;
    pthread_cond_signal(&driver->more);
    pthread_mutex_unlock(&driver->lock);
    pthread_join(driver->worker, NULL);
}
