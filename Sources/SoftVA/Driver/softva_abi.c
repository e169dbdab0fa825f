// SPDX-License-Identifier: MIT
// The table of functions that libva calls: those that touch objects take the driver's lock, and
// fail once the device is lost.
#include <stdlib.h>
#include <va/va_backend.h>
#include <va/va_backend_vpp.h>

#include "softva_buffer.h"
#include "softva_config.h"
#include "softva_context.h"
#include "softva_display.h"
#include "softva_image.h"
#include "softva_surface.h"
#include "softva_unimplemented.h"

/// The driver with its lock held; NULL in a child of the process that opened it, where the worker does not run.
static sv_driver *enter(VADriverContextP c) {
    sv_must_be_loaded();
    sv_driver *driver = c->pDriverData;
    if (sv_is_inherited(driver)) return NULL;
    pthread_mutex_lock(&driver->lock);
    return driver;
}

/// Defines abi_`name`, which calls sv_`name` with the lock held.
#define LOCKED(name, parameters, ...)                                                        \
    static VAStatus abi_##name parameters {                                                  \
        sv_driver *driver = enter(c);                                                        \
        if (!driver) return VA_STATUS_ERROR_OPERATION_FAILED;                                \
        VAStatus result = driver->lost ? VA_STATUS_ERROR_OPERATION_FAILED : sv_##name(driver, __VA_ARGS__); \
        pthread_mutex_unlock(&driver->lock);                                                 \
        return result;                                                                       \
    }

LOCKED(query_profiles, (VADriverContextP c, VAProfile *list, int *count), list, count)
LOCKED(query_entrypoints, (VADriverContextP c, VAProfile profile, VAEntrypoint *list, int *count), profile, list, count)
LOCKED(get_attributes, (VADriverContextP c, VAProfile profile, VAEntrypoint entry, VAConfigAttrib *list, int count),
       profile, entry, list, count)
LOCKED(create_config,
       (VADriverContextP c, VAProfile profile, VAEntrypoint entry, VAConfigAttrib *list, int count, VAConfigID *id),
       profile, entry, list, count, id)
LOCKED(query_config,
       (VADriverContextP c, VAConfigID id, VAProfile *profile, VAEntrypoint *entry, VAConfigAttrib *list, int *count), id,
       profile, entry, list, count)
LOCKED(query_surface_attributes, (VADriverContextP c, VAConfigID id, VASurfaceAttrib *list, unsigned *count), id, list,
       count)
LOCKED(create_surfaces,
       (VADriverContextP c, unsigned format, unsigned width, unsigned height, VASurfaceID *ids, unsigned count,
        VASurfaceAttrib *list, unsigned list_count),
       format, width, height, ids, count, list, list_count)
LOCKED(create_context,
       (VADriverContextP c, VAConfigID config, int width, int height, VASurfaceID *targets, int count, VAContextID *id),
       config, width, height, targets, count, id)
LOCKED(create_buffer,
       (VADriverContextP c, VAContextID context, VABufferType type, unsigned size, unsigned elements, void *data,
        VABufferID *id),
       context, type, size, elements, data, id)
LOCKED(set_elements, (VADriverContextP c, VABufferID id, unsigned elements), id, elements)
LOCKED(map_buffer, (VADriverContextP c, VABufferID id, void **data), id, data)
LOCKED(unmap_buffer, (VADriverContextP c, VABufferID id), id)
LOCKED(sync_surface, (VADriverContextP c, VASurfaceID id, uint64_t timeout), id, timeout)
LOCKED(sync_buffer, (VADriverContextP c, VABufferID id, uint64_t timeout), id, timeout)
LOCKED(surface_status, (VADriverContextP c, VASurfaceID id, VASurfaceStatus *status), id, status)
LOCKED(query_image_formats, (VADriverContextP c, VAImageFormat *list, int *count), list, count)
LOCKED(create_image, (VADriverContextP c, VAImageFormat *format, int width, int height, VAImage *image), format, width,
       height, image)
