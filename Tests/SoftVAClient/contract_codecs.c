// SPDX-License-Identifier: MIT
// Buffers of every type in the context of either codec, of the other codec, and of none.
#include <softva.h>
#include <string.h>
#include <va/va.h>
#include <va/va_enc_h264.h>
#include <va/va_enc_hevc.h>

#include "contract.h"

typedef struct {
    VABufferType type;
    unsigned sizes[2];  // of the structure, H.264's and HEVC's
} Row;

static const Row rows[] = {
    {VAEncSequenceParameterBufferType, {sizeof(VAEncSequenceParameterBufferH264), sizeof(VAEncSequenceParameterBufferHEVC)}},
    {VAEncPictureParameterBufferType, {sizeof(VAEncPictureParameterBufferH264), sizeof(VAEncPictureParameterBufferHEVC)}},
    {VAEncSliceParameterBufferType, {sizeof(VAEncSliceParameterBufferH264), sizeof(VAEncSliceParameterBufferHEVC)}},
    {VAEncPackedHeaderParameterBufferType,
     {sizeof(VAEncPackedHeaderParameterBuffer), sizeof(VAEncPackedHeaderParameterBuffer)}},
    {VAEncPackedHeaderDataBufferType, {40, 40}},
    {VAEncMiscParameterBufferType, {40, 40}},
    {VAEncCodedBufferType, {4096, 4096}},
};
#define ROWS (sizeof rows / sizeof *rows)

/// Whether `status` is an error and exactly this field was named since the last call.
static bool is_named(VAStatus status, const char *field) {
    char line[64];
    snprintf(line, sizeof line, "violation %s: ", field);
    bool named = status != VA_STATUS_SUCCESS && strstr(whole_report(), line);
    softva_reset();
    return named;
}

/// Opens both codecs' contexts on the first client's display; the second's are closed with it.
static bool open_both(client *c, VAConfigID *config, VAContextID contexts[2]) {
    client_settings settings = client_defaults(false);
    VAConfigAttrib packed = {VAConfigAttribEncPackedHeaders, 0x1f};
    bool opened = client_open(c, &settings) &&
                  !vaCreateConfig(c->display, VAProfileHEVCMain, VAEntrypointEncSlice, &packed, 1, config) &&
                  !vaCreateContext(c->display, *config, 64, 48, VA_PROGRESSIVE, NULL, 0, &contexts[1]);
    contexts[0] = c->context;
    return opened;
}

void types_of_buffers(void) {
    static const char *const names[ROWS] = {"sequence", "picture", "slice", "packed"};
    client c;
    VAConfigID config;
    VAContextID contexts[2];
    VABufferID id;
    start("strict", NULL);
    EXPECT(open_both(&c, &config, contexts), "%s", vaErrorStr(c.status));
    for (int hevc = 0; hevc < 2; hevc++) {
        for (int type = 0; type < VABufferTypeMax; type++) {
            const Row *row = NULL;
            for (size_t i = 0; i < ROWS; i++) row = rows[i].type == (VABufferType)type ? &rows[i] : row;
            if (!row) {
                VAStatus status = vaCreateBuffer(c.display, contexts[hevc], (VABufferType)type, 64, 1, NULL, &id);
                EXPECT(status == VA_STATUS_ERROR_UNSUPPORTED_BUFFERTYPE && is_named(status, "buffer.type"), "%d", type);
                continue;
            }
            VAStatus status = vaCreateBuffer(c.display, contexts[hevc], row->type, row->sizes[hevc], 1, NULL, &id);
            EXPECT(status == VA_STATUS_SUCCESS, "%d: %s", type, vaErrorStr(status));
            vaDestroyBuffer(c.display, id);
            if (!names[row - rows]) continue;
            // The other codec's structure, and the own one cut short or with more behind it.
            unsigned wrong[] = {row->sizes[1 - hevc], row->sizes[hevc] - 1, row->sizes[hevc] + 4, 1};
            for (size_t i = row->sizes[0] == row->sizes[1]; i < sizeof wrong / sizeof *wrong; i++) {
                status = vaCreateBuffer(c.display, contexts[hevc], row->type, wrong[i], 1, NULL, &id);
                EXPECT(status == VA_STATUS_ERROR_INVALID_PARAMETER && is_named(status, names[row - rows]),
                       "type %d, %u bytes: %s", type, wrong[i], vaErrorStr(status));
            }
        }
    }
    EXPECT(softva_count(SOFTVA_VIOLATIONS) == 0, "%s", whole_report());
    vaDestroyContext(c.display, contexts[1]);
    vaDestroyConfig(c.display, config);
    client_close(&c);
}

