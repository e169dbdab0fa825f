// SPDX-License-Identifier: MIT
// Decodes the client's stream with two decoders and compares every frame.
#include <libavcodec/avcodec.h>
#include <libde265/de265.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "openh264_decode.h"

static char complaint[120];

static void note(void *context, int level, const char *format, va_list arguments) {
    (void)context;
    if (level > AV_LOG_WARNING || complaint[0]) return;
    vsnprintf(complaint, sizeof complaint, format, arguments);
    complaint[strcspn(complaint, "\n")] = 0;
}

/// Compares one decoded picture with the next that is shown.
static bool compare(const client *c, int index, uint8_t *const planes[3], const int pitches[3], int width, int height,
                    const char *decoder, char why[160]) {
    size_t bytes = c->settings.ten_bit ? 2 : 1;
    if (index >= c->settings.pictures || width != c->settings.width || height != c->settings.height) {
        snprintf(why, 160, "%s: picture %d is %dx%d", decoder, index, width, height);
        return false;
    }
    const uint8_t *expected = c->shown[index];
    for (int plane = 0; plane < 3; plane++) {
        size_t row = (size_t)(width >> (plane > 0)) * bytes;
        for (int y = 0; y < height >> (plane > 0); y++, expected += row) {
            if (memcmp(planes[plane] + (ptrdiff_t)y * pitches[plane], expected, row) == 0) continue;
            snprintf(why, 160, "%s: picture %d differs in plane %d, row %d", decoder, index, plane, y);
            return false;
        }
    }
    return true;
}

static bool receive(const client *c, AVCodecContext *decoder, AVFrame *frame, int *count, char why[160]) {
    while (avcodec_receive_frame(decoder, frame) == 0) {
        bool good = compare(c, *count, frame->data, frame->linesize, frame->width, frame->height, "libavcodec", why);
        (*count)++;
        av_frame_unref(frame);
        if (!good) return false;
    }
    return true;
}

static bool matches_libavcodec(const client *c, char why[160]) {
    complaint[0] = 0;
    av_log_set_callback(note);
    const AVCodec *codec = avcodec_find_decoder(c->settings.hevc ? AV_CODEC_ID_HEVC : AV_CODEC_ID_H264);
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    decoder->thread_count = 1;
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    bool good = avcodec_open2(decoder, codec, NULL) == 0;
    int count = 0;
    size_t offset = 0;
    for (int i = 0; i < c->settings.pictures && good; i++) {
        if (av_new_packet(packet, (int)c->picture_sizes[i]) < 0) break;
        memcpy(packet->data, c->stream + offset, c->picture_sizes[i]);
        packet->pts = packet->dts = i;
        offset += c->picture_sizes[i];
        good = avcodec_send_packet(decoder, packet) == 0;
        if (!good) snprintf(why, 160, "libavcodec refuses picture %d", i);
        av_packet_unref(packet);
        good = good && receive(c, decoder, frame, &count, why);
    }
    if (good) avcodec_send_packet(decoder, NULL);
    good = good && receive(c, decoder, frame, &count, why);
    if (good && complaint[0]) snprintf(why, 160, "libavcodec says: %s", complaint);
    if (good && count != c->settings.pictures) snprintf(why, 160, "libavcodec: %d pictures", count);
    good = good && !complaint[0] && count == c->settings.pictures;
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
    return good;
}

static bool matches_libde265(const client *c, char why[160]) {
    de265_decoder_context *decoder = de265_new_decoder();
    de265_error error = de265_push_data(decoder, c->stream, (int)c->stream_size, 0, NULL);
    if (error == DE265_OK) error = de265_flush_data(decoder);
    int more = 1, count = 0;
    bool good = error == DE265_OK;
    while (more && good) {
        error = de265_decode(decoder, &more);
        if (error != DE265_OK) {
            if (error != DE265_ERROR_WAITING_FOR_INPUT_DATA) good = false;
            break;
        }
        const struct de265_image *image;
        while (good && (image = de265_get_next_picture(decoder))) {
            uint8_t *planes[3];
            int pitches[3];
            for (int i = 0; i < 3; i++) planes[i] = (uint8_t *)(uintptr_t)de265_get_image_plane(image, i, &pitches[i]);
            good = compare(c, count++, planes, pitches, de265_get_image_width(image, 0),
                           de265_get_image_height(image, 0), "libde265", why);
        }
    }
    de265_error warning = de265_get_warning(decoder);
    if (error != DE265_OK || warning != DE265_OK) {
        snprintf(why, 160, "libde265 says: %s", de265_get_error_text(error ? error : warning));
        good = false;
    }
    if (good && count != c->settings.pictures) snprintf(why, 160, "libde265: %d pictures", count);
    good = good && count == c->settings.pictures;
    de265_free_decoder(decoder);
    return good;
}

/// openh264 2.3 decodes I and P slices.
static bool matches_openh264(const client *c, char why[160]) {
    size_t size, each = client_picture_size(c);
    int state, equal = 0;
    uint8_t *shown = openh264_decode(c->stream, c->stream_size, &size, &state);
    bool whole = size == each * (size_t)c->settings.pictures;
    while (whole && equal < c->settings.pictures && memcmp(shown + each * (size_t)equal, c->shown[equal], each) == 0) equal++;
    free(shown);
    if (equal == c->settings.pictures) return true;
    snprintf(why, 160, "openh264: state %d, %zu bytes, picture %d differs", state, size, equal);
    return false;
}

bool client_matches(const client *c, char why[160]) {
    why[0] = 0;
    if (!matches_libavcodec(c, why)) return false;
    if (c->settings.hevc) return matches_libde265(c, why);
    return c->settings.b_pictures || matches_openh264(c, why);
}
