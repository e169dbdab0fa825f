// SPDX-License-Identifier: MIT
#include "softva_image.h"

#include <stdlib.h>
#include <string.h>

#include "softva_buffer.h"

static const VAImageFormat known[SV_IMAGE_FORMATS] = {
    {.fourcc = VA_FOURCC_NV12, .byte_order = VA_LSB_FIRST, .bits_per_pixel = 12},
    {.fourcc = VA_FOURCC_P010, .byte_order = VA_LSB_FIRST, .bits_per_pixel = 24},
};

VAStatus sv_query_image_formats(sv_driver *driver, VAImageFormat *formats, int *count) {
    (void)driver;
    for (int i = 0; i < SV_IMAGE_FORMATS; i++) formats[i] = known[i];
    *count = SV_IMAGE_FORMATS;
    return VA_STATUS_SUCCESS;
}

static const VAImageFormat *format_of(uint32_t fourcc) {
    for (int i = 0; i < SV_IMAGE_FORMATS; i++) {
        if (known[i].fourcc == fourcc) return &known[i];
    }
    return NULL;
}

static unsigned bytes_of(uint32_t fourcc) { return fourcc == VA_FOURCC_P010 ? 2 : 1; }

/// Adds the image and its buffer, whose memory the buffer owns unless it is `derived`.
static VAStatus add(sv_driver *driver, VAImage *image, uint8_t *data, VASurfaceID derived) {
    sv_image *object = calloc(1, sizeof *object);
    VAStatus status = object ? sv_buffer_wrap(driver, data, image->data_size, derived, &image->buf)
                             : VA_STATUS_ERROR_ALLOCATION_FAILED;
    if (!status && !sv_object_add(driver, SV_IMAGE, object, &image->image_id)) {
        sv_buffer_unwrap(driver, image->buf);
        status = VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    if (status) {
        free(object);
        return status;
    }
    object->image = *image;
    return VA_STATUS_SUCCESS;
}

VAStatus sv_create_image(sv_driver *driver, const VAImageFormat *format, int width, int height, VAImage *image) {
    const VAImageFormat *found = format_of(format->fourcc);
    if (!found) return VA_STATUS_ERROR_INVALID_IMAGE_FORMAT;
    if (width < 1 || height < 1 || width > SV_MAX_SIDE || height > SV_MAX_SIDE) return VA_STATUS_ERROR_INVALID_PARAMETER;
    uint32_t pitch = ((uint32_t)width * bytes_of(found->fourcc) + 63) / 64 * 64 + 64;
    uint32_t rows = (uint32_t)height, chroma_rows = (rows + 1) / 2;
    *image = (VAImage){.format = *found,
                       .width = (uint16_t)width,
                       .height = (uint16_t)height,
                       .data_size = pitch * (rows + chroma_rows),
                       .num_planes = 2,
                       .pitches = {pitch, pitch},
                       .offsets = {0, pitch * rows}};
    uint8_t *data = malloc(image->data_size);
    if (!data) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    memset(data, 0xa5, image->data_size);
    VAStatus status = add(driver, image, data, VA_INVALID_SURFACE);
    if (status) free(data);
    return status;
}

VAStatus sv_derive_image(sv_driver *driver, VASurfaceID id, VAImage *image) {
    VAStatus status = sv_strike(driver, SV_AT_DERIVE);
    if (status) return status;
    const sv_surface *surface = sv_object(driver, SV_SURFACE, id);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    if (!driver->personality->derives) return VA_STATUS_ERROR_OPERATION_FAILED;
    *image = (VAImage){.format = *format_of(surface->fourcc),
                       .width = (uint16_t)surface->picture.width,
                       .height = (uint16_t)surface->picture.height,
                       .data_size = (uint32_t)surface->size,
                       .num_planes = 2,
                       .pitches = {(uint32_t)surface->picture.luma_pitch, (uint32_t)surface->picture.chroma_pitch},
                       .offsets = {(uint32_t)surface->offsets[0], (uint32_t)surface->offsets[1]}};
    bool tiled = driver->struck == SV_TILED;
    status = add(driver, image, surface->memory, id);
    if (!status) ((sv_buffer *)sv_object(driver, SV_BUFFER, image->buf))->tiled = tiled;
    return status;
}

VAStatus sv_destroy_image(sv_driver *driver, VAImageID id) {
    sv_image *image = sv_object_remove(driver, SV_IMAGE, id);
    if (!image) return VA_STATUS_ERROR_INVALID_IMAGE;
    sv_buffer_unwrap(driver, image->image.buf);
    free(image);
    return VA_STATUS_SUCCESS;
}

static bool inside(sv_area area, int width, int height) {
    return area.x >= 0 && area.y >= 0 && area.width > 0 && area.height > 0 && area.width <= (unsigned)width &&
           area.height <= (unsigned)height && area.x <= width - (int)area.width &&
           area.y <= height - (int)area.height && area.x % 2 == 0 && area.y % 2 == 0;
}

static void copy_plane(uint8_t *to, size_t to_pitch, const uint8_t *from, size_t from_pitch, size_t row, size_t rows) {
    for (size_t y = 0; y < rows; y++) memcpy(to + y * to_pitch, from + y * from_pitch, row);
}

/// Copies between the surface and the image, whose formats are the same.
static VAStatus copy(sv_driver *driver, VASurfaceID surface_id, VAImageID image_id, sv_area in_surface,
                     sv_area in_image, bool to_surface) {
    const char *call = to_surface ? "vaPutImage" : "vaGetImage";
    const sv_surface *busy = sv_object(driver, SV_SURFACE, surface_id);
    if (!busy) return VA_STATUS_ERROR_INVALID_SURFACE;
    if (sv_in_flight(driver, busy->use)) sv_misuse(call, "the surface is in flight");
    sv_wait(driver, busy->use.serial, VA_TIMEOUT_INFINITE);
    sv_surface *surface = sv_object(driver, SV_SURFACE, surface_id);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    const sv_image *object = sv_object(driver, SV_IMAGE, image_id);
    const sv_buffer *buffer = object ? sv_object(driver, SV_BUFFER, object->image.buf) : NULL;
    bool derived = buffer && buffer->derived != VA_INVALID_SURFACE;
    bool orphan = derived && !sv_object_if_alive(driver, SV_SURFACE, buffer->derived);
    if (!buffer || orphan) return VA_STATUS_ERROR_INVALID_IMAGE;
    if (buffer->derived == surface_id) {
        sv_misuse(call, "the image is derived from the surface");
        return VA_STATUS_ERROR_INVALID_IMAGE;
    }
    const VAImage *image = &object->image;
    if (image->format.fourcc != surface->fourcc) return VA_STATUS_ERROR_INVALID_IMAGE_FORMAT;
    if (!inside(in_surface, surface->picture.width, surface->picture.height) ||
        !inside(in_image, image->width, image->height)) {
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    size_t bytes = bytes_of(surface->fourcc);
    const sv_picture *picture = &surface->picture;
    for (int plane = 0; plane < 2; plane++) {
        size_t pitch = plane ? picture->chroma_pitch : picture->luma_pitch;
        size_t rows = plane ? (in_surface.height + 1) / 2 : in_surface.height;
        size_t row = (plane ? (in_surface.width + 1) / 2 * 2 : in_surface.width) * bytes;
        uint8_t *pixels = (plane ? picture->chroma : picture->luma) +
                          pitch * (size_t)(plane ? in_surface.y / 2 : in_surface.y) + (size_t)in_surface.x * bytes;
        uint8_t *data = buffer->data + image->offsets[plane] +
                        (size_t)image->pitches[plane] * (size_t)(plane ? in_image.y / 2 : in_image.y) +
                        (size_t)in_image.x * bytes;
        if (to_surface) copy_plane(pixels, pitch, data, image->pitches[plane], row, rows);
        if (!to_surface) copy_plane(data, image->pitches[plane], pixels, pitch, row, rows);
    }
    if (to_surface) surface->written = true;
    return VA_STATUS_SUCCESS;
}

VAStatus sv_get_image(sv_driver *driver, VASurfaceID surface, sv_area from, VAImageID image) {
    return copy(driver, surface, image, from, (sv_area){0, 0, from.width, from.height}, false);
}

VAStatus sv_put_image(sv_driver *driver, VASurfaceID surface, VAImageID image, sv_area from, sv_area to) {
    if (from.width != to.width || from.height != to.height) return VA_STATUS_ERROR_INVALID_PARAMETER;
    return copy(driver, surface, image, to, from, true);
}