/// Buffers made for one context, rendered in another of the other codec or of the same.
void buffers_of_other_contexts(void) {
    client c;
    VAConfigID config;
    VAContextID contexts[3];
    start("strict", NULL);
    EXPECT(open_both(&c, &config, contexts), "%s", vaErrorStr(c.status));
    EXPECT(!vaCreateContext(c.display, config, 64, 48, VA_PROGRESSIVE, NULL, 0, &contexts[2]), "a second of HEVC");
    for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
            for (size_t i = 0; i < ROWS && from != to; i++) {
                VABufferID id;
                VAStatus status = vaCreateBuffer(c.display, contexts[from], rows[i].type, rows[i].sizes[from > 0], 1, NULL,
                                                 &id);
                EXPECT(status == VA_STATUS_SUCCESS, "%s", vaErrorStr(status));
                EXPECT(!vaBeginPicture(c.display, contexts[to], c.inputs[0]), "begins");
                status = vaRenderPicture(c.display, contexts[to], &id, 1);
                EXPECT(status == VA_STATUS_ERROR_INVALID_BUFFER && is_named(status, "buffer.context"), "%zu, %d to %d: %s", i,
                       from, to, vaErrorStr(status));
                EXPECT(vaEndPicture(c.display, contexts[to]) != VA_STATUS_SUCCESS, "and cannot be ended");
                vaDestroyBuffer(c.display, id);
                softva_reset();
            }
        }
    }
    // A coded buffer of another context is named by its id.
    VABufferID own = c.coded;
    EXPECT(!vaCreateBuffer(c.display, contexts[1], VAEncCodedBufferType, 1 << 16, 1, NULL, &c.coded), "another");
    EXPECT(!client_encode(&c) && is_named(c.status, "picture.coded_buf"), "%s\n%s", vaErrorStr(c.status), whole_report());
    vaDestroyBuffer(c.display, c.coded);
    c.coded = own;
    for (int i = 1; i < 3; i++) vaDestroyContext(c.display, contexts[i]);
    vaDestroyConfig(c.display, config);
    client_close(&c);
}

/// Encoders' buffers in contexts of something else: there is none for video processing, and other objects are no
/// context.
void buffers_without_context(void) {
    client c;
    client_settings settings = client_defaults(true);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    VAConfigID config;
    EXPECT(vaCreateConfig(c.display, VAProfileNone, VAEntrypointVideoProc, NULL, 0, &config) ==
               VA_STATUS_ERROR_UNSUPPORTED_PROFILE, "no video processing");
    VAContextID others[] = {VA_INVALID_ID, 0, c.config, c.inputs[0], c.coded, 0x7fffffff};
    for (size_t other = 0; other < sizeof others / sizeof *others; other++) {
        for (size_t i = 0; i < ROWS; i++) {
            VABufferID id;
            VAStatus status = vaCreateBuffer(c.display, others[other], rows[i].type, rows[i].sizes[1], 1, NULL, &id);
            EXPECT(status == VA_STATUS_ERROR_INVALID_CONTEXT && is_named(status, "buffer.context"), "%#x, %zu: %s",
                   others[other], i, vaErrorStr(status));
        }
    }
    // An image's memory is no parameter, and its buffer is the image's to free.
    VAImage image;
    EXPECT(!vaDeriveImage(c.display, c.inputs[0], &image) && !vaBeginPicture(c.display, c.context, c.inputs[0]), "begins");
    VAStatus status = vaRenderPicture(c.display, c.context, &image.buf, 1);
    EXPECT(is_named(status, "buffer.context"), "%s", vaErrorStr(status));
    vaEndPicture(c.display, c.context);
    EXPECT(vaDestroyBuffer(c.display, image.buf) == VA_STATUS_ERROR_INVALID_BUFFER, "refused");
    vaDestroyImage(c.display, image.image_id);
    vaBeginPicture(c.display, c.context, c.inputs[0]);
    status = vaRenderPicture(c.display, c.context, &c.coded, 1);
    EXPECT(is_named(status, "buffer.type"), "a coded buffer is not rendered: %s", vaErrorStr(status));
    client_close(&c);
}
