// SPDX-License-Identifier: MIT
#include "softva_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "softva_work.h"

#define MAX_CODED (64u << 20)
#define MAX_PARAMETERS (1u << 18)

/// What a buffer holds.
typedef struct {
    const char *name;  // in reports; NULL: no such buffer is taken
    size_t size;       // of the structure; 0: any
} Content;

static Content content_of(VABufferType type, sv_codec codec) {
    bool hevc = codec == SV_HEVC;
    switch (type) {
        case VAEncSequenceParameterBufferType:
            return (Content){"sequence", hevc ? sizeof(VAEncSequenceParameterBufferHEVC)
                                              : sizeof(VAEncSequenceParameterBufferH264)};
        case VAEncPictureParameterBufferType:
            return (Content){"picture", hevc ? sizeof(VAEncPictureParameterBufferHEVC)
                                             : sizeof(VAEncPictureParameterBufferH264)};
        case VAEncSliceParameterBufferType:
            return (Content){"slice", hevc ? sizeof(VAEncSliceParameterBufferHEVC)
                                           : sizeof(VAEncSliceParameterBufferH264)};
        case VAEncPackedHeaderParameterBufferType:
            return (Content){"packed", sizeof(VAEncPackedHeaderParameterBuffer)};
        case VAEncPackedHeaderDataBufferType: return (Content){"packed.data", 0};
        case VAEncMiscParameterBufferType: return (Content){"misc", 0};
        case VAEncCodedBufferType: return (Content){"coded_buf", 0};
        default: return (Content){NULL, 0};
    }
}

/// Whether a buffer of this content can be so large; what cannot is reported.
static bool has_good_size(Content content, VABufferType type, unsigned size, unsigned elements, bool has_data) {
    bool coded = type == VAEncCodedBufferType, several = type == VAEncSliceParameterBufferType;
    size_t least = type == VAEncMiscParameterBufferType ? sizeof(VAEncMiscParameterBuffer) : 1;
    return sv_require(content.size == 0 || size == content.size, content.name, "%u bytes, and the codec's structure has %zu",
                      size, content.size) &&
           sv_require(size >= least && size <= (coded ? MAX_CODED : MAX_PARAMETERS), content.name, "%u bytes", size) &&
           sv_require(elements >= 1 && elements <= (several ? SV_MAX_SLICES : 1), content.name, "%u elements", elements) &&
           sv_require(!coded || !has_data, content.name, "with data of the application's");
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
    if (!sv_require(context != NULL, "buffer.context", "%#x is no context", context_id)) {
        return VA_STATUS_ERROR_INVALID_CONTEXT;
    }
    Content content = content_of(type, context->config->codec);
    if (!sv_require(content.name != NULL, "buffer.type", "%d is not taken", (int)type)) {
        return VA_STATUS_ERROR_UNSUPPORTED_BUFFERTYPE;
    }
    if (!has_good_size(content, type, size, elements, data != NULL)) return VA_STATUS_ERROR_INVALID_PARAMETER;
    sv_buffer *buffer = calloc(1, sizeof *buffer);
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

static VAStatus map_image(sv_driver *driver, VABufferID id, void **data) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (buffer->mapped) sv_misuse("vaMapBuffer", "the buffer is mapped already");
    if (buffer->derived != VA_INVALID_SURFACE) {
        const sv_surface *busy = sv_object(driver, SV_SURFACE, buffer->derived);
        if (!busy) return VA_STATUS_ERROR_INVALID_SURFACE;
        if (sv_in_flight(driver, busy->use)) sv_misuse("vaMapBuffer", "the derived image's surface is in flight");
        sv_wait(driver, busy->use.serial, VA_TIMEOUT_INFINITE);
        // Another thread may have destroyed both meanwhile.
        buffer = sv_object(driver, SV_BUFFER, id);
        sv_surface *surface = buffer ? sv_object(driver, SV_SURFACE, buffer->derived) : NULL;
        if (!surface) return buffer ? VA_STATUS_ERROR_INVALID_SURFACE : VA_STATUS_ERROR_INVALID_BUFFER;
        if (buffer->tiled && buffer->mapped == 0 && surface->tiled++ == 0) tile(surface);
        surface->mapped++;
        surface->written = true;
    }
    buffer->mapped++;
    *data = buffer->data;
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
    sv_context *context = sv_object_if_alive(driver, SV_CONTEXT, buffer->context);
    if (!driver->personality->one_segment || !context || coded->segment_count != 1) return buffer->segments;
    if (context->segment_owner != id && context->segment_owner != VA_INVALID_ID) {
        sv_misuse("vaMapBuffer", "another coded buffer of the context is mapped, and the driver has one segment");
    }
    context->segment_owner = id;
    context->shared_segment = buffer->segments[0];
    return &context->shared_segment;
}

