// SPDX-License-Identifier: MIT
#include "openh264_decode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<wels/codec_api.h>)

#include <dlfcn.h>
#include <wels/codec_api.h>

typedef long (*create_function)(ISVCDecoder **);
typedef void (*destroy_function)(ISVCDecoder *);

/// The library that belongs to the headers; never unloaded.
static void *library(void) { return dlopen("libopenh264.so", RTLD_NOW | RTLD_LOCAL); }

const char *openh264_missing(void) { return library() ? NULL : "libopenh264.so (apt install libopenh264-dev)"; }

/// Where the next access unit begins: at the first unit behind a slice that is no slice, or a slice whose
/// first_mb_in_slice is 0.
static size_t end_of_unit(const uint8_t *stream, size_t size, size_t start) {
    bool has_slice = false;
    for (size_t i = start; i + 4 < size; i++) {
        const uint8_t *b = stream + i;
        if (b[0] || b[1] || b[2] != 1) continue;
        int type = b[3] & 31;
        bool is_slice = type == 1 || type == 5;
        bool begins = is_slice ? b[4] & 128 : type >= 6 && type <= 9;
        // The zero in front belongs to the start code.
        if (has_slice && begins) return b[-1] ? i : i - 1;
        has_slice |= is_slice;
    }
    return size;
}

/// What was decoded so far.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} pictures;

static void append(pictures *out, uint8_t *const planes[3], const SBufferInfo *info) {
    if (info->iBufferStatus != 1) return;
    const SSysMEMBuffer *buffer = &info->UsrData.sSystemBuffer;
    size_t needed = out->count + (size_t)buffer->iWidth * (size_t)buffer->iHeight * 3 / 2;
    if (needed > out->capacity) {
        out->capacity = needed * 2;
        out->bytes = realloc(out->bytes, out->capacity);
    }
    for (int plane = 0; plane < 3; plane++) {
        int width = plane ? buffer->iWidth / 2 : buffer->iWidth, height = plane ? buffer->iHeight / 2 : buffer->iHeight;
        for (int y = 0; y < height; y++) {
            memcpy(out->bytes + out->count, planes[plane] + y * buffer->iStride[plane ? 1 : 0], (size_t)width);
            out->count += (size_t)width;
        }
    }
}

uint8_t *openh264_decode(const uint8_t *stream, size_t stream_size, size_t *size, int *state) {
    create_function create = (create_function)dlsym(library(), "WelsCreateDecoder");
    destroy_function destroy = (destroy_function)dlsym(library(), "WelsDestroyDecoder");
    ISVCDecoder *decoder = NULL;
    *state = -1;
    *size = 0;
    if (!create || !destroy || create(&decoder)) return NULL;
    int level = WELS_LOG_QUIET;
    (*decoder)->SetOption(decoder, DECODER_OPTION_TRACE_LEVEL, &level);
    SDecodingParam parameters = {0};
    parameters.sVideoProperty.size = sizeof parameters.sVideoProperty;
    parameters.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
    parameters.eEcActiveIdc = ERROR_CON_DISABLE;
    *state = (int)(*decoder)->Initialize(decoder, &parameters);
    pictures out = {0};
    for (size_t start = 0; start < stream_size && *state == 0;) {
        size_t end = end_of_unit(stream, stream_size, start);
        uint8_t *planes[3] = {NULL, NULL, NULL};
        SBufferInfo info = {0};
        *state = (int)(*decoder)->DecodeFrameNoDelay(decoder, stream + start, (int)(end - start), planes, &info);
        append(&out, planes, &info);
        start = end;
    }
    for (bool has_more = *state == 0; has_more;) {
        uint8_t *planes[3] = {NULL, NULL, NULL};
        SBufferInfo info = {0};
        (*decoder)->FlushFrame(decoder, planes, &info);
        append(&out, planes, &info);
        has_more = info.iBufferStatus == 1;
    }
    (*decoder)->Uninitialize(decoder);
    destroy(decoder);
    if (*state == 0) {
        *size = out.count;
        return out.bytes;
    }
    free(out.bytes);
    return NULL;
}

#else

const char *openh264_missing(void) { return "the headers of openh264 (apt install libopenh264-dev)"; }

uint8_t *openh264_decode(const uint8_t *stream, size_t stream_size, size_t *size, int *state) {
    (void)stream;
    (void)stream_size;
    *size = 0;
    *state = -1;
    return NULL;
}

#endif