LOCKED(derive_image, (VADriverContextP c, VASurfaceID id, VAImage *image), id, image)
LOCKED(get_image, (VADriverContextP c, VASurfaceID id, int x, int y, unsigned width, unsigned height, VAImageID image),
       id, (sv_area){x, y, width, height}, image)
LOCKED(put_image,
       (VADriverContextP c, VASurfaceID id, VAImageID image, int from_x, int from_y, unsigned from_width,
        unsigned from_height, int x, int y, unsigned width, unsigned height),
       id, image, (sv_area){from_x, from_y, from_width, from_height}, (sv_area){x, y, width, height})
LOCKED(buffer_info, (VADriverContextP c, VABufferID id, VABufferType *type, unsigned *size, unsigned *elements), id,
       type, size, elements)
LOCKED(surface_export, (VADriverContextP c, VASurfaceID id, uint32_t type, uint32_t flags, void *descriptor), id, type,
       flags, descriptor)

/// Like LOCKED, for what frees an object: a lost device still gives its objects back, and says that it is lost.
#define RELEASING(name, parameters, ...)                                         \
    static VAStatus abi_##name parameters {                                      \
        sv_driver *driver = enter(c);                                            \
        if (!driver) return VA_STATUS_ERROR_OPERATION_FAILED;                    \
        VAStatus result = sv_##name(driver, __VA_ARGS__);                        \
        if (driver->lost) result = VA_STATUS_ERROR_OPERATION_FAILED;             \
        pthread_mutex_unlock(&driver->lock);                                     \
        return result;                                                           \
    }

RELEASING(destroy_config, (VADriverContextP c, VAConfigID id), id)
RELEASING(destroy_surfaces, (VADriverContextP c, VASurfaceID *ids, int count), ids, count)
RELEASING(destroy_context, (VADriverContextP c, VAContextID id), id)
RELEASING(destroy_buffer, (VADriverContextP c, VABufferID id), id)
RELEASING(destroy_image, (VADriverContextP c, VAImageID id), id)

/// Threads in Begin, Render and End of a context, where only one at a time may be.
static unsigned char *threads_in(VADriverContextP c, VAContextID context) {
    return &((sv_driver *)c->pDriverData)->inside[context & (SV_MAX_SLOTS - 1)];
}

static void come_into(VADriverContextP c, VAContextID context, const char *call) {
    if (__atomic_fetch_add(threads_in(c, context), 1, __ATOMIC_ACQ_REL)) sv_misuse(call, "two threads in one context");
}

static VAStatus go_out_of(VADriverContextP c, VAContextID context, VAStatus result) {
    __atomic_fetch_sub(threads_in(c, context), 1, __ATOMIC_ACQ_REL);
    return result;
}

LOCKED(begin_picture, (VADriverContextP c, VAContextID context, VASurfaceID surface), context, surface)
LOCKED(render_picture, (VADriverContextP c, VAContextID context, VABufferID *list, int count), context, list, count)
LOCKED(end_picture, (VADriverContextP c, VAContextID context), context)

static VAStatus begin_picture(VADriverContextP c, VAContextID context, VASurfaceID surface) {
    come_into(c, context, "vaBeginPicture");
    return go_out_of(c, context, abi_begin_picture(c, context, surface));
}

static VAStatus render_picture(VADriverContextP c, VAContextID context, VABufferID *list, int count) {
    come_into(c, context, "vaRenderPicture");
    return go_out_of(c, context, abi_render_picture(c, context, list, count));
}

static VAStatus end_picture(VADriverContextP c, VAContextID context) {
    come_into(c, context, "vaEndPicture");
    return go_out_of(c, context, abi_end_picture(c, context));
}

static VAStatus old_create_surfaces(VADriverContextP c, int width, int height, int format, int count,
                                    VASurfaceID *ids) {
    return abi_create_surfaces(c, (unsigned)format, (unsigned)width, (unsigned)height, ids, (unsigned)count, NULL, 0);
}

static VAStatus old_create_context(VADriverContextP c, VAConfigID config, int width, int height, int flag,
                                   VASurfaceID *targets, int count, VAContextID *id) {
    (void)flag;
    return abi_create_context(c, config, width, height, targets, count, id);
}

