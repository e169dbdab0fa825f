// SPDX-License-Identifier: MIT
#include "softva_check.h"

#include <string.h>

#include "softva_headers.h"
#include "softva_picture_set.h"

static int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Whether a picture of the coded size fits the memory of the surface.
static bool holds(const sv_surface *surface, const sv_work *work) {
    return !surface->imported && work->width <= round_up(surface->picture.width, SV_PLANE_ALIGNMENT) &&
           work->height <= round_up(surface->picture.height, SV_PLANE_ALIGNMENT);
}

void sv_check_add_reference(sv_driver *driver, sv_work *work, VASurfaceID id) {
    if (sv_check_is_reference(work, id) || work->reference_count == SV_MAX_REFERENCES) return;
    const sv_surface *surface = sv_object(driver, SV_SURFACE, id);
    bool usable = surface && surface->reconstructed && holds(surface, work);
    int n = work->reference_count++;
    work->references[n].id = id;
    work->references[n].picture = usable ? &surface->picture : NULL;
}

bool sv_check_is_reference(const sv_work *work, VASurfaceID id) {
    for (int i = 0; i < work->reference_count; i++) {
        if (work->references[i].id == id) return true;
    }
    return false;
}

/// Finds the surface that the picture is reconstructed in.
static bool find_reconstruction(sv_driver *driver, sv_work *work, const sv_checked *checked) {
    work->reconstruction = sv_object(driver, SV_SURFACE, checked->reconstruction);
    if (!sv_require(work->reconstruction != NULL, "picture.reconstruction", "no such surface %#x",
                    checked->reconstruction)) {
        return false;
    }
    const sv_surface *surface = work->reconstruction;
    bool good = sv_require(surface != work->input, "picture.reconstruction", "is the input surface too");
    good &= sv_require(holds(surface, work), "picture.reconstruction", "%dx%d is too small or imported",
                       surface->picture.width, surface->picture.height);
    good &= sv_require(surface->picture.bit_depth == checked->bit_depth, "picture.reconstruction", "%d bits, not %d",
                       surface->picture.bit_depth, checked->bit_depth);
    good &= sv_require(!sv_check_is_reference(work, checked->reconstruction), "picture.reconstruction",
                       "is one of the picture's own references");
    good &= sv_require(surface->mapped == 0, "picture.reconstruction", "a derived image of it is mapped");
    return good;
}

VAStatus sv_check_picture(sv_driver *driver, sv_work *work) {
    sv_context *context = work->context;
    memcpy(&work->sequence, &context->sequence, sizeof work->sequence);
    sv_checked checked = {.bit_depth = 8};
    bool good = work->codec == SV_HEVC ? sv_check_hevc(driver, work, &checked) : sv_check_h264(driver, work, &checked);
    if (!good) return VA_STATUS_ERROR_INVALID_PARAMETER;
    if (!find_reconstruction(driver, work, &checked)) return VA_STATUS_ERROR_INVALID_PARAMETER;
    if (!sv_require(work->input->picture.bit_depth == checked.bit_depth, "input", "%d bits, the sequence %d",
                    work->input->picture.bit_depth, checked.bit_depth)) {
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    sv_require(work->width <= round_up(context->width, SV_PLANE_ALIGNMENT) &&
                   work->height <= round_up(context->height, SV_PLANE_ALIGNMENT),
               "seq.picture_size", "%dx%d is more than the context's %dx%d", work->width, work->height, context->width,
               context->height);
    work->coded = sv_object(driver, SV_BUFFER, checked.coded);
    bool coded = work->coded && work->coded->type == VAEncCodedBufferType && work->coded->context == context->id;
    if (!sv_require(coded, "picture.coded_buf", "%#x is no coded buffer of the context", checked.coded)) {
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    if (work->coded->mapped) sv_misuse("vaEndPicture", "the coded buffer is mapped");
    if (sv_in_flight(driver, work->coded->serial)) sv_misuse("vaEndPicture", "the coded buffer is in flight");
    for (int i = 0; i < work->reference_count; i++) {
        const sv_surface *surface = sv_object(driver, SV_SURFACE, work->references[i].id);
        if (surface && surface->mapped) sv_misuse("vaEndPicture", "a derived image of a reference is mapped");
        bool known = sv_require(work->references[i].picture != NULL, "picture.reference_frames",
                                "nothing was encoded to surface %#x", work->references[i].id);
        if (!known && driver->personality->strict) return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    sv_require(work->unit_count == work->units_taken, "packed", "a packed header behind the last slice is left out");
    sv_require(work->slice_header.data == NULL, "packed", "a packed slice header without a slice");
    sv_require(!work->has_packed_type, "packed", "parameters of a packed header without its data");

    if (checked.idr) context->idr_count++;
    work->idr = context->idr_count;
    work->type = checked.intra ? SV_INTRA : checked.reference ? SV_INTER : SV_UNREFERENCED;
    sv_headers_check(driver, work);
    bool wants_set = driver->personality->writes_picture_set && work->has_sequence && !sv_headers_have_picture_set(work);
    if (wants_set && !sv_add_picture_set(work)) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    sv_surface *surface = work->reconstruction;
    surface->reconstructed = surface->written = true;
    surface->poc = work->poc;
    surface->frame_num = checked.frame_num;
    surface->used_for_reference = checked.reference;
    return VA_STATUS_SUCCESS;
}