static VAStatus map_coded(sv_driver *driver, VABufferID id, void **data) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (buffer->mapped) sv_misuse("vaMapBuffer", "the coded buffer is mapped already");
    if (buffer->use.serial == 0) {
        sv_misuse("vaMapBuffer", "the coded buffer was never encoded to");
        buffer->coded = (sv_coded){.ends = {buffer->element_size}, .segment_count = 1};
    }
    if (sv_in_flight(driver, buffer->use)) sv_misuse("vaMapBuffer", "the coded buffer is read before a sync");
    sv_wait(driver, buffer->use.serial, VA_TIMEOUT_INFINITE);
    // Another thread may have destroyed it meanwhile.
    buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (buffer->coded.error) return buffer->coded.error;
    *data = make_segments(driver, id, buffer);
    buffer->mapped++;
    return VA_STATUS_SUCCESS;
}

VAStatus sv_map_buffer(sv_driver *driver, VABufferID id, void **data) {
    const sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (buffer->type != VAEncCodedBufferType) return map_image(driver, id, data);
    VAStatus status = sv_strike(driver, SV_AT_MAP);
    if (status) return status;
    return sv_object(driver, SV_BUFFER, id) ? map_coded(driver, id, data) : VA_STATUS_ERROR_INVALID_BUFFER;
}

VAStatus sv_unmap_buffer(sv_driver *driver, VABufferID id) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (buffer->mapped == 0) {
        sv_misuse("vaUnmapBuffer", "the buffer is not mapped");
        return VA_STATUS_ERROR_OPERATION_FAILED;
    }
    buffer->mapped--;
    sv_context *context = sv_object_if_alive(driver, SV_CONTEXT, buffer->context);
    if (context && context->segment_owner == id) context->segment_owner = VA_INVALID_ID;
    sv_surface *surface = sv_object_if_alive(driver, SV_SURFACE, buffer->derived);
    if (surface) surface->mapped--;
    if (surface && buffer->tiled && buffer->mapped == 0 && --surface->tiled == 0) tile(surface);
    return VA_STATUS_SUCCESS;
}

VAStatus sv_destroy_buffer(sv_driver *driver, VABufferID id) {
    sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    if (buffer->type == VAImageBufferType) {
        sv_misuse("vaDestroyBuffer", "the buffer is an image's, which vaDestroyImage() frees");
        return VA_STATUS_ERROR_INVALID_BUFFER;
    }
    if (buffer->mapped && !driver->lost) sv_misuse("vaDestroyBuffer", "the buffer is still mapped");
    sv_use use = buffer->use;
    if (sv_in_flight(driver, use)) sv_misuse("vaDestroyBuffer", "the coded buffer is in flight");
    sv_object_remove(driver, SV_BUFFER, id);
    sv_wait(driver, use.serial, VA_TIMEOUT_INFINITE);
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
    if (driver->personality->no_sync_buffer) return VA_STATUS_ERROR_UNIMPLEMENTED;
    if (driver->personality->no_deadlines && timeout != VA_TIMEOUT_INFINITE) {
        // Mesa 22.3 says so before it looks at the buffer.
        return timeout == 0 ? VA_STATUS_ERROR_TIMEDOUT : VA_STATUS_ERROR_UNIMPLEMENTED;
    }
    // Asked by clients that only want to know whether there is such a call.
    if (id == VA_INVALID_ID) return VA_STATUS_ERROR_INVALID_BUFFER;
    VAStatus status = sv_strike(driver, SV_AT_SYNC);
    if (status) return status;
    const sv_buffer *buffer = sv_object(driver, SV_BUFFER, id);
    if (!buffer || buffer->type != VAEncCodedBufferType) return VA_STATUS_ERROR_INVALID_BUFFER;
    sv_use use = buffer->use;
    status = sv_wait(driver, use.serial, timeout);
    if (!status) sv_note_synced(driver, use);
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
