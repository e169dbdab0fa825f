// SPDX-License-Identifier: MIT
#include "softva_work.h"

#include <stdlib.h>
#include <string.h>

#include "softva_bits.h"

sv_work *sv_work_new(sv_context *context) {
    sv_work *work = calloc(1, sizeof *work);
    if (!work) return NULL;
    work->context = context;
    work->codec = context->config->codec;
    return work;
}

/// Makes room for one more slice; false without memory.
static bool reserve_slice(sv_work *work) {
    if (work->slice_count < work->slice_capacity) return true;
    int capacity = work->slice_capacity ? 2 * work->slice_capacity : 8;
    sv_slice_params *params = realloc(work->params, (size_t)capacity * sizeof *params);
    if (params) work->params = params;
    sv_slice *slices = realloc(work->slices, (size_t)capacity * sizeof *slices);
    if (slices) work->slices = slices;
    for (int i = 0; i < work->slice_count; i++) work->slices[i].params = &work->params[i];
    if (!params || !slices) return false;
    work->slice_capacity = capacity;
    return true;
}

/// Makes room for one more unit; false without memory.
static bool reserve_unit(sv_work *work) {
    if (work->unit_count < work->unit_capacity) return true;
    int capacity = work->unit_capacity ? 2 * work->unit_capacity : 8;
    sv_packed *units = malloc((size_t)capacity * sizeof *units);
    if (!units) return false;
    if (work->unit_count > 0) memcpy(units, work->units, (size_t)work->unit_count * sizeof *units);
    for (int i = 0; i < work->slice_count; i++) {
        sv_slice *slice = &work->slices[i];
        slice->before = units + (work->units ? slice->before - work->units : 0);
    }
    free(work->units);
    work->units = units;
    work->unit_capacity = capacity;
    return true;
}

void sv_work_free(sv_work *work) {
    for (int i = 0; i < work->unit_count; i++) free((void *)(uintptr_t)work->units[i].data);
    for (int i = 0; i < work->slice_count; i++) free((void *)(uintptr_t)work->slices[i].header.data);
    free((void *)(uintptr_t)work->slice_header.data);
    free(work->units);
    free(work->slices);
    free(work->params);
    free(work);
}

bool sv_work_add_unit(sv_work *work, uint8_t *data, size_t count, uint32_t type) {
    if (work->unit_count == SV_MAX_UNITS || !reserve_unit(work)) {
        free(data);
        return false;
    }
    int place = work->slice_count > 0 ? work->slices[0].before_count++ : work->unit_count;
    memmove(work->units + place + 1, work->units + place, (size_t)(work->unit_count - place) * sizeof *work->units);
    work->units[place] = (sv_packed){data, count * 8, true, type};
    work->unit_count++;
    for (int i = 1; i < work->slice_count; i++) work->slices[i].before++;
    return true;
}

void sv_work_drop_units(sv_work *work) {
    for (int i = 0; i < work->unit_count; i++) free((void *)(uintptr_t)work->units[i].data);
    work->unit_count = work->units_taken = 0;
    for (int i = 0; i < work->slice_count; i++) {
        work->slices[i].before = work->units;
        work->slices[i].before_count = 0;
    }
}

static VAStatus take_slices(sv_work *work, const sv_buffer *buffer) {
    size_t size = work->codec == SV_HEVC ? sizeof work->params->hevc : sizeof work->params->h264;
    for (unsigned i = 0; i < buffer->elements; i++) {
        if (work->slice_count == SV_MAX_SLICES) return VA_STATUS_ERROR_MAX_NUM_EXCEEDED;
        if (!reserve_slice(work)) return VA_STATUS_ERROR_ALLOCATION_FAILED;
        int n = work->slice_count++;
        memcpy(&work->params[n], buffer->data + (size_t)i * buffer->element_size, size);
        const sv_packed *before = work->units ? work->units + work->units_taken : NULL;
        int before_count = work->unit_count - work->units_taken;
        work->slices[n] = (sv_slice){&work->params[n], before, before_count, work->slice_header};
        work->units_taken = work->unit_count;
        work->slice_header = (sv_packed){0};
    }
    return VA_STATUS_SUCCESS;
}