static VAStatus old_sync_surface(VADriverContextP c, VASurfaceID id) {
    return abi_sync_surface(c, id, VA_TIMEOUT_INFINITE);
}

static VAStatus terminate(VADriverContextP c) {
    sv_driver_close(c->pDriverData);
    c->pDriverData = NULL;
    return VA_STATUS_SUCCESS;
}

static VAStatus sv_query_none(sv_driver *driver, unsigned *count) {
    (void)driver;
    *count = 0;
    return VA_STATUS_SUCCESS;
}

LOCKED(query_none, (VADriverContextP c, unsigned *count), count)

static VAStatus query_subpicture_formats(VADriverContextP c, VAImageFormat *list, unsigned *flags, unsigned *count) {
    (void)list, (void)flags;
    return abi_query_none(c, count);
}

static VAStatus query_display_attributes(VADriverContextP c, VADisplayAttribute *list, int *count) {
    (void)list;
    return abi_query_none(c, (unsigned *)count);
}

static void fill_table(struct VADriverVTable *table) {
    table->vaTerminate = terminate;
    table->vaQueryConfigProfiles = abi_query_profiles;
    table->vaQueryConfigEntrypoints = abi_query_entrypoints;
    table->vaGetConfigAttributes = abi_get_attributes;
    table->vaCreateConfig = abi_create_config;
    table->vaDestroyConfig = abi_destroy_config;
    table->vaQueryConfigAttributes = abi_query_config;
    table->vaCreateSurfaces = old_create_surfaces;
    table->vaDestroySurfaces = abi_destroy_surfaces;
    table->vaCreateContext = old_create_context;
    table->vaDestroyContext = abi_destroy_context;
    table->vaCreateBuffer = abi_create_buffer;
    table->vaBufferSetNumElements = abi_set_elements;
    table->vaMapBuffer = abi_map_buffer;
    table->vaUnmapBuffer = abi_unmap_buffer;
    table->vaDestroyBuffer = abi_destroy_buffer;
    table->vaBeginPicture = begin_picture;
    table->vaRenderPicture = render_picture;
    table->vaEndPicture = end_picture;
    table->vaSyncSurface = old_sync_surface;
    table->vaQuerySurfaceStatus = abi_surface_status;
    table->vaQueryImageFormats = abi_query_image_formats;
    table->vaCreateImage = abi_create_image;
    table->vaDeriveImage = abi_derive_image;
    table->vaDestroyImage = abi_destroy_image;
    table->vaGetImage = abi_get_image;
    table->vaPutImage = abi_put_image;
    table->vaQuerySubpictureFormats = query_subpicture_formats;
    table->vaQueryDisplayAttributes = query_display_attributes;
    table->vaBufferInfo = abi_buffer_info;
    table->vaCreateSurfaces2 = abi_create_surfaces;
    table->vaQuerySurfaceAttributes = abi_query_surface_attributes;
    table->vaExportSurfaceHandle = abi_surface_export;
    table->vaSyncSurface2 = abi_sync_surface;
    table->vaSyncBuffer = abi_sync_buffer;
}

VAStatus __vaDriverInit_1_0(VADriverContextP c) {
    sv_driver *driver = sv_driver_open();
    if (!driver) return VA_STATUS_ERROR_OPERATION_FAILED;
    c->pDriverData = driver;
    c->version_major = VA_MAJOR_VERSION;
    c->version_minor = VA_MINOR_VERSION;
    c->max_profiles = SV_MAX_PROFILES;
    c->max_entrypoints = 2;
    c->max_attributes = 64;
    c->max_image_formats = SV_IMAGE_FORMATS;
    c->max_subpic_formats = 1;
    c->max_display_attributes = 1;
    c->str_vendor = driver->personality->vendor;
    fill_table(c->vtable);
    sv_fill_unimplemented(c->vtable, c->vtable_vpp);
    return VA_STATUS_SUCCESS;
}

VAStatus SOFTVA_INIT(VA_MINOR_VERSION)(VADriverContextP c) { return __vaDriverInit_1_0(c); }
