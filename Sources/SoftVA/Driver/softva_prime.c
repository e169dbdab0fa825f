// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "softva_surface.h"

#define FOURCC(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
// Layer formats of the kernel's drm_fourcc.h.
#define FORMAT_R8 FOURCC('R', '8', ' ', ' ')
#define FORMAT_GR88 FOURCC('G', 'R', '8', '8')
#define FORMAT_R16 FOURCC('R', '1', '6', ' ')
#define FORMAT_GR1616 FOURCC('G', 'R', '3', '2')
#define MODIFIER_LINEAR 0
#define MODIFIER_INVALID 0x00ffffffffffffffull

typedef struct {
    uint32_t object, offset, pitch;
} Plane;

/// Finds the two planes of a composed layer or of two layers.
static bool find_planes(const VADRMPRIMESurfaceDescriptor *descriptor, Plane planes[2]) {
    bool ten = descriptor->fourcc == VA_FOURCC_P010;
    const uint32_t separate[2] = {ten ? FORMAT_R16 : FORMAT_R8, ten ? FORMAT_GR1616 : FORMAT_GR88};
    for (unsigned i = 0; i < 2; i++) {
        bool composed = descriptor->num_layers == 1;
        unsigned layer = composed ? 0 : i, plane = composed ? i : 0;
        if (descriptor->num_layers != 1 && descriptor->num_layers != 2) return false;
        if (descriptor->layers[layer].num_planes != (composed ? 2u : 1u)) return false;
        if (descriptor->layers[layer].drm_format != (composed ? descriptor->fourcc : separate[i])) return false;
        planes[i] = (Plane){descriptor->layers[layer].object_index[plane], descriptor->layers[layer].offset[plane],
                            descriptor->layers[layer].pitch[plane]};
    }
    return true;
}

VAStatus sv_surface_import(const sv_driver *driver, sv_surface *surface, const VADRMPRIMESurfaceDescriptor *descriptor) {
    const sv_picture *picture = &surface->picture;
    Plane planes[2];
    if (descriptor->fourcc != surface->fourcc || descriptor->width < (uint32_t)picture->width ||
        descriptor->height < (uint32_t)picture->height || descriptor->num_objects != 1 ||
        !find_planes(descriptor, planes)) {
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    uint64_t modifier = descriptor->objects[0].drm_format_modifier;
    bool known = modifier == MODIFIER_LINEAR || modifier == MODIFIER_INVALID || modifier == driver->personality->own_modifier;
    if (!known) return VA_STATUS_ERROR_INVALID_PARAMETER;
    size_t bytes = surface->fourcc == VA_FOURCC_P010 ? 2 : 1;
    uint64_t ends[2];
    off_t length = lseek(descriptor->objects[0].fd, 0, SEEK_END);
    for (unsigned i = 0; i < 2; i++) {
        size_t rows = i == 0 ? (size_t)picture->height : ((size_t)picture->height + 1) / 2;
        size_t row = ((size_t)picture->width + 1) / 2 * 2 * bytes;
        uint64_t end = planes[i].offset + (uint64_t)planes[i].pitch * (rows - 1) + row;
        if (planes[i].object != 0 || planes[i].pitch < row || planes[i].offset % bytes != 0 ||
            planes[i].pitch % bytes != 0 || end > descriptor->objects[0].size || length < 0 ||
            end > (uint64_t)length) {
            return VA_STATUS_ERROR_INVALID_PARAMETER;
        }
        surface->offsets[i] = planes[i].offset;
        ends[i] = end;
    }
    bool apart = ends[0] <= planes[1].offset || ends[1] <= planes[0].offset;
    if (!apart) return VA_STATUS_ERROR_INVALID_PARAMETER;
    surface->file = fcntl(descriptor->objects[0].fd, F_DUPFD_CLOEXEC, 0);
    surface->size = (size_t)length;
    if (surface->file < 0) return VA_STATUS_ERROR_INVALID_PARAMETER;
    surface->memory = mmap(NULL, surface->size, PROT_READ | PROT_WRITE, MAP_SHARED, surface->file, 0);
    if (surface->memory == MAP_FAILED) {
        surface->memory = NULL;
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    }
    surface->imported = true;
    surface->written = true;
    sv_surface_place(surface, planes[0].pitch, planes[1].pitch);
    return VA_STATUS_SUCCESS;
}

VAStatus sv_surface_export(sv_driver *driver, VASurfaceID id, uint32_t type, uint32_t flags, void *target) {
    sv_surface *surface = sv_object(driver, SV_SURFACE, id);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    if (type != VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2) return VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE;
    int file = fcntl(surface->file, F_DUPFD_CLOEXEC, 0);
    if (file < 0) return VA_STATUS_ERROR_OPERATION_FAILED;
    VADRMPRIMESurfaceDescriptor *descriptor = target;
    *descriptor = (VADRMPRIMESurfaceDescriptor){.fourcc = surface->fourcc,
                                                .width = (uint32_t)surface->picture.width,
                                                .height = (uint32_t)surface->picture.height,
                                                .num_objects = 1};
    descriptor->objects[0].fd = file;
    descriptor->objects[0].size = (uint32_t)surface->size;
    descriptor->objects[0].drm_format_modifier = driver->personality->own_modifier;
    bool composed = flags & VA_EXPORT_SURFACE_COMPOSED_LAYERS;
    bool ten = surface->fourcc == VA_FOURCC_P010;
    const uint32_t separate[2] = {ten ? FORMAT_R16 : FORMAT_R8, ten ? FORMAT_GR1616 : FORMAT_GR88};
    const size_t pitches[2] = {surface->picture.luma_pitch, surface->picture.chroma_pitch};
    descriptor->num_layers = composed ? 1 : 2;
    for (unsigned i = 0; i < 2; i++) {
        unsigned layer = composed ? 0 : i, plane = composed ? i : 0;
        descriptor->layers[layer].drm_format = composed ? surface->fourcc : separate[i];
        descriptor->layers[layer].num_planes = composed ? 2 : 1;
        descriptor->layers[layer].offset[plane] = (uint32_t)surface->offsets[i];
        descriptor->layers[layer].pitch[plane] = (uint32_t)pitches[i];
    }
    // Who writes through the descriptor is not seen: the surface counts as written from here on.
    if (flags & VA_EXPORT_SURFACE_WRITE_ONLY) surface->written = true;
    return VA_STATUS_SUCCESS;
}