/// The bit of VAConfigAttribEncPackedHeaders that allows a packed header of this type.
static uint32_t packed_bit(uint32_t type) {
    switch (type) {
        case VAEncPackedHeaderSequence: return VA_ENC_PACKED_HEADER_SEQUENCE;
        case VAEncPackedHeaderPicture: return VA_ENC_PACKED_HEADER_PICTURE;
        case VAEncPackedHeaderSlice: return VA_ENC_PACKED_HEADER_SLICE;
        case VAEncPackedHeaderRawData: return VA_ENC_PACKED_HEADER_RAW_DATA | VA_ENC_PACKED_HEADER_MISC;
        default: return 0;
    }
}

static VAStatus take_packed(const sv_driver *driver, sv_work *work, const sv_buffer *buffer) {
    const VAEncPackedHeaderParameterBuffer *type = &work->packed_type;
    if (!work->has_packed_type) {
        sv_violation("packed.type", "packed data without the parameters that say what it is");
        return VA_STATUS_ERROR_INVALID_BUFFER;
    }
    work->has_packed_type = false;
    if (!(packed_bit(type->type) & work->context->config->packed_headers)) {
        sv_violation("packed.type", "type %u is not among the configuration's packed headers", type->type);
        return driver->personality->writes_headers ? VA_STATUS_ERROR_UNIMPLEMENTED : VA_STATUS_SUCCESS;
    }
    size_t bytes = ((size_t)type->bit_length + 7) / 8;
    if (bytes == 0 || bytes > buffer->element_size) {
        sv_violation("packed.bit_length", "%u bits, and the data has %u bytes", type->bit_length, buffer->element_size);
        return VA_STATUS_ERROR_INVALID_BUFFER;
    }
    if (bytes < buffer->element_size) {
        sv_violation("packed.bit_length", "%u bits of %u bytes leave bytes out", type->bit_length, buffer->element_size);
    }
    if (sv_start_code_length(buffer->data, bytes) == 0) {
        sv_violation("packed.data", "no start code");
        if (!type->has_emulation_bytes) return VA_STATUS_ERROR_INVALID_BUFFER;
    }
    uint8_t *copy = malloc(bytes);
    if (!copy) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    memcpy(copy, buffer->data, bytes);
    sv_packed packed = {copy, type->bit_length, type->has_emulation_bytes != 0, type->type};
    // Intel's driver counts headers and slices apart; GStreamer's slices come first.
    sv_slice *last = work->slice_count > 0 ? &work->slices[work->slice_count - 1] : NULL;
    if (type->type == VAEncPackedHeaderSlice && last && !last->header.data) {
        sv_violation("packed.type", "a slice header behind its slice");
        last->header = packed;
        return VA_STATUS_SUCCESS;
    }
    if (type->type == VAEncPackedHeaderSlice) {
        if (work->slice_header.data) sv_violation("packed.type", "two slice headers before one slice");
        free((void *)(uintptr_t)work->slice_header.data);
        work->slice_header = packed;
        return VA_STATUS_SUCCESS;
    }
    if (work->unit_count == SV_MAX_UNITS || !reserve_unit(work)) {
        free(copy);
        return VA_STATUS_ERROR_MAX_NUM_EXCEEDED;
    }
    work->units[work->unit_count++] = packed;
    return VA_STATUS_SUCCESS;
}

static void take_rate(sv_context *context, const VAEncMiscParameterRateControl *rate) {
    sv_rate_settings *settings = &context->rate;
    settings->bits_per_second = rate->bits_per_second;
    settings->target_percentage = rate->target_percentage;
    settings->initial_qp = rate->initial_qp;
    settings->min_qp = rate->min_qp;
    settings->max_qp = rate->max_qp;
    settings->quality = context->config->rate_control & VA_RC_ICQ ? rate->ICQ_quality_factor : rate->quality_factor;
    settings->no_stuffing = rate->rc_flags.bits.disable_bit_stuffing;
    if (rate->target_percentage > 100) sv_violation("rate.target_percentage", "%u is over 100", rate->target_percentage);
    if (rate->min_qp > 51) sv_violation("rate.min_qp", "%u is over 51", rate->min_qp);
    if (rate->max_qp > 51) sv_violation("rate.max_qp", "%u is over 51", rate->max_qp);
    if (rate->initial_qp > 51) sv_violation("rate.initial_qp", "%u is over 51", rate->initial_qp);
}

