// SPDX-License-Identifier: MIT
//
// The least that an application of libx264 or libx265 can do: encode frames from memory, look at what comes out.
// usage: BareLoop x264|x265 PRESET WIDTHxHEIGHT FRAMES FILE.yuv [SESSIONS [PEAK BUFFER [AVERAGE]]]
// PEAK: kbit that the decoder's buffer takes in in a second, BUFFER: kbit that it holds; without them there is none.
// AVERAGE: kbit/s to aim at, with the headers left out of the stream, as a session with a data-rate limit has it.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x264.h>
#include <x265.h>

static uint8_t *clip;
static size_t frame_bytes, clip_frames;
static int width, height, peak, buffer, average;

static uint8_t *plane(size_t frame, int index) {
    size_t luma = (size_t)width * height;
    return clip + frame % clip_frames * frame_bytes + (index > 0) * luma + (index > 1) * luma / 4;
}

static uint64_t encode_x264(const char *preset, size_t frames) {
    x264_param_t parameters;
    x264_param_default_preset(&parameters, preset, NULL);
    parameters.i_width = width;
    parameters.i_height = height;
    parameters.i_csp = X264_CSP_I420;
    parameters.i_threads = 1;
    parameters.i_fps_num = 30;
    parameters.i_log_level = X264_LOG_NONE;
    parameters.b_vfr_input = 1;
    parameters.i_timebase_num = 1;
    parameters.i_timebase_den = 30;
    parameters.rc.i_vbv_max_bitrate = peak;
    parameters.rc.i_vbv_buffer_size = buffer;
    if (average) {
        parameters.rc.i_rc_method = X264_RC_ABR;
        parameters.rc.i_bitrate = average;
        parameters.b_repeat_headers = 0;
    }
    x264_t *encoder = x264_encoder_open(&parameters);
    x264_picture_t picture, output;
    x264_nal_t *units;
    int count;
    uint64_t bytes = 0;
    x264_picture_init(&picture);
    picture.img.i_csp = X264_CSP_I420;
    picture.img.i_plane = 3;
    for (size_t frame = 0; frame < frames || x264_encoder_delayed_frames(encoder) > 0; frame++) {
        for (int index = 0; index < 3; index++) {
            picture.img.plane[index] = plane(frame, index);
            picture.img.i_stride[index] = index ? width / 2 : width;
        }
        picture.i_pts = (int64_t)frame;
        int size = x264_encoder_encode(encoder, &units, &count, frame < frames ? &picture : NULL, &output);
        if (size < 0) exit(1);
        bytes += (uint64_t)size;
    }
    x264_encoder_close(encoder);
    return bytes;
}

static uint64_t encode_x265(const char *preset, size_t frames) {
    const x265_api *api = x265_api_get(8);
    x265_param *parameters = api->param_alloc();
    api->param_default_preset(parameters, preset, NULL);
    parameters->sourceWidth = width;
    parameters->sourceHeight = height;
    parameters->fpsNum = 30;
    parameters->fpsDenom = 1;
    parameters->frameNumThreads = 1;
    parameters->bEnableWavefront = 0;
    api->param_parse(parameters, "pools", "none");
    parameters->bOpenGOP = 0;
    parameters->bEmitInfoSEI = 0;
    parameters->bRepeatHeaders = !average;
    parameters->logLevel = X265_LOG_NONE;
    parameters->rc.vbvMaxBitrate = peak;
    parameters->rc.vbvBufferSize = buffer;
    if (average) {
        parameters->rc.rateControlMode = X265_RC_ABR;
        parameters->rc.bitrate = average;
    }
    x265_encoder *encoder = api->encoder_open(parameters);
    x265_picture *picture = api->picture_alloc();
    api->picture_init(parameters, picture);
    x265_nal *units;
    uint32_t count;
    uint64_t bytes = 0;
    for (size_t frame = 0;; frame++) {
        for (int index = 0; index < 3; index++) {
            picture->planes[index] = plane(frame, index);
            picture->stride[index] = index ? width / 2 : width;
        }
        picture->pts = (int64_t)frame;
        int got = api->encoder_encode(encoder, &units, &count, frame < frames ? picture : NULL, NULL);
        if (got < 0) exit(1);
        for (uint32_t index = 0; got && index < count; index++) bytes += units[index].sizeBytes;
        if (frame >= frames && !got) break;
    }
    api->picture_free(picture);
    api->encoder_close(encoder);
    api->param_free(parameters);
    return bytes;
}

int main(int argc, char **argv) {
    if (argc < 6 || sscanf(argv[3], "%dx%d", &width, &height) != 2) {
        fprintf(stderr, "usage: BareLoop x264|x265 PRESET WIDTHxHEIGHT FRAMES FILE.yuv "
                        "[SESSIONS [PEAK BUFFER [AVERAGE]]]\n");
        return 64;
    }
    frame_bytes = (size_t)width * height * 3 / 2;
    FILE *file = fopen(argv[5], "rb");
    if (!file || fseek(file, 0, SEEK_END)) return 66;
    clip_frames = (size_t)ftell(file) / frame_bytes;
    rewind(file);
    clip = malloc(clip_frames * frame_bytes);
    if (!clip_frames || fread(clip, frame_bytes, clip_frames, file) != clip_frames) return 66;
    peak = argc > 8 ? atoi(argv[7]) : 0;
    buffer = argc > 8 ? atoi(argv[8]) : 0;
    average = argc > 9 ? atoi(argv[9]) : 0;
    uint64_t bytes = 0;
    for (int session = argc > 6 ? atoi(argv[6]) : 1; session > 0; session--)
        bytes = strcmp(argv[1], "x265") ? encode_x264(argv[2], strtoul(argv[4], NULL, 10))
                                        : encode_x265(argv[2], strtoul(argv[4], NULL, 10));
    printf("%llu\n", (unsigned long long)bytes);
    return 0;
}
