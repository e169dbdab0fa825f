// SPDX-License-Identifier: MIT
// What the personalities of AMD's driver make of what they are given, as Mesa's sources of both generations have it.
#include <stdlib.h>
#include <string.h>

#include "contract.h"

/// Adds to the quantizers of all slices.
static void add_to_slices(client *c, VABufferType type, void *data, unsigned size) {
    (void)size;
    if (type != VAEncSliceParameterBufferType) return;
    if (c->settings.hevc) {
        ((VAEncSliceParameterBufferHEVC *)data)->slice_qp_delta += 7;
    } else {
        ((VAEncSliceParameterBufferH264 *)data)->slice_qp_delta += 7;
    }
}

/// Whether two clients, the second of which adds to the quantizers of slices, get the same bytes.
static bool is_same(const char *personality, bool hevc) {
    client c[2];
    bool done = true;
    for (int i = 0; i < 2; i++) {
        client_settings settings = settings_for(personality, hevc);
        start(personality, NULL);
        done = client_open(&c[i], &settings) && done;
        if (i == 1) c[i].change = add_to_slices;
        done = done && client_encode_all(&c[i]);
    }
    EXPECT(done, "%s: %s", personality, vaErrorStr(c[1].status));
    bool same = c[0].stream_size == c[1].stream_size && memcmp(c[0].stream, c[1].stream, c[0].stream_size) == 0;
    for (int i = 0; i < 2; i++) client_close(&c[i]);
    return same;
}

/// The types of the stream's first NAL units, as digits of a number, two each.
static unsigned long first_units(const client *c) {
    unsigned long types = 0;
    int count = 0;
    for (size_t i = 0; i + 3 < c->stream_size && count < 5; i++) {
        if (memcmp(c->stream + i, "\0\0\1", 3) != 0) continue;
        types = types * 100 + (c->settings.hevc ? c->stream[i + 3] >> 1 : c->stream[i + 3] & 31);
        count++;
    }
    return types;
}

/// Mesa 22.3 writes all headers, and goes by the quantizer of the picture alone; newer ones by what they are given.
void headers_of_mesa(void) {
    for (int hevc = 0; hevc < 2; hevc++) {
        EXPECT(is_same("radeonsi-old", hevc), "HEVC %d: slices change quantizers", hevc);
        EXPECT(!is_same("radeonsi-new", hevc), "HEVC %d: slices change no quantizers", hevc);
        client c;
        client_settings settings = settings_for("radeonsi-old", hevc);
        start("radeonsi-old", NULL);
        EXPECT(client_open(&c, &settings) && client_encode_all(&c), "%s", vaErrorStr(c.status));
        unsigned long types = first_units(&c), expected = hevc ? 3532333419ul : 907080509ul;
        EXPECT(hevc ? types == expected : types / 100 == 9070805ul, "NAL units %lu", types);
        EXPECT(c.segment_status == 0, "%#x", c.segment_status);
        client_close(&c);
    }
}

/// What Mesa leaves alone, and what it refuses.
void parameters_of_mesa(void) {
    static const char *const names[] = {"radeonsi-old", "radeonsi-new", "strict"};
    for (int i = 0; i < 3; i++) {
        client c;
        client_settings settings = settings_for(names[i], false);
        start(names[i], NULL);
        EXPECT(client_open(&c, &settings) && !vaBeginPicture(c.display, c.context, c.inputs[0]), "%s",
               vaErrorStr(c.status));
        VAStatus status = send_misc(&c, VAEncMiscParameterTypeHRD, 0);
        EXPECT(status == (i == 1 ? VA_STATUS_ERROR_INVALID_PARAMETER : VA_STATUS_SUCCESS), "%s: HRD %d", names[i], status);
        status = send_misc(&c, VAEncMiscParameterTypeSkipFrame, 1);
        EXPECT(status == (i < 2 ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_BUFFER), "%s: SkipFrame %d", names[i], status);
        status = send_misc(&c, VAEncMiscParameterTypeMaxFrameSize, 80000);
        EXPECT(status == VA_STATUS_SUCCESS, "%s: MaxFrameSize %d", names[i], status);
        client_close(&c);
    }
    client c;
    client_settings settings = settings_for("radeonsi-old", false);
    start("radeonsi-old", NULL);
    EXPECT(client_open(&c, &settings) && !vaBeginPicture(c.display, c.context, c.inputs[0]), "%s", vaErrorStr(c.status));
    VAEncPackedHeaderParameterBuffer header = {.type = VAEncPackedHeaderSequence, .bit_length = 40};
    uint8_t unit[] = {0, 0, 1, 0x67, 100};
    VABufferID ids[2];
    EXPECT(!vaCreateBuffer(c.display, c.context, VAEncPackedHeaderParameterBufferType, sizeof header, 1, &header, &ids[0]) &&
               !vaCreateBuffer(c.display, c.context, VAEncPackedHeaderDataBufferType, sizeof unit, 1, unit, &ids[1]),
           "buffers");
    VAStatus status = vaRenderPicture(c.display, c.context, ids, 2);
    EXPECT(status == VA_STATUS_ERROR_UNIMPLEMENTED, "%d", status);
    for (int i = 0; i < 2; i++) vaDestroyBuffer(c.display, ids[i]);
    client_close(&c);
}

/// Regions by priority, and more than there is room for, are refused with a status of Mesa's own.
void regions_of_mesa(void) {
    static const struct {
        const char *personality;
        unsigned count, are_deltas;
        VAStatus status;
    } rows[] = {
        {"radeonsi-new", 1, 1, VA_STATUS_SUCCESS},
        {"radeonsi-new", 0, 0, VA_STATUS_SUCCESS},
        {"radeonsi-new", 1, 0, VA_STATUS_ERROR_FLAG_NOT_SUPPORTED},
        {"radeonsi-new", 33, 1, VA_STATUS_ERROR_FLAG_NOT_SUPPORTED},
        {"ihd-tgl", 1, 0, VA_STATUS_ERROR_INVALID_BUFFER},
        {"ihd-tgl", 1, 1, VA_STATUS_SUCCESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        client c;
        client_settings settings = settings_for(rows[i].personality, false);
        VAEncROI regions[33];
        for (int k = 0; k < 33; k++) regions[k] = (VAEncROI){.roi_rectangle = {0, 0, 16, 16}, .roi_value = -3};
        struct {
            VAEncMiscParameterType type;
            // Right behind the type, pointer and all.
            uint8_t data[sizeof(VAEncMiscParameterBufferROI)];
        } buffer = {.type = VAEncMiscParameterTypeROI};
        VAEncMiscParameterBufferROI list;
        memset(&list, 0, sizeof list);
        list.num_roi = rows[i].count;
        list.min_delta_qp = -10;
        list.max_delta_qp = 10;
        list.roi = regions;
        list.roi_flags.bits.roi_value_is_qp_delta = rows[i].are_deltas;
        memcpy(buffer.data, &list, sizeof list);
        VABufferID id;
        start(rows[i].personality, NULL);
        EXPECT(client_open(&c, &settings) && !vaBeginPicture(c.display, c.context, c.inputs[0]) &&
                   !vaCreateBuffer(c.display, c.context, VAEncMiscParameterBufferType, sizeof buffer, 1, &buffer, &id),
               "%s", vaErrorStr(c.status));
        VAStatus status = vaRenderPicture(c.display, c.context, &id, 1);
        EXPECT(status == rows[i].status, "row %zu: %s", i, vaErrorStr(status));
        vaDestroyBuffer(c.display, id);
        client_close(&c);
    }
}
