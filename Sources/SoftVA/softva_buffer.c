// SPDX-License-Identifier: MIT
#include "softva_buffer.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CODED (64u << 20)
#define MAX_PARAMETERS (1u << 20)

/// The size of the structure that a buffer of this type holds; 0: any size; -1: no such buffer is taken.
static long structure_size(VABufferType type, sv_codec codec) {
    bool hevc = codec == SV_HEVC;
    switch (type) {
        case VAEncSequenceParameterBufferType:
            return hevc ? sizeof(VAEncSequenceParameterBufferHEVC) : sizeof(VAEncSequenceParameterBufferH264);
        case VAEncPictureParameterBufferType:
            return hevc ? sizeof(VAEncPictureParameterBufferHEVC) : sizeof(VAEncPictureParameterBufferH264);
        case VAEncSliceParameterBufferType:
            return hevc ? sizeof(VAEncSliceParameterBufferHEVC) : sizeof(VAEncSliceParameterBufferH264);
        case VAEncPackedHeaderParameterBufferType: return sizeof(VAEncPackedHeaderParameterBuffer);
        case VAEncPackedHeaderDataBufferType:
        case VAEncMiscParameterBufferType:
        case VAEncCodedBufferType: return 0;
        default: return -1;
    }
}

static void free_buffer(sv_buffer *buffer) {
    if (buffer->derived == VA_INVALID_SURFACE) free(buffer->data);
    free(buffer);
}

VAStatus sv_create_buffer(sv_driver *driver, VAContextID context_id, VABufferType type, unsigned size,
                          unsigned elements, const void *data, VABufferID *id) {
    VAStatus status = sv_strike(driver, SV_AT_CREATE_BUFFER);
    if (status) return status;
    const sv_context *context = sv_object(driver, SV_CONTEXT, context_id);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    long expected = structure_size(type, context->config->codec);
    if (expected < 0) return VA_STATUS_ERROR_UNSUPPORTED_BUFFERTYPE;
    bool coded = type == VAEncCodedBufferType;
    bool several = type == VAEncSliceParameterBufferType;
    if (size == 0 || elements == 0 || size < (unsigned long)expected || size > (coded ? MAX_CODED : MAX_PARAMETERS) ||
        (elements > 1 && !several) || elements > 1024 || (coded && data) ||
        (type == VAEncMiscParameterBufferType && size < sizeof(VAEncMiscParameterBuffer))) {
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    sv_buffer *buffer = calloc(1, sizeof *buffer);
    // A structure's own size, so that what is read of it is always there.
    size_t bytes = (size_t)size * elements;
    uint8_t *memory = buffer ? malloc(bytes) : NULL;
    if (!memory) {
        free(buffer);
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    if (data) {
        memcpy(memory, data, bytes);
    } else {
        memset(memory, 0xa5, bytes);
    }
    *buffer = (sv_buffer){.type = type, .element_size = size, .elements = elements, .data = memory,
                          .context = context_id, .derived = VA_INVALID_SURFACE};
    if (sv_object_add(driver, SV_BUFFER, buffer, id)) return VA_STATUS_SUCCESS;
    free_buffer(buffer);
    return VA_STATUS_ERROR_ALLOCATION_FAILED;
}

VAStatus sv_set_elements(sv_driver *driver, VABufferID id, unsigned elements) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (elements == 0 || elements > buffer->elements) return VA_STATUS_ERROR_INVALID_PARAMETER;
    buffer->elements = elements;
    return VA_STATUS_SUCCESS;
}

/// Reverses each eight rows of a plane; done twice it changes nothing.
static void swizzle(uint8_t *plane, size_t pitch, size_t rows) {
    for (size_t group = 0; group + 8 <= rows; group += 8) {
        for (size_t y = 0; y < 4; y++) {
            uint8_t *first = plane + (group + y) * pitch, *second = plane + (group + 7 - y) * pitch;
            for (size_t x = 0; x < pitch; x++) {
                uint8_t kept = first[x];
                first[x] = second[x];
                second[x] = kept;
            }
        }
    }
}

/// Shows the memory of a derived image as a driver with tiled surfaces does, or puts it back.
static void tile(sv_surface *surface) {
    const sv_picture *picture = &surface->picture;
    swizzle(picture->luma, picture->luma_pitch, (size_t)picture->height);
    swizzle(picture->chroma, picture->chroma_pitch, (size_t)(picture->height + 1) / 2);
}

static VAStatus map_image(sv_driver *driver, sv_buffer *buffer, void **data) {
    *data = buffer->data;
    if (buffer->derived == VA_INVALID_SURFACE) return VA_STATUS_SUCCESS;
    sv_surface *surface = sv_object(driver, SV_SURFACE, buffer->derived);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    if (sv_in_flight(driver, surface->serial)) sv_misuse("vaMapBuffer", "the derived image's surface is in flight");
    sv_wait(driver, surface->serial, VA_TIMEOUT_INFINITE);
    if (buffer->tiled && buffer->mapped == 0) tile(surface);
    surface->mapped++;
    surface->written = true;
    return VA_STATUS_SUCCESS;
}

/// Fills the segment list of a coded buffer.
static void *make_segments(sv_driver *driver, VABufferID id, sv_buffer *buffer) {
    const sv_coded *coded = &buffer->coded;
    size_t start = 0;
    for (unsigned i = 0; i < coded->segment_count; i++) {
        bool last = i + 1 == coded->segment_count;
        buffer->segments[i] = (VACodedBufferSegment){.size = (uint32_t)(coded->ends[i] - start),
                                                     .status = coded->status,
                                                     .buf = buffer->data + start,
                                                     .next = last ? NULL : &buffer->segments[i + 1]};
        start = coded->ends[i];
    }
    sv_context *context = sv_object(driver, SV_CONTEXT, buffer->context);
    if (!driver->personality->one_segment || !context || coded->segment_count != 1) return buffer->segments;
    if (context->segment_owner != id && context->segment_owner != VA_INVALID_ID) {
        sv_misuse("vaMapBuffer", "another coded buffer of the context is mapped, and the driver has one segment");
    }
    context->segment_owner = id;
    context->shared_segment = buffer->segments[0];
    return &context->shared_segment;
}

static VAStatus map_coded(sv_driver *driver, VABufferID id, sv_buffer *buffer, void **data) {
    if (buffer->mapped) sv_misuse("vaMapBuffer", "the coded buffer is mapped already");
    if (buffer->serial == 0) {
        sv_misuse("vaMapBuffer", "the coded buffer was never encoded to");
        buffer->coded = (sv_coded){.ends = {buffer->element_size}, .segment_count = 1};
    }
    if (sv_in_flight(driver, buffer->serial)) sv_misuse("vaMapBuffer", "the coded buffer is read before a sync");
    sv_wait(driver, buffer->serial, VA_TIMEOUT_INFINITE);
    if (buffer->coded.error) return buffer->coded.error;
    *data = make_segments(driver, id, buffer);
    return VA_STATUS_SUCCESS;
}

VAStatus sv_map_buffer(sv_driver *driver, VABufferID id, void **data) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    VAStatus status = VA_STATUS_SUCCESS;
    if (buffer->type == VAEncCodedBufferType) {
        status = sv_strike(driver, SV_AT_MAP);
        if (!status) status = map_coded(driver, id, buffer, data);
    } else {
        status = map_image(driver, buffer, data);
    }
    if (!status) buffer->mapped++;
    return status;
}

