// SPDX-License-Identifier: MIT
// The thread that encodes pictures, one after the other, while the application goes on.
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
        if (work->references[i].id == id) return work->references[i].picture;
    }
    return NULL;
}

static void note_violation(void *context, const char *field, const char *message) {
    (void)context;
    sv_violation(field, "%s", message);
}

static void pad_plane(uint8_t *to, size_t to_pitch, const uint8_t *from, size_t from_pitch, int width, int height,
                      int to_width, int to_height, size_t bytes) {
    for (int y = 0; y < to_height; y++) {
        const uint8_t *source = from + (size_t)(y < height ? y : height - 1) * from_pitch;
        uint8_t *row = to + (size_t)y * to_pitch;
        memcpy(row, source, (size_t)width * bytes);
        for (int x = width; x < to_width; x++) memcpy(row + (size_t)x * bytes, source + (size_t)(width - 1) * bytes, bytes);
    }
}

/// The input with its last column and row repeated up to the coded size, `*memory` what to free after use.
static sv_picture padded_input(const sv_work *work, uint8_t **memory) {
    const sv_picture *input = &work->input->picture;
    sv_picture picture = *input;
    *memory = NULL;
    if (!work->input->imported && input->width >= work->width && input->height >= work->height) return picture;
    size_t bytes = input->bit_depth > 8 ? 2 : 1;
    size_t pitch = ((size_t)work->width + SV_PLANE_ALIGNMENT) / SV_PLANE_ALIGNMENT * SV_PLANE_ALIGNMENT * bytes;
    size_t rows = ((size_t)work->height + SV_PLANE_ALIGNMENT) / SV_PLANE_ALIGNMENT * SV_PLANE_ALIGNMENT;
    *memory = calloc(1, pitch * (rows + rows / 2));
    if (!*memory) return picture;
    picture.luma = *memory;
    picture.chroma = *memory + pitch * rows;
    picture.luma_pitch = picture.chroma_pitch = pitch;
    int width = input->width < work->width ? input->width : work->width;
    int height = input->height < work->height ? input->height : work->height;
    pad_plane(picture.luma, pitch, input->luma, input->luma_pitch, width, height, work->width, work->height, bytes);
    pad_plane(picture.chroma, pitch, input->chroma, input->chroma_pitch, (width + 1) / 2, (height + 1) / 2,
              work->width / 2, work->height / 2, 2 * bytes);
    picture.width = work->width;
    picture.height = work->height;
    return picture;
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

static VAStatus encode(const sv_work *work, const sv_picture *input, int qp, sv_output *out) {
    sv_job job = {
        .sequence = &work->sequence,
        .picture = &work->picture,
        .slices = work->slices,
        .slice_count = work->slice_count,
        .surfaces = {find_reference, (void *)(uintptr_t)work},
        .input = input,
        .reconstruction = &work->reconstruction->picture,
        .qp = qp,
        .order_bits = work->order_bits,
        .violation = note_violation,
    };
    out->count = 0;
    out->overflow = false;
    int status = work->codec == SV_HEVC ? softva_hevc_encode(&job, out) : softva_h264_encode(&job, out);
    return (VAStatus)status;
}

/// Encodes with rate control; fills `coded`.
static void encode_controlled(sv_driver *driver, sv_work *work, const sv_picture *input, sv_coded *coded) {
    sv_rate_state *state = &work->context->rate_state;
    sv_output out = {work->coded->data, 0, work->coded->element_size, false};
    int qp = sv_rate_qp(&work->rate, state, work->type, (double)work->width * work->height);
    unsigned passes = 1;
    coded->error = encode(work, input, qp, &out);
    while (!coded->error && qp >= 0 && passes < MAX_PASSES && sv_rate_retry(&work->rate, state, out.count * 8, &qp)) {
        coded->error = encode(work, input, qp, &out);
        passes++;
    }
    if (coded->error) return;
    bool underflow = false;
    size_t filler = qp < 0 ? 0 : sv_rate_spent(&work->rate, state, work->type, qp, out.count * 8, &underflow);
    put_filler(work->codec, &out, filler);
    coded->count = out.count;
    coded->status = (qp < 0 ? 0xff : (uint32_t)qp) | passes << 24 | (underflow ? VA_CODED_BUF_STATUS_BITRATE_OVERFLOW : 0);
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
    if (work->fault.action == SV_DELAY) {
        struct timespec delay = {work->fault.milliseconds / 1000, work->fault.milliseconds % 1000 * 1000000L};
        nanosleep(&delay, NULL);
    }
    if (work->fault.action == SV_STATUS) {
        coded.error = work->fault.status;
    } else {
        uint8_t *memory;
        sv_picture input = padded_input(work, &memory);
        encode_controlled(driver, work, &input, &coded);
        free(memory);
    }
    if (!coded.error) sv_reconstruction_write(work);
    divide(driver, work, &coded);
    sv_report(SOFTVA_PICTURES, "picture", "coded");
    work->coded->coded = coded;
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
        // The objects that the picture uses are not freed before it is complete.
        pthread_mutex_unlock(&driver->lock);
        complete(driver, work);
        pthread_mutex_lock(&driver->lock);
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
