// SPDX-License-Identifier: MIT
// Parameters that no honest program sends.
#include <softva.h>
#include <stdlib.h>
#include <string.h>
#include <va/va.h>
#include <va/va_enc_hevc.h>

#include "contract.h"

/// Asks for one picture in eighteen hours.
static void slow_down(client *c, VABufferType type, void *data, unsigned size) {
    (void)c;
    VAEncMiscParameterType misc;
    memcpy(&misc, data, sizeof misc);
    if (type != VAEncMiscParameterBufferType || misc != VAEncMiscParameterTypeFrameRate) return;
    VAEncMiscParameterFrameRate rate = {.framerate = 0xffff0001};
    memcpy((uint8_t *)data + 4, &rate, size - 4);
}

void endless_filler(void) {
    for (int hevc = 0; hevc < 2; hevc++) {
        client c;
        client_settings settings = client_defaults(hevc);
        settings.rate_control = VA_RC_CBR;
        settings.bits_per_second = UINT32_MAX;
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        c.change = slow_down;
        EXPECT(!client_encode(&c) && c.status == VA_STATUS_ERROR_NOT_ENOUGH_BUFFER, "%s", vaErrorStr(c.status));
        client_close(&c);
    }
}

/// Moves the current picture, or what it refers to in one of the three lists, as far away as a number can say.
static void move_order(client *c, VABufferType type, void *data, unsigned size) {
    int32_t far = c->change_count < 4 ? INT32_MAX : INT32_MIN;
    if (type == VAEncPictureParameterBufferType && size == sizeof(VAEncPictureParameterBufferHEVC)) {
        VAEncPictureParameterBufferHEVC *picture = data;
        if (c->change_count % 4 == 0) picture->decoded_curr_pic.pic_order_cnt = far;
        if (c->change_count % 4 == 1) picture->reference_frames[0].pic_order_cnt = far;
    }
    if (type == VAEncSliceParameterBufferType && size == sizeof(VAEncSliceParameterBufferHEVC)) {
        VAEncSliceParameterBufferHEVC *slice = data;
        if (c->change_count % 4 == 2) slice->ref_pic_list0[0].pic_order_cnt = far;
        if (c->change_count % 4 == 3) slice->ref_pic_list1[0].pic_order_cnt = far;
    }
}

void far_orders(void) {
    client c;
    client_settings settings = client_defaults(true);
    for (int where = 0; where < 8; where++) {
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        EXPECT(client_encode(&c) && client_encode(&c), "%s", vaErrorStr(c.status));
        c.change = move_order;
        c.change_count = where;
        EXPECT(!client_encode(&c) && c.status == VA_STATUS_ERROR_INVALID_PARAMETER, "%d: %s", where,
               vaErrorStr(c.status));
        EXPECT(strstr(whole_report(), "pic_order_cnt: "), "%d: %s", where, whole_report());
        client_close(&c);
    }
}

/// Makes every packed slice header end inside its start code.
static void cut(client *c, VABufferType type, void *data, unsigned size) {
    VAEncPackedHeaderParameterBuffer header;
    (void)c;
    if (type != VAEncPackedHeaderParameterBufferType || size != sizeof header) return;
    memcpy(&header, data, size);
    if (header.type == VAEncPackedHeaderSlice) header.bit_length = 31;
    memcpy(data, &header, size);
}

void cut_headers(void) {
    for (int hevc = 0; hevc < 2; hevc++) {
        client c;
        client_settings settings = client_defaults(hevc);
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        c.change = cut;
        client_encode(&c);
        EXPECT(strstr(whole_report(), "packed.bit_length: the header ends"), "%s", whole_report());
        client_close(&c);
    }
}

/// Makes all references the same picture in order, so that the driver's own slice headers count a distance below one.
static void join_orders(client *c, VABufferType type, void *data, unsigned size) {
    (void)c;
    if (type != VAEncPictureParameterBufferType || size != sizeof(VAEncPictureParameterBufferHEVC)) return;
    VAEncPictureParameterBufferHEVC *picture = data;
    for (int i = 1; i < 15; i++) picture->reference_frames[i].pic_order_cnt = picture->reference_frames[0].pic_order_cnt;
}

void equal_orders(void) {
    client c;
    client_settings settings = client_defaults(true);
    settings.packed &= ~(uint32_t)VA_ENC_PACKED_HEADER_SLICE;
    settings.b_pictures = false;
    start("strict", NULL);
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    c.change = join_orders;
    EXPECT(client_encode_all(&c), "%s: %s", c.failed, vaErrorStr(c.status));
    EXPECT(strstr(whole_report(), "picture.reference_frames.pic_order_cnt"), "%s", whole_report());
    client_close(&c);
}

/// Buffers of all types and of sizes that do not belong to them, each rendered alone.
void odd_buffers(void) {
    for (int hevc = 0; hevc < 2; hevc++) {
        client c;
        client_settings settings = client_defaults(hevc);
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        for (VABufferType type = VAEncCodedBufferType; type <= VAEncMacroblockMapBufferType; type++) {
            for (unsigned size = 0; size < 9000; size += size < 70 ? 1 : 517) {
                VABufferID id;
                void *data;
                if (vaCreateBuffer(c.display, c.context, type, size, 1, NULL, &id) != VA_STATUS_SUCCESS) continue;
                vaBufferSetNumElements(c.display, id, UINT32_MAX);
                vaBeginPicture(c.display, c.context, c.inputs[0]);
                vaRenderPicture(c.display, c.context, &id, 1);
                EXPECT(vaEndPicture(c.display, c.context) != VA_STATUS_SUCCESS, "type %d, %u bytes", type, size);
                if (vaMapBuffer(c.display, id, &data) == VA_STATUS_SUCCESS) vaUnmapBuffer(c.display, id);
                EXPECT(vaDestroyBuffer(c.display, id) == VA_STATUS_SUCCESS, "type %d, %u bytes", type, size);
            }
        }
        client_close(&c);
        EXPECT(softva_count(SOFTVA_LEAKS) == 0, "%s", whole_report());
    }
}