VAStatus sv_unmap_buffer(sv_driver *driver, VABufferID id) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (buffer->mapped == 0) {
        sv_misuse("vaUnmapBuffer", "the buffer is not mapped");
        return VA_STATUS_ERROR_OPERATION_FAILED;
    }
    buffer->mapped--;
    sv_context *context = buffer->type == VAEncCodedBufferType ? sv_object(driver, SV_CONTEXT, buffer->context) : NULL;
    if (context && context->segment_owner == id) context->segment_owner = VA_INVALID_ID;
    sv_surface *surface = buffer->derived != VA_INVALID_SURFACE ? sv_object(driver, SV_SURFACE, buffer->derived) : NULL;
    if (surface) surface->mapped--;
    if (surface && buffer->tiled && buffer->mapped == 0) tile(surface);
    return VA_STATUS_SUCCESS;
}

VAStatus sv_destroy_buffer(sv_driver *driver, VABufferID id) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (buffer->mapped && buffer->type == VAEncCodedBufferType) {
        sv_misuse("vaDestroyBuffer", "the coded buffer is still mapped");
    }
    uint64_t serial = buffer->serial;
    if (sv_in_flight(driver, serial)) sv_misuse("vaDestroyBuffer", "the coded buffer is in flight");
    sv_object_remove(driver, SV_BUFFER, id);
    sv_wait(driver, serial, VA_TIMEOUT_INFINITE);
    free_buffer(buffer);
    return VA_STATUS_SUCCESS;
}

VAStatus sv_buffer_info(sv_driver *driver, VABufferID id, VABufferType *type, unsigned *size, unsigned *elements) {
    const sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    *type = buffer->type;
    *size = buffer->element_size;
    *elements = buffer->elements;
    return VA_STATUS_SUCCESS;
}

VAStatus sv_sync_buffer(sv_driver *driver, VABufferID id, uint64_t timeout) {
    const sv_buffer *buffer = id == VA_INVALID_ID ? NULL : sv_object(driver, SV_BUFFER, id);
    if (!buffer || buffer->type != VAEncCodedBufferType) return VA_STATUS_ERROR_INVALID_BUFFER;
    uint64_t serial = buffer->serial;
    VAStatus status = sv_strike(driver, SV_AT_SYNC);
    if (!status) status = sv_wait(driver, serial, timeout);
    if (!status && serial > driver->synced) driver->synced = serial;
    return status;
}

VAStatus sv_buffer_wrap(sv_driver *driver, uint8_t *data, unsigned size, VASurfaceID derived, VABufferID *id) {
    sv_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    *buffer = (sv_buffer){.type = VAImageBufferType, .element_size = size, .elements = 1, .data = data,
                          .context = VA_INVALID_ID, .derived = derived};
    if (sv_object_add(driver, SV_BUFFER, buffer, id)) return VA_STATUS_SUCCESS;
    free(buffer);
    return VA_STATUS_ERROR_ALLOCATION_FAILED;
}

void sv_buffer_unwrap(sv_driver *driver, VABufferID id) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return;
    while (buffer->mapped) sv_unmap_buffer(driver, id);
    sv_object_remove(driver, SV_BUFFER, id);
    free_buffer(buffer);
}