static VAStatus take_regions(sv_driver *driver, sv_work *work, const VAEncMiscParameterBufferROI *regions) {
    unsigned most = work->context->config->caps->roi;
    if (!most || most >> 31) {
        sv_violation("misc.type", "regions of interest are not offered");
        return driver->personality->leaves_unknown ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_BUFFER;
    }
    most &= 0xff;
    if (most > SV_MAX_REGIONS) most = SV_MAX_REGIONS;
    // Differences of QP are all that is offered.
    bool is_delta = regions->roi_flags.bits.roi_value_is_qp_delta;
    if (driver->personality->refuses_flags && ((regions->num_roi > 0 && !is_delta) || regions->num_roi > most)) {
        return VA_STATUS_ERROR_FLAG_NOT_SUPPORTED;
    }
    if (!is_delta && !driver->personality->refuses_flags) return VA_STATUS_ERROR_INVALID_BUFFER;
    sv_require(regions->num_roi <= most, "roi.num_roi", "%u, %u are offered", regions->num_roi, most);
    if (regions->num_roi > 0 && !regions->roi) return VA_STATUS_ERROR_INVALID_BUFFER;
    work->region_count = 0;
    for (unsigned i = 0; i < regions->num_roi && i < most; i++) {
        const VAEncROI *region = &regions->roi[i];
        const VARectangle *place = &region->roi_rectangle;
        bool is_inside = place->x >= 0 && place->y >= 0 && place->x + place->width <= work->context->width &&
                         place->y + place->height <= work->context->height;
        sv_require(is_inside && place->width > 0 && place->height > 0, "roi.roi_rectangle", "%ux%u at %d, %d",
                   place->width, place->height, place->x, place->y);
        sv_require(region->roi_value >= regions->min_delta_qp && region->roi_value <= regions->max_delta_qp,
                   "roi.roi_value", "%d is not within %d...%d", region->roi_value, regions->min_delta_qp,
                   regions->max_delta_qp);
        int delta = region->roi_value;
        // Mesa keeps them within their bounds.
        if (driver->personality->refuses_flags && delta > regions->max_delta_qp) delta = regions->max_delta_qp;
        if (driver->personality->refuses_flags && delta < regions->min_delta_qp) delta = regions->min_delta_qp;
        work->regions[work->region_count++] = (sv_region){place->x, place->y, place->width, place->height, delta};
    }
    return VA_STATUS_SUCCESS;
}

/// Bytes, as Intel's driver and its clients have them, not bits, as va.h says.
static VAStatus take_slice_size(sv_driver *driver, sv_work *work, uint32_t bytes) {
    const sv_caps *caps = work->context->config->caps;
    if (!(caps->slice_structure & VA_ENC_SLICE_STRUCTURE_MAX_SLICE_SIZE)) {
        sv_violation("misc.type", "a largest slice size is not offered");
        return driver->personality->leaves_unknown ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_BUFFER;
    }
    if (!sv_require(work->codec == SV_H264, "max_slice_size", "slices of HEVC are not divided")) {
        return VA_STATUS_ERROR_INVALID_BUFFER;
    }
    // Intel's driver keeps 16 bits where it keeps a bit rate, and subtracts 150.
    sv_require(bytes > 150 && bytes <= UINT16_MAX, "max_slice_size", "%u bytes, expected 151...65535", bytes);
    sv_require(work->has_picture, "max_slice_size", "comes before the picture's parameters, with which it is kept");
    work->max_slice_bytes = bytes;
    return VA_STATUS_SUCCESS;
}

