// SPDX-License-Identifier: MIT
#include <softva.h>
#include <string.h>
#include <unistd.h>
#include <va/va.h>
#include <va/va_drmcommon.h>

#include "contract.h"

void rates(void) {
    for (int hevc = 0; hevc < 2; hevc++) {
        client c;
        client_settings settings = client_defaults(hevc);
        settings.b_pictures = false;
        settings.pictures = 8;
        settings.rate_control = VA_RC_CBR;
        settings.bits_per_second = 400000;
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        for (int i = 0; i < 4; i++) EXPECT(client_encode(&c), "%s", vaErrorStr(c.status));
        unsigned before = c.segment_status & 0xff;
        c.settings.bits_per_second = 60000;
        for (int i = 4; i < 8; i++) EXPECT(client_encode(&c), "%s", vaErrorStr(c.status));
        char why[160];
        EXPECT((c.segment_status & 0xff) > before, "QP %u to %u", before, c.segment_status & 0xff);
        EXPECT(c.picture_sizes[7] < c.picture_sizes[3], "%zu to %zu bytes", c.picture_sizes[3], c.picture_sizes[7]);
        EXPECT(client_matches(&c, why), "%s", why);
        client_close(&c);
        settings.bits_per_second = 40000000;
        EXPECT(client_open(&c, &settings) && client_encode_all(&c), "%s", vaErrorStr(c.status));
        EXPECT(c.picture_sizes[7] > 4 * c.picture_sizes[6] && client_matches(&c, why),
               "filler: %zu and %zu bytes, %s", c.picture_sizes[6], c.picture_sizes[7], why);
        client_close(&c);
    }
}

void shared_memory(void) {
    client c;
    client_settings settings = client_defaults(false);
    settings.b_pictures = false;
    start("strict", NULL);
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    VASurfaceID imported;
    VADRMPRIMESurfaceDescriptor shape;
    for (unsigned layers = 0; layers < 2; layers++) {
        uint32_t flags = VA_EXPORT_SURFACE_READ_ONLY |
                         (layers ? VA_EXPORT_SURFACE_COMPOSED_LAYERS : VA_EXPORT_SURFACE_SEPARATE_LAYERS);
        EXPECT(vaExportSurfaceHandle(c.display, c.inputs[0], VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2, flags, &shape) ==
                   VA_STATUS_SUCCESS, "exports");
        VASurfaceAttrib attributes[2] = {
            {VASurfaceAttribMemoryType, VA_SURFACE_ATTRIB_SETTABLE,
             {VAGenericValueTypeInteger, {.i = VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2}}},
            {VASurfaceAttribExternalBufferDescriptor, VA_SURFACE_ATTRIB_SETTABLE,
             {VAGenericValueTypePointer, {.p = &shape}}}};
        EXPECT(vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 62, 46, &imported, 1, attributes, 2) ==
                   VA_STATUS_SUCCESS, "imports");
        shape.objects[0].drm_format_modifier = 1;
        VASurfaceID refused;
        EXPECT(vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 62, 46, &refused, 1, attributes, 2) ==
                   VA_STATUS_ERROR_INVALID_PARAMETER, "another modifier is refused");
        shape.objects[0].drm_format_modifier = 0;
        shape.layers[layers ? 0 : 1].offset[layers] = 4096;
        EXPECT(vaCreateSurfaces(c.display, VA_RT_FORMAT_YUV420, 62, 46, &refused, 1, attributes, 2) ==
                   VA_STATUS_ERROR_INVALID_PARAMETER, "planes that share memory are refused");
        close(shape.objects[0].fd);
        if (layers == 0) vaDestroySurfaces(c.display, &imported, 1);
    }
    VASurfaceID own = c.inputs[0];
    c.inputs[0] = imported;
    char why[160];
    EXPECT(client_encode_all(&c) && client_matches(&c, why), "%s %s", vaErrorStr(c.status), why);
    vaDestroySurfaces(c.display, &own, 1);
    client_close(&c);
    EXPECT(softva_count(SOFTVA_VIOLATIONS) + softva_count(SOFTVA_MISUSES) + softva_count(SOFTVA_LEAKS) == 0, "%s",
           whole_report());

    // A tiled derived image is written as if it were linear: the picture is another one.
    client plain;
    start("strict", NULL);
    EXPECT(client_open(&plain, &settings) && client_encode(&plain), "%s", vaErrorStr(plain.status));
    start("strict", "derive=tiled");
    EXPECT(client_open(&c, &settings) && client_encode(&c), "%s", vaErrorStr(c.status));
    EXPECT(memcmp(plain.shown[0], c.shown[0], client_picture_size(&c)) != 0, "tiles show");
    client_close(&plain);
    client_close(&c);
    start("strict", "derive=operation_failed");
    EXPECT(client_open(&c, &settings) && client_encode_all(&c) && client_matches(&c, why), "PutImage serves too");
    client_close(&c);
}
