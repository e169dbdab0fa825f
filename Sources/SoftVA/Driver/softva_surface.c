// SPDX-License-Identifier: MIT
#include "softva_surface.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/// Luma samples of all surfaces that one call may ask for: three gigabytes of eight bits.
#define MAX_SAMPLES (1u << 31)

static size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

void sv_surface_place(sv_surface *surface, size_t luma_pitch, size_t chroma_pitch) {
    sv_picture *picture = &surface->picture;
    picture->bit_depth = surface->fourcc == VA_FOURCC_P010 ? 10 : 8;
    picture->luma = surface->memory + surface->offsets[0];
    picture->chroma = surface->memory + surface->offsets[1];
    picture->luma_pitch = luma_pitch;
    picture->chroma_pitch = chroma_pitch;
}

VAStatus sv_surface_allocate(sv_driver *driver, sv_surface *surface) {
    const sv_personality *personality = driver->personality;
    unsigned bytes = surface->fourcc == VA_FOURCC_P010 ? 2 : 1;
    size_t width = round_up((size_t)surface->picture.width, personality->align_width);
    size_t height = round_up((size_t)surface->picture.height, personality->align_height);
    // A pitch is never the width, so that who ignores it is found out.
    size_t pitch = round_up(width, SV_PLANE_ALIGNMENT) * bytes + SV_PLANE_ALIGNMENT;
    size_t rows = round_up(height, SV_PLANE_ALIGNMENT);
    surface->offsets[0] = 0;
    surface->offsets[1] = pitch * rows;
    surface->size = round_up(pitch * (rows + rows / 2), 4096);
    surface->file = memfd_create("softva", MFD_CLOEXEC);
    if (surface->file < 0 || ftruncate(surface->file, (off_t)surface->size) != 0) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    surface->memory = mmap(NULL, surface->size, PROT_READ | PROT_WRITE, MAP_SHARED, surface->file, 0);
    if (surface->memory == MAP_FAILED) {
        surface->memory = NULL;
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    uint32_t *words = (uint32_t *)(void *)surface->memory;
    for (size_t i = 0; i < surface->size / sizeof *words; i++) {
        driver->seed ^= driver->seed << 13;
        driver->seed ^= driver->seed >> 17;
        driver->seed ^= driver->seed << 5;
        words[i] = driver->seed;
    }
    sv_surface_place(surface, pitch, pitch);
    return VA_STATUS_SUCCESS;
}

void sv_surface_free(sv_surface *surface) {
    if (surface->memory) munmap(surface->memory, surface->size);
    if (surface->file >= 0) close(surface->file);
    free(surface->motion);
    free(surface);
}

typedef struct {
    uint32_t fourcc;
    const VADRMPRIMESurfaceDescriptor *descriptor;  // or NULL
} Wish;

static VAStatus read_attributes(const VASurfaceAttrib *attributes, unsigned count, Wish *wish) {
    bool prime = false;
    const void *external = NULL;
    for (unsigned i = 0; i < count; i++) {
        const VASurfaceAttrib *attribute = &attributes[i];
        if (!(attribute->flags & VA_SURFACE_ATTRIB_SETTABLE)) continue;
        switch (attribute->type) {
            case VASurfaceAttribPixelFormat: wish->fourcc = (uint32_t)attribute->value.value.i; break;
            case VASurfaceAttribMemoryType:
                prime = attribute->value.value.i == VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2;
                if (!prime && attribute->value.value.i != VA_SURFACE_ATTRIB_MEM_TYPE_VA) {
                    return VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE;
                }
                break;
            case VASurfaceAttribExternalBufferDescriptor: external = attribute->value.value.p; break;
            case VASurfaceAttribUsageHint: break;
            default: return VA_STATUS_ERROR_ATTR_NOT_SUPPORTED;
        }
    }
    if (prime != (external != NULL)) return VA_STATUS_ERROR_INVALID_PARAMETER;
    wish->descriptor = external;
    return VA_STATUS_SUCCESS;
}

static VAStatus create_one(sv_driver *driver, const Wish *wish, unsigned width, unsigned height, VASurfaceID *id) {
    sv_surface *surface = calloc(1, sizeof *surface);
    if (!surface) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    surface->file = -1;
    surface->fourcc = wish->fourcc;
    surface->picture.width = (int)width;
    surface->picture.height = (int)height;
    VAStatus status = wish->descriptor ? sv_surface_import(driver, surface, wish->descriptor)
                                       : sv_surface_allocate(driver, surface);
    if (!status && !sv_object_add(driver, SV_SURFACE, surface, id)) status = VA_STATUS_ERROR_ALLOCATION_FAILED;
    if (status) sv_surface_free(surface);
    return status;
}

VAStatus sv_create_surfaces(sv_driver *driver, unsigned format, unsigned width, unsigned height, VASurfaceID *ids,
                            unsigned count, const VASurfaceAttrib *attributes, unsigned attribute_count) {
    VAStatus status = sv_strike(driver, SV_AT_CREATE_SURFACES);
    if (status) return status;
    Wish wish = {format == VA_RT_FORMAT_YUV420_10 ? VA_FOURCC_P010 : VA_FOURCC_NV12, NULL};
    if (format != VA_RT_FORMAT_YUV420 && format != VA_RT_FORMAT_YUV420_10) return VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
    uint32_t natural = wish.fourcc;
    if (!sv_can_list_attributes(attributes, attribute_count, "vaCreateSurfaces")) return VA_STATUS_ERROR_INVALID_PARAMETER;
    status = read_attributes(attributes, attribute_count, &wish);
    if (status) return status;
    if (wish.fourcc != natural) return VA_STATUS_ERROR_INVALID_PARAMETER;
    if (width < 1 || height < 1 || width > SV_MAX_SIDE || height > SV_MAX_SIDE) {
        return VA_STATUS_ERROR_RESOLUTION_NOT_SUPPORTED;
    }
    // A descriptor is that of one surface.
    if ((count > 0 && !ids) || (wish.descriptor && count > 1)) return VA_STATUS_ERROR_INVALID_PARAMETER;
    if ((uint64_t)count * width * height > MAX_SAMPLES) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    for (unsigned i = 0; i < count; i++) {
        status = create_one(driver, &wish, width, height, &ids[i]);
        if (!status) continue;
        sv_destroy_surfaces(driver, ids, (int)i);
        return status;
    }
    return VA_STATUS_SUCCESS;
}

VAStatus sv_destroy_surfaces(sv_driver *driver, VASurfaceID *ids, int count) {
    if (!sv_can_list(driver, SV_SURFACE, ids, count, "vaDestroySurfaces")) return VA_STATUS_ERROR_INVALID_PARAMETER;
    VAStatus status = VA_STATUS_SUCCESS;
    for (int i = 0; i < count; i++) {
        sv_surface *surface = sv_object(driver, SV_SURFACE, ids[i]);
        if (!surface) {
            status = VA_STATUS_ERROR_INVALID_SURFACE;
            continue;
        }
        if (surface->mapped && !driver->lost) sv_misuse("vaDestroySurfaces", "a derived image of the surface is still mapped");
        sv_use use = surface->use;
        if (sv_in_flight(driver, use)) sv_misuse("vaDestroySurfaces", "the surface is in flight");
        sv_object_remove(driver, SV_SURFACE, ids[i]);
        sv_wait(driver, use.serial, VA_TIMEOUT_INFINITE);
        sv_surface_free(surface);
    }
    return status;
}

VAStatus sv_sync_surface(sv_driver *driver, VASurfaceID id, uint64_t timeout) {
    VAStatus status = sv_strike(driver, SV_AT_SYNC);
    if (status) return status;
    const sv_surface *surface = sv_object(driver, SV_SURFACE, id);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    sv_use use = surface->use;
    status = sv_wait(driver, use.serial, timeout);
    if (!status) sv_note_synced(driver, use);
    return status;
}

VAStatus sv_surface_status(sv_driver *driver, VASurfaceID id, VASurfaceStatus *status) {
    const sv_surface *surface = sv_object(driver, SV_SURFACE, id);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    bool ready = driver->personality->no_deadlines ? !sv_in_flight(driver, surface->use)
                                                   : driver->completed >= surface->use.serial;
    // Who asks and is told that it is ready may read it.
    if (ready) sv_note_synced(driver, surface->use);
    *status = ready ? VASurfaceReady : VASurfaceRendering;
    return VA_STATUS_SUCCESS;
}