static VAStatus take_misc(sv_driver *driver, sv_work *work, const sv_buffer *buffer) {
    sv_context *context = work->context;
    VAEncMiscParameterType type;
    memcpy(&type, buffer->data, sizeof type);
    union {
        VAEncMiscParameterRateControl rate;
        VAEncMiscParameterFrameRate frames;
        VAEncMiscParameterHRD hrd;
        VAEncMiscParameterBufferMaxFrameSize largest;
        VAEncMiscParameterBufferQualityLevel quality;
        VAEncMiscParameterBufferROI regions;
        VAEncMiscParameterMaxSliceSize slice;
    } misc;
    memset(&misc, 0, sizeof misc);
    const size_t header = offsetof(VAEncMiscParameterBuffer, data);
    size_t size = buffer->element_size - header;
    memcpy(&misc, buffer->data + header, size < sizeof misc ? size : sizeof misc);
    switch (type) {
        case VAEncMiscParameterTypeRateControl: take_rate(context, &misc.rate); break;
        case VAEncMiscParameterTypeFrameRate:
            context->rate.rate_numerator = misc.frames.framerate & 0xffff;
            context->rate.rate_denominator = misc.frames.framerate >> 16;
            if (context->rate.rate_numerator == 0) sv_violation("framerate", "zero frames a second");
            break;
        case VAEncMiscParameterTypeHRD:
            context->rate.buffer_size = misc.hrd.buffer_size;
            context->rate.initial_fullness = misc.hrd.initial_buffer_fullness;
            if (misc.hrd.initial_buffer_fullness > misc.hrd.buffer_size) {
                sv_violation("hrd.initial_buffer_fullness", "more than the buffer holds");
            }
            if (driver->personality->wants_hrd && misc.hrd.buffer_size == 0) return VA_STATUS_ERROR_INVALID_PARAMETER;
            break;
        case VAEncMiscParameterTypeMaxFrameSize:
            if (!sv_require(driver->personality->limits_frames, "misc.type", "a largest frame size is not offered")) {
                return VA_STATUS_ERROR_INVALID_BUFFER;
            }
            context->rate.max_frame_size = misc.largest.max_frame_size;
            break;
        case VAEncMiscParameterTypeQualityLevel:
            if (misc.quality.quality_level > context->config->caps->quality) {
                sv_violation("quality_level", "%u is over %u", misc.quality.quality_level,
                             context->config->caps->quality);
            }
            context->fast = driver->personality->quality_bits
                                ? !(misc.quality.quality_level & 6)
                                : misc.quality.quality_level > context->config->caps->quality / 2 + 1;
            break;
        case VAEncMiscParameterTypeROI: return take_regions(driver, work, &misc.regions);
        case VAEncMiscParameterTypeMaxSliceSize: return take_slice_size(driver, work, misc.slice.max_slice_size);
        default:
            sv_violation("misc.type", "%d is not supported", (int)type);
            return driver->personality->leaves_unknown ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_BUFFER;
    }
    return VA_STATUS_SUCCESS;
}

VAStatus sv_work_take(sv_driver *driver, sv_work *work, const sv_buffer *buffer) {
    sv_context *context = work->context;
    bool hevc = work->codec == SV_HEVC;
    if (!sv_require(buffer->context == context->id, "buffer.context", "a buffer of type %d that is not of this context",
                    (int)buffer->type)) {
        return VA_STATUS_ERROR_INVALID_BUFFER;
    }
    switch (buffer->type) {
        case VAEncSequenceParameterBufferType:
            memcpy(&context->sequence, buffer->data,
                   hevc ? sizeof context->sequence.hevc : sizeof context->sequence.h264);
            context->has_sequence = work->has_sequence = true;
            return VA_STATUS_SUCCESS;
        case VAEncPictureParameterBufferType:
            memcpy(&work->picture, buffer->data, hevc ? sizeof work->picture.hevc : sizeof work->picture.h264);
            work->has_picture = true;
            return VA_STATUS_SUCCESS;
        case VAEncSliceParameterBufferType: return take_slices(work, buffer);
        case VAEncPackedHeaderParameterBufferType:
            if (work->has_packed_type) sv_violation("packed.type", "parameters without packed data");
            memcpy(&work->packed_type, buffer->data, sizeof work->packed_type);
            work->has_packed_type = true;
            return VA_STATUS_SUCCESS;
        case VAEncPackedHeaderDataBufferType: return take_packed(driver, work, buffer);
        case VAEncMiscParameterBufferType: return take_misc(driver, work, buffer);
        default:
            sv_violation("buffer.type", "%d is not rendered", (int)buffer->type);
            return VA_STATUS_ERROR_INVALID_BUFFER;
    }
}
