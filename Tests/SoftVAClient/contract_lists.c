// SPDX-License-Identifier: MIT
// Lists whose counts are not theirs: each lies at the end of readable memory, so that reading one entry too many, or
// writing one, ends the program.
#include <limits.h>
#include <softva.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <va/va.h>
#include <va/va_backend_vpp.h>
#include <va/va_drmcommon.h>

#include "contract.h"

#define PAGE 4096

/// `size` bytes, behind which nothing can be read; never freed.
static void *at_the_edge(const void *bytes, size_t size) {
    uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0) exit(2);
    return memcpy(pages + PAGE - size, bytes, size);
}

static const int64_t counts[] = {-1, INT_MIN, INT_MAX, 1 << 20, 1000};

void hostile_counts(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    int surfaces = 2 * settings.pictures;
    VASurfaceID *inputs = at_the_edge(c.inputs, (size_t)settings.pictures * sizeof *c.inputs);
    VABufferID *coded = at_the_edge(&c.coded, sizeof c.coded);
    VAConfigAttrib attribute = {VAConfigAttribRTFormat, VA_RT_FORMAT_YUV420};
    VAConfigAttrib *attributes = at_the_edge(&attribute, sizeof attribute);
    VASurfaceAttrib format = {VASurfaceAttribPixelFormat, VA_SURFACE_ATTRIB_SETTABLE,
                              {VAGenericValueTypeInteger, {.i = VA_FOURCC_NV12}}};
    VASurfaceAttrib *formats = at_the_edge(&format, sizeof format);
    VAGenericID id;
    vaBeginPicture(c.display, c.context, c.inputs[0]);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int count = (int)counts[i];
        VAStatus refused[] = {
            vaDestroySurfaces(c.display, inputs, count),
            vaRenderPicture(c.display, c.context, coded, count),
            vaCreateContext(c.display, c.config, 64, 48, 0, inputs, count, &id),
            vaCreateConfig(c.display, settings.profile, c.entrypoint, attributes, count, &id),
            vaGetConfigAttributes(c.display, settings.profile, c.entrypoint, attributes, count),
            vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 64, 48, &id, 1, formats, (unsigned)count),
        };
        for (size_t call = 0; call < sizeof refused / sizeof *refused; call++) {
            EXPECT(refused[call] == VA_STATUS_ERROR_INVALID_PARAMETER, "call %zu, %d: %s", call, count,
                   vaErrorStr(refused[call]));
        }
        EXPECT(softva_count(SOFTVA_MISUSES) == 6 * (i + 1), "each is counted:\n%s", whole_report());
        unsigned bytes = (unsigned)count;
        EXPECT(vaCreateBuffer(c.display, c.context, VAEncCodedBufferType, 4096, bytes, NULL, &id), "%u coded", bytes);
        EXPECT(vaCreateBuffer(c.display, c.context, VAEncSliceParameterBufferType, 3140, bytes, NULL, &id), "%u slices",
               bytes);
        if (bytes < 1 << 20) continue;
        EXPECT(vaCreateBuffer(c.display, c.context, VAEncPackedHeaderDataBufferType, bytes, 1, coded, &id), "%u bytes",
               bytes);
        EXPECT(vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 4096, 4096, inputs, bytes, NULL, 0), "%u surfaces", bytes);
    }
    VAStatus absent[] = {
        vaDestroySurfaces(c.display, NULL, 1),
        vaRenderPicture(c.display, c.context, NULL, 1),
        vaCreateContext(c.display, c.config, 64, 48, 0, NULL, 1, &id),
        vaCreateConfig(c.display, settings.profile, c.entrypoint, NULL, 1, &id),
        vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 64, 48, NULL, 1, NULL, 0),
        vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 64, 48, &id, 1, NULL, 1),
    };
    for (size_t call = 0; call < sizeof absent / sizeof *absent; call++) {
        EXPECT(absent[call] == VA_STATUS_ERROR_INVALID_PARAMETER, "call %zu: %s", call, vaErrorStr(absent[call]));
    }
    EXPECT(vaDestroyConfig(c.display, c.context) == VA_STATUS_ERROR_INVALID_CONFIG, "a context is no configuration");
    EXPECT(vaDestroyContext(c.display, c.config) == VA_STATUS_ERROR_INVALID_CONTEXT, "a configuration is no context");
    EXPECT(vaDestroyBuffer(c.display, c.inputs[0]) == VA_STATUS_ERROR_INVALID_BUFFER, "a surface is no buffer");
    EXPECT(vaCreateContext(c.display, c.config, 64, 48, 0, &c.coded, 1, &id) == VA_STATUS_ERROR_INVALID_SURFACE,
           "a buffer is no surface");
    EXPECT(vaCreateContext(c.display, c.config, 64, 48, 0, c.inputs, settings.pictures, &id) == VA_STATUS_SUCCESS,
           "honest targets");
    vaDestroyContext(c.display, id);
    vaEndPicture(c.display, c.context);
    client_close(&c);
    EXPECT(softva_count(SOFTVA_LEAKS) == 0, "of %d surfaces none was lost:\n%s", surfaces, whole_report());
}

