// SPDX-License-Identifier: MIT
#include "softva_check.h"

#include <string.h>

#include "softva_headers.h"
#include "softva_take_over.h"

static int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Whether a picture of the coded size fits the memory of the surface.
static bool holds(const sv_surface *surface, const sv_work *work) {
    return !surface->imported && work->width <= round_up(surface->picture.width, SV_PLANE_ALIGNMENT) &&
           work->height <= round_up(surface->picture.height, SV_PLANE_ALIGNMENT);
}

void sv_check_add_reference(sv_driver *driver, sv_work *work, VASurfaceID id) {
    if (sv_check_is_reference(work, id) || work->reference_count == SV_MAX_REFERENCES) return;
    sv_surface *surface = sv_object(driver, SV_SURFACE, id);
    bool usable = surface && surface->reconstructed && holds(surface, work);
    sv_reference *reference = &work->references[work->reference_count++];
    *reference = (sv_reference){id, usable ? surface : NULL, {0}};
    if (!usable) return;
    // All of the coded size was reconstructed, also what lies beyond the surface's own size.
    reference->picture = surface->picture;
    reference->picture.width = work->width;
    reference->picture.height = work->height;
}

bool sv_check_is_reference(const sv_work *work, VASurfaceID id) {
    for (int i = 0; i < work->reference_count; i++) {
        if (work->references[i].id == id) return true;
    }
    return false;
}

void sv_check_level(const sv_level *levels, unsigned idc, unsigned width, unsigned height, const char *field) {
    while (levels->idc != 0 && levels->idc != idc) levels++;
    if (!sv_require(levels->idc != 0, field, "%u is no level", idc)) return;
    // No side is longer than the root of eight times the largest picture.
    uint64_t longest = width > height ? width : height;
    sv_require((uint64_t)width * height <= levels->most && longest * longest <= 8ull * levels->most, field,
               "level %u does not allow %ux%u", idc, width, height);
}

void sv_check_rows(const sv_caps *caps, unsigned blocks, unsigned across, unsigned first, bool is_last,
                   const char *field) {
    const unsigned uneven = VA_ENC_SLICE_STRUCTURE_ARBITRARY_MACROBLOCKS | VA_ENC_SLICE_STRUCTURE_ARBITRARY_ROWS;
    sv_require(caps->slice_structure & uneven || (is_last ? blocks <= first : blocks == first), field,
               "%u, the first slice has %u", blocks, first);
    sv_require(blocks % across == 0 || (caps->slice_structure & VA_ENC_SLICE_STRUCTURE_ARBITRARY_MACROBLOCKS), field,
               "%u is not a number of whole rows of %u", blocks, across);
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

/// Checks the picture against those before it in its context.
static void check_order(const sv_work *work, const sv_checked *checked) {
    const sv_context *context = work->context;
    if (checked->idr || !sv_require(context->idr_count > 0, "picture.idr", "the context's first picture is no IDR picture")) {
        return;
    }
    sv_require(work->width == context->coded_width && work->height == context->coded_height, "seq.picture_size",
               "%dx%d behind %dx%d without an IDR picture", work->width, work->height, context->coded_width,
               context->coded_height);
    sv_require(work->codec == SV_HEVC || checked->frame_num == ((context->reference_frame_num + 1) & checked->frame_num_mask),
               "picture.frame_num", "%u, the last reference picture's is %u", checked->frame_num,
               context->reference_frame_num);
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
    if (work->input->mapped) sv_misuse("vaEndPicture", "a derived image of the input surface is still mapped");
    if (work->coded->mapped) sv_misuse("vaEndPicture", "the coded buffer is mapped");
    if (sv_in_flight(driver, work->coded->use)) sv_misuse("vaEndPicture", "the coded buffer is in flight");
    for (int i = 0; i < work->reference_count; i++) {
        sv_reference *reference = &work->references[i];
        bool known = sv_require(reference->surface != NULL, "picture.reference_frames",
                                "nothing was encoded to surface %#x", reference->id);
        if (known && reference->surface->mapped) sv_misuse("vaEndPicture", "a derived image of a reference is mapped");
        known = known && sv_require(reference->picture.bit_depth == checked.bit_depth, "picture.reference_frames",
                                    "surface %#x has %d bits, the sequence %d", reference->id,
                                    reference->picture.bit_depth, checked.bit_depth);
        if (!known) reference->surface = NULL;
        if (!known && driver->personality->strict) return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    sv_require(work->unit_count == work->units_taken, "packed", "a packed header behind the last slice is left out");
    sv_require(work->slice_header.data == NULL, "packed", "a packed slice header without a slice");
    sv_require(!work->has_packed_type, "packed", "parameters of a packed header without its data");

    check_order(work, &checked);
    if (checked.idr) context->idr_count++;
    if (checked.reference) context->reference_frame_num = checked.frame_num;
    context->coded_width = work->width;
    context->coded_height = work->height;
    work->idr = context->idr_count;
    work->type = checked.intra ? SV_INTRA : checked.reference ? SV_INTER : SV_UNREFERENCED;
    bool writes_headers = driver->personality->writes_headers;
    // What the application says is checked as it says it.
    if (!writes_headers || work->unit_count > 0) sv_headers_check(work, writes_headers);
    if (writes_headers) {
        if (!sv_take_over(work, checked.idr)) return VA_STATUS_ERROR_ALLOCATION_FAILED;
        sv_headers_check(work, false);
    }
    sv_surface *surface = work->reconstruction;
    surface->reconstructed = surface->written = true;
    surface->poc = work->poc;
    surface->frame_num = checked.frame_num;
    surface->used_for_reference = checked.reference;
    return VA_STATUS_SUCCESS;
}
