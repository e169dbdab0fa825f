// SPDX-License-Identifier: MIT
// Decodes an H.264 byte stream with openh264: openh264_decode STREAM YUV.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wels/codec_api.h>

static void write_picture(FILE *file, uint8_t *const planes[3], const SBufferInfo *info) {
    const SSysMEMBuffer *shape = &info->UsrData.sSystemBuffer;
    for (int plane = 0; plane < 3; plane++) {
        int half = plane > 0;
        for (int y = 0; y < shape->iHeight >> half; y++) {
            fwrite(planes[plane] + (ptrdiff_t)y * shape->iStride[half], 1, (size_t)(shape->iWidth >> half), file);
        }
    }
}

/// The offset of the next start code at or behind `from`, `size` if there is none.
static size_t next_unit(const uint8_t *data, size_t size, size_t from) {
    for (size_t i = from; i + 3 < size; i++) {
        if (data[i] == 0 && data[i + 1] == 0 && data[i + 2] == 0 && data[i + 3] == 1) return i;
    }
    return size;
}

int main(int argc, char **argv) {
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL, *out = in ? fopen(argv[2], "wb") : NULL;
    uint8_t *data = malloc(1 << 24);
    ISVCDecoder *decoder;
    if (!out || !data || WelsCreateDecoder(&decoder) != 0) return 2;
    size_t size = fread(data, 1, 1 << 24, in);
    int level = WELS_LOG_QUIET, failed = 0, held = 0;
    (*decoder)->SetOption(decoder, DECODER_OPTION_TRACE_LEVEL, &level);
    SDecodingParam parameters;
    memset(&parameters, 0, sizeof parameters);
    parameters.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
    (*decoder)->Initialize(decoder, &parameters);
    uint8_t *planes[3];
    SBufferInfo info;
    for (size_t start = 0, end; start < size; start = end) {
        end = next_unit(data, size, start + 4);
        memset(&info, 0, sizeof info);
        int state = (*decoder)->DecodeFrame2(decoder, data + start, (int)(end - start), planes, &info);
        if (state != dsErrorFree) failed = fprintf(stderr, "state %#x at byte %zu\n", (unsigned)state, start);
        if (info.iBufferStatus == 1) write_picture(out, planes, &info);
    }
    int32_t end = 1;
    (*decoder)->SetOption(decoder, DECODER_OPTION_END_OF_STREAM, &end);
    memset(&info, 0, sizeof info);
    (*decoder)->DecodeFrame2(decoder, NULL, 0, planes, &info);
    if (info.iBufferStatus == 1) write_picture(out, planes, &info);
    (*decoder)->GetOption(decoder, DECODER_OPTION_NUM_OF_FRAMES_REMAINING_IN_BUFFER, &held);
    while (held-- > 0) {
        memset(&info, 0, sizeof info);
        (*decoder)->FlushFrame(decoder, planes, &info);
        if (info.iBufferStatus == 1) write_picture(out, planes, &info);
    }
    (*decoder)->Uninitialize(decoder);
    WelsDestroyDecoder(decoder);
    fclose(out);
    fclose(in);
    free(data);
    return failed != 0;
}