/// One descriptor for two surfaces.
void lone_descriptor(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    VADRMPRIMESurfaceDescriptor shape;
    vaExportSurfaceHandle(c.display, c.inputs[0], VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2,
                          VA_EXPORT_SURFACE_READ_ONLY | VA_EXPORT_SURFACE_SEPARATE_LAYERS, &shape);
    VASurfaceAttrib attributes[2] = {
        {VASurfaceAttribMemoryType, VA_SURFACE_ATTRIB_SETTABLE,
         {VAGenericValueTypeInteger, {.i = VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2}}},
        {VASurfaceAttribExternalBufferDescriptor, VA_SURFACE_ATTRIB_SETTABLE,
         {VAGenericValueTypePointer, {.p = at_the_edge(&shape, sizeof shape)}}}};
    VASurfaceID ids[2];
    EXPECT(vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 62, 46, ids, 2, attributes, 2) ==
               VA_STATUS_ERROR_INVALID_PARAMETER, "refused");
    close(shape.objects[0].fd);
    client_close(&c);
}

/// libva calls most entries of the table without asking whether they are there.
void whole_table(void) {
    VADisplay display = softva_display_open();
    VADriverContextP driver = ((VADisplayContextP)display)->pDriverContext;
    void *entries[offsetof(struct VADriverVTable, reserved) / sizeof(void *)];
    memcpy(entries, driver->vtable, sizeof entries);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) EXPECT(entries[i] != NULL, "entry %zu", i);
    void *error;
    EXPECT(vaQuerySurfaceError(display, 0, VA_STATUS_ERROR_ENCODING_ERROR, &error) == VA_STATUS_ERROR_UNIMPLEMENTED,
           "no errors");
    const struct VADriverVTableVPP *processing = driver->vtable_vpp;
    EXPECT(processing->vaQueryVideoProcFilters && processing->vaQueryVideoProcFilterCaps &&
               processing->vaQueryVideoProcPipelineCaps, "video processing");
    int major, minor;
    EXPECT(vaInitialize(display, &major, &minor) != VA_STATUS_SUCCESS, "the display is initialised already");
    softva_display_close(display);
}

/// A destroyed object's id is not given out again soon.
void stale_ids(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    enum { COUNT = 100000 };
    VABufferID *ids = malloc(COUNT * sizeof *ids);
    for (int i = 0; i < COUNT; i++) {
        vaCreateBuffer(c.display, c.context, VAEncPackedHeaderDataBufferType, 1, 1, NULL, &ids[i]);
        vaDestroyBuffer(c.display, ids[i]);
    }
    int taken = 0;
    for (int i = 0; i < COUNT; i++) taken += vaDestroyBuffer(c.display, ids[i]) == VA_STATUS_SUCCESS;
    EXPECT(taken == 0 && softva_count(SOFTVA_MISUSES) == COUNT, "%d taken, %zu noticed", taken,
           softva_count(SOFTVA_MISUSES));
    free(ids);
    client_close(&c);
}

/// In a child of the process that opened it a display does nothing, and does not hang.
void child_process(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings) && client_encode(&c), "%s", vaErrorStr(c.status));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(10);
        bool encoded = client_encode(&c);
        softva_display_close(c.display);
        _exit(encoded || softva_count(SOFTVA_MISUSES) == 0);
    }
    int status = -1;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0, "%#x", (unsigned)status);
    EXPECT(client_encode(&c), "the parent goes on: %s", vaErrorStr(c.status));
    client_close(&c);
}
