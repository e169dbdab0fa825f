// SPDX-License-Identifier: MIT
#include "softva_context.h"

#include <stdlib.h>

#include "softva_check.h"
#include "softva_headers.h"
#include "softva_work.h"

VAStatus sv_create_context(sv_driver *driver, VAConfigID config_id, int width, int height, const VASurfaceID *targets,
                           int count, VAContextID *id) {
    VAStatus status = sv_strike(driver, SV_AT_CREATE_CONTEXT);
    if (status) return status;
    const sv_config *config = sv_object(driver, SV_CONFIG, config_id);
    if (!config) return VA_STATUS_ERROR_INVALID_CONFIG;
    const sv_personality *personality = driver->personality;
    if (width < personality->min_side || height < personality->min_side || width > personality->max_side ||
        height > personality->max_side) {
        return VA_STATUS_ERROR_RESOLUTION_NOT_SUPPORTED;
    }
    if (!sv_can_list(driver, SV_SURFACE, targets, count, "vaCreateContext")) return VA_STATUS_ERROR_INVALID_PARAMETER;
    for (int i = 0; i < count; i++) {
        if (!sv_object(driver, SV_SURFACE, targets[i])) return VA_STATUS_ERROR_INVALID_SURFACE;
    }
    sv_context *context = calloc(1, sizeof *context);
    if (!context) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    // The application may destroy the configuration first.
    context->config_copy = *config;
    context->config = &context->config_copy;
    context->width = width;
    context->height = height;
    context->segment_owner = VA_INVALID_ID;
    context->headers = sv_headers_new();
    context->rate.mode = config->rate_control;
    context->fast = driver->personality->quality_bits;
    for (size_t i = 0; i < sizeof context->kept / sizeof *context->kept; i++) context->kept[i].id = VA_INVALID_SURFACE;
    if (!context->headers || !sv_object_add(driver, SV_CONTEXT, context, &context->id)) {
        free(context->headers);
        free(context);
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    *id = context->id;
    return VA_STATUS_SUCCESS;
}

VAStatus sv_destroy_context(sv_driver *driver, VAContextID id) {
    sv_context *context = sv_object_remove(driver, SV_CONTEXT, id);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    if (context->building && !driver->lost) sv_misuse("vaDestroyContext", "a picture was begun and not ended");
    if (context->building) sv_work_free(context->building);
    if (context->segment_owner != VA_INVALID_ID && !driver->lost) {
        sv_misuse("vaDestroyContext", "a coded buffer is mapped, and its segment is the context's");
    }
    sv_wait(driver, context->serial, VA_TIMEOUT_INFINITE);
    free(context->headers);
    free(context);
    return VA_STATUS_SUCCESS;
}

VAStatus sv_begin_picture(sv_driver *driver, VAContextID context_id, VASurfaceID surface_id) {
    VAStatus status = sv_strike(driver, SV_AT_BEGIN);
    if (status) return status;
    sv_context *context = sv_object(driver, SV_CONTEXT, context_id);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    const sv_surface *surface = sv_object(driver, SV_SURFACE, surface_id);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    if (context->building) {
        sv_misuse("vaBeginPicture", "the picture before was not ended");
        sv_work_free(context->building);
        context->building = NULL;
    }
    if (!surface->written) sv_misuse("vaBeginPicture", "nothing was written to the input surface");
    if (surface->mapped) sv_misuse("vaBeginPicture", "a derived image of the input surface is still mapped");
    // Pictures in flight may read it, too.
    if (sv_in_flight(driver, surface->writing)) sv_misuse("vaBeginPicture", "the surface is in flight");
    context->building = sv_work_new(context);
    if (!context->building) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    context->building->input_id = surface_id;
    context->render_failed = false;
    return VA_STATUS_SUCCESS;
}

VAStatus sv_render_picture(sv_driver *driver, VAContextID context_id, const VABufferID *buffers, int count) {
    VAStatus status = sv_strike(driver, SV_AT_RENDER);
    if (status) return status;
    sv_context *context = sv_object(driver, SV_CONTEXT, context_id);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    if (!context->building) {
        sv_misuse("vaRenderPicture", "no picture was begun");
        return VA_STATUS_ERROR_OPERATION_FAILED;
    }
    if (!sv_can_list(driver, SV_BUFFER, buffers, count, "vaRenderPicture")) status = VA_STATUS_ERROR_INVALID_PARAMETER;
    for (int i = 0; i < count && !status; i++) {
        const sv_buffer *buffer = sv_object(driver, SV_BUFFER, buffers[i]);
        if (buffer && buffer->mapped) sv_misuse("vaRenderPicture", "the buffer is still mapped");
        status = buffer ? sv_work_take(driver, context->building, buffer) : VA_STATUS_ERROR_INVALID_BUFFER;
    }
    if (!status) return status;
    context->render_failed = true;
    return driver->personality->render_says_buffer ? VA_STATUS_ERROR_INVALID_BUFFER : status;
}

/// Forgets, as some drivers do, a surface that two pictures in a row do not list.
static void evict(sv_context *context, const sv_work *work) {
    for (size_t i = 0; i < sizeof context->kept / sizeof *context->kept; i++) {
        sv_kept *kept = &context->kept[i];
        if (kept->id == VA_INVALID_SURFACE) continue;
        bool listed = false;
        for (int r = 0; r < work->reference_count; r++) listed = listed || work->references[r].id == kept->id;
        kept->missing = listed ? 0 : kept->missing + 1;
        if (kept->missing >= 2) kept->id = VA_INVALID_SURFACE;
    }
}

static void keep(sv_context *context, VASurfaceID id) {
    sv_kept *place = &context->kept[0];
    for (size_t i = 0; i < sizeof context->kept / sizeof *context->kept; i++) {
        sv_kept *kept = &context->kept[i];
        if (kept->id == id || (kept->id == VA_INVALID_SURFACE && place->id != id)) place = kept;
    }
    *place = (sv_kept){id, 0};
}

/// Whether every listed reference is still kept.
static bool all_kept(const sv_context *context, const sv_work *work) {
    for (int r = 0; r < work->reference_count; r++) {
        bool found = false;
        for (size_t i = 0; i < sizeof context->kept / sizeof *context->kept; i++) {
            found = found || context->kept[i].id == work->references[r].id;
        }
        if (found) continue;
        sv_violation("picture.reference_frames", "surface %#x was evicted: two pictures in a row did not list it",
                     work->references[r].id);
        return false;
    }
    return true;
}

/// Checks the picture and hands it to the worker; on failure it is the caller's still.
static VAStatus submit(sv_driver *driver, sv_context *context, sv_work *work) {
    work->input = sv_object(driver, SV_SURFACE, work->input_id);
    if (!work->input) return VA_STATUS_ERROR_INVALID_SURFACE;
    if (!work->has_picture || work->slice_count == 0 || !context->has_sequence) {
        sv_violation("picture", "ended without %s parameters",
                     !work->has_picture ? "picture" : work->slice_count == 0 ? "slice" : "sequence");
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    VAStatus status = sv_check_picture(driver, work);
    if (status) return status;
    VASurfaceID reconstruction =
        work->codec == SV_HEVC ? work->picture.hevc.decoded_curr_pic.picture_id : work->picture.h264.CurrPic.picture_id;
    if (driver->personality->evicts) {
        if (!all_kept(context, work)) {
            work->reconstruction->reconstructed = false;
            return VA_STATUS_ERROR_INVALID_PARAMETER;
        }
        evict(context, work);
        keep(context, reconstruction);
    }
    work->rate = context->rate;
    work->fast = context->fast;
    work->serial = ++driver->submitted;
    context->serial = work->serial;
    work->input->use = work->reconstruction->use = work->coded->use = (sv_use){work->serial, context->id};
    work->reconstruction->writing = work->reconstruction->use;
    for (int i = 0; i < work->reference_count; i++) {
        if (work->references[i].surface) work->references[i].surface->use = work->input->use;
    }
    work->fault = sv_fault_at(SV_AT_CODE);
    if (sv_fault_at(SV_AT_CAPS).action == SV_LIE_CODE && !(context->rate.mode & context->config->caps->rate_control)) {
        work->fault = (sv_fault){SV_SIZE_ZERO, 0, 0};
        sv_fault_note_lie(SV_LIE_CODE);
    }
    sv_worker_submit(driver, work);
    return VA_STATUS_SUCCESS;
}

VAStatus sv_end_picture(sv_driver *driver, VAContextID context_id) {
    VAStatus status = sv_strike(driver, SV_AT_END);
    sv_context *context = sv_object(driver, SV_CONTEXT, context_id);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    bool poison = driver->struck == SV_POISON && !status;
    sv_work *work = context->building;
    context->building = NULL;
    if (!work) sv_misuse("vaEndPicture", "no picture was begun");
    if (context->render_failed) sv_misuse("vaEndPicture", "called although vaRenderPicture failed");
    context->render_failed = false;
    if (poison || context->poisoned) {
        context->poisoned = true;
        status = VA_STATUS_ERROR_ENCODING_ERROR;
    }
    if (!status) status = work ? submit(driver, context, work) : VA_STATUS_ERROR_OPERATION_FAILED;
    if (!status) return status;
    if (work) sv_work_free(work);
    if (!driver->personality->poisoned_by_failure) return status;
    context->poisoned = true;
    return VA_STATUS_ERROR_ENCODING_ERROR;
}
