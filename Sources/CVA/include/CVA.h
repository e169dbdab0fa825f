// SPDX-License-Identifier: MIT
// libva, opened when it is first asked for: its headers are needed to build, the library itself only to encode.
//
// The prototypes of va.h are visible too, but nothing links libva: programs that call one do not link.
#ifndef ENCODERKIT_CVA_H
#define ENCODERKIT_CVA_H

#include <stdbool.h>
#include <va/va.h>
#include <va/va_drm.h>
#include <va/va_drmcommon.h>
#include <va/va_enc_h264.h>
#include <va/va_enc_hevc.h>
#include <va/va_str.h>

/// The functions of VA-API 1.0, which is libva 2.0 (libva.so.2), that encoding takes.
#define CVA_FUNCTIONS(FUNCTION)          \
    FUNCTION(vaInitialize)               \
    FUNCTION(vaTerminate)                \
    FUNCTION(vaErrorStr)                 \
    FUNCTION(vaSetErrorCallback)         \
    FUNCTION(vaSetInfoCallback)          \
    FUNCTION(vaQueryVendorString)        \
    FUNCTION(vaMaxNumProfiles)           \
    FUNCTION(vaMaxNumEntrypoints)        \
    FUNCTION(vaQueryConfigProfiles)      \
    FUNCTION(vaQueryConfigEntrypoints)   \
    FUNCTION(vaGetConfigAttributes)      \
    FUNCTION(vaCreateConfig)             \
    FUNCTION(vaDestroyConfig)            \
    FUNCTION(vaQuerySurfaceAttributes)   \
    FUNCTION(vaCreateSurfaces)           \
    FUNCTION(vaDestroySurfaces)          \
    FUNCTION(vaSyncSurface)              \
    FUNCTION(vaQuerySurfaceStatus)       \
    FUNCTION(vaCreateContext)            \
    FUNCTION(vaDestroyContext)           \
    FUNCTION(vaCreateBuffer)             \
    FUNCTION(vaDestroyBuffer)            \
    FUNCTION(vaMapBuffer)                \
    FUNCTION(vaUnmapBuffer)              \
    FUNCTION(vaBeginPicture)             \
    FUNCTION(vaRenderPicture)            \
    FUNCTION(vaEndPicture)               \
    FUNCTION(vaCreateImage)              \
    FUNCTION(vaDeriveImage)              \
    FUNCTION(vaDestroyImage)             \
    FUNCTION(vaPutImage)                 \
    FUNCTION(vaGetImage)

/// A pointer to each of them, and to what a machine may lack.
typedef struct {
#define CVA_POINTER(name) __typeof__(&name) name;
    CVA_FUNCTIONS(CVA_POINTER)
#undef CVA_POINTER
    /// Since libva 2.9 (VA-API 1.9); NULL before.
    __typeof__(&vaSyncBuffer) vaSyncBuffer;
    /// Since libva 2.1 (VA-API 1.1); NULL before.
    __typeof__(&vaExportSurfaceHandle) vaExportSurfaceHandle;
    /// NULL in a libva that has no names for attributes.
    __typeof__(&vaConfigAttribTypeStr) vaConfigAttribTypeStr;
    /// Of libva-drm; NULL without it: see `no_drm`.
    __typeof__(&vaGetDisplayDRM) vaGetDisplayDRM;
    /// Of libva-x11, for a connection of XOpenDisplay(); NULL without it or without libX11: see `no_x11`.
    VADisplay (*vaGetDisplay)(void *connection);
    /// Of libX11; NULL without it or without libva-x11.
    void *(*XOpenDisplay)(const char *name);
    int (*XCloseDisplay)(void *connection);
    /// Why vaGetDisplayDRM is NULL, and how to get it; NULL where it is there.
    const char *no_drm;
    /// Why vaGetDisplay is NULL, and how to get it; NULL where it is there.
    const char *no_x11;
} cva_functions;

/// The functions, valid for the life of the process; NULL where libva is missing or too old: see cva_missing().
const cva_functions *cva_open(void);

/// What is missing and how to get it; NULL where cva_open() has the functions.
const char *cva_missing(void);

/// Runs `body` with `name` when the process exits, before whatever was registered earlier; `name` is like no other.
void cva_at_exit(void (*body)(void *name), void *name);

/// Runs what is registered under `name` now, and not again.
void cva_take_back(void *name);

/// Sets one object of a descriptor; Swift does not see arrays of structures without a name.
static inline void cva_set_object(VADRMPRIMESurfaceDescriptor *descriptor, int index, int fd, uint32_t size,
                                  uint64_t modifier) {
    descriptor->objects[index].fd = fd;
    descriptor->objects[index].size = size;
    descriptor->objects[index].drm_format_modifier = modifier;
}

/// Sets one plane of a descriptor's first layer.
static inline void cva_set_plane(VADRMPRIMESurfaceDescriptor *descriptor, int index, uint32_t object, uint32_t offset,
                                 uint32_t pitch) {
    descriptor->layers[0].object_index[index] = object;
    descriptor->layers[0].offset[index] = offset;
    descriptor->layers[0].pitch[index] = pitch;
}

/// Sets what else a descriptor's only layer has.
static inline void cva_set_layer(VADRMPRIMESurfaceDescriptor *descriptor, uint32_t format, uint32_t planes) {
    descriptor->num_layers = 1;
    descriptor->layers[0].drm_format = format;
    descriptor->layers[0].num_planes = planes;
}

// What an exported descriptor has, by index.

static inline int cva_object_descriptor(VADRMPRIMESurfaceDescriptor descriptor, int index) {
    return descriptor.objects[index].fd;
}

static inline uint32_t cva_object_size(VADRMPRIMESurfaceDescriptor descriptor, int index) {
    return descriptor.objects[index].size;
}

static inline uint64_t cva_object_modifier(VADRMPRIMESurfaceDescriptor descriptor, int index) {
    return descriptor.objects[index].drm_format_modifier;
}

/// The planes of the first layer.
static inline uint32_t cva_plane_count(VADRMPRIMESurfaceDescriptor descriptor) {
    return descriptor.layers[0].num_planes;
}

static inline uint32_t cva_plane_object(VADRMPRIMESurfaceDescriptor descriptor, int index) {
    return descriptor.layers[0].object_index[index];
}

static inline uint32_t cva_plane_offset(VADRMPRIMESurfaceDescriptor descriptor, int index) {
    return descriptor.layers[0].offset[index];
}

static inline uint32_t cva_plane_pitch(VADRMPRIMESurfaceDescriptor descriptor, int index) {
    return descriptor.layers[0].pitch[index];
}

#endif
