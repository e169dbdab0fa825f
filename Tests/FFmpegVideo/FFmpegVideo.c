// SPDX-License-Identifier: MIT
#include "FFmpegVideo.h"

#include <dlfcn.h>
#include <libavcodec/bsf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// Functions of the libraries that CLibAV does not need.
#define FUNCTIONS(X)                    \
    X(avutil, av_color_primaries_name)  \
    X(avutil, av_color_space_name)      \
    X(avutil, av_color_transfer_name)   \
    X(avcodec, av_bsf_alloc)            \
    X(avcodec, av_bsf_free)             \
    X(avcodec, av_bsf_get_by_name)      \
    X(avcodec, av_bsf_init)             \
    X(avcodec, av_bsf_receive_packet)   \
    X(avcodec, av_bsf_send_packet)      \
    X(avcodec, avcodec_parameters_copy) \
    X(avcodec, avcodec_profile_name)    \
    X(avformat, av_find_input_format)

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)
static const char avutil[] = "libavutil.so." STRINGIFY(LIBAVUTIL_VERSION_MAJOR);
static const char avcodec[] = "libavcodec.so." STRINGIFY(LIBAVCODEC_VERSION_MAJOR);
static const char avformat[] = "libavformat.so." STRINGIFY(LIBAVFORMAT_VERSION_MAJOR);

static struct {
#define MEMBER(library, name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} more;

static const CLibAV *av;
static char failure[512];

// The filter that is run on this thread, and who takes what it prints.
static _Thread_local struct {
    const void *filter;
    void *owner;
    FFmpegSink text;
} tracing;

static void take_message(void *object, int level, const char *format, va_list arguments) {
    if (!object || object != tracing.filter) {
        clibav_keep_complaint(object, level, format, arguments);
        return;
    }
    char line[1024];
    int length = vsnprintf(line, sizeof line, format, arguments);
    if (length > 0)
        tracing.text(tracing.owner, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

static void load(void) {
    const CLibAV *functions = clibav_load(failure, sizeof failure);
    if (!functions)
        return;
#define LOAD(library, name)                                                                        \
    more.name = (__typeof__(more.name))dlsym(dlopen(library, RTLD_NOW | RTLD_LOCAL), #name);       \
    if (!more.name) {                                                                              \
        snprintf(failure, sizeof failure, "%s has no function " #name, library);                   \
        return;                                                                                    \
    }
    FUNCTIONS(LOAD)
#undef LOAD
    functions->av_log_set_callback(take_message);
    av = functions;
}

struct FFmpegVideo {
    AVFormatContext *context;
    AVStream *stream;
};

FFmpegVideo *ffmpeg_video_open(const char *path, const char *format, char *reason, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!av) {
        snprintf(reason, size, "%s", failure);
        return NULL;
    }
    AVFormatContext *context = NULL;
    int status = av->avformat_open_input(&context, path, format ? more.av_find_input_format(format) : NULL, NULL);
    if (status >= 0)
        status = av->avformat_find_stream_info(context, NULL);
    if (status < 0) {
        av->av_strerror(status, reason, size);
        av->avformat_close_input(&context);
        return NULL;
    }
    for (unsigned i = 0; i < context->nb_streams; i++) {
        if (context->streams[i]->codecpar->codec_type != AVMEDIA_TYPE_VIDEO)
            continue;
        FFmpegVideo *video = malloc(sizeof *video);
        if (!video)
            abort();
        *video = (FFmpegVideo){context, context->streams[i]};
        return video;
    }
    snprintf(reason, size, "no video in it");
    av->avformat_close_input(&context);
    return NULL;
}

void ffmpeg_video_close(FFmpegVideo *video) {
    av->avformat_close_input(&video->context);
    free(video);
}

const AVStream *ffmpeg_video_stream(const FFmpegVideo *video) { return video->stream; }

AVRational ffmpeg_video_pixel_aspect_ratio(const FFmpegVideo *video) {
    return av->av_guess_sample_aspect_ratio(video->context, video->stream, NULL);
}

static const AVCodecParameters *parameters(const FFmpegVideo *video) { return video->stream->codecpar; }

const char *ffmpeg_profile_name(const FFmpegVideo *video) {
    return more.avcodec_profile_name(parameters(video)->codec_id, parameters(video)->profile);
}

const char *ffmpeg_pixel_format_name(const FFmpegVideo *video) {
    return av->av_get_pix_fmt_name(parameters(video)->format);
}

const char *ffmpeg_color_primaries_name(const FFmpegVideo *video) {
    enum AVColorPrimaries primaries = parameters(video)->color_primaries;
    return primaries == AVCOL_PRI_UNSPECIFIED ? NULL : more.av_color_primaries_name(primaries);
}

const char *ffmpeg_color_transfer_name(const FFmpegVideo *video) {
    enum AVColorTransferCharacteristic transfer = parameters(video)->color_trc;
    return transfer == AVCOL_TRC_UNSPECIFIED ? NULL : more.av_color_transfer_name(transfer);
}

const char *ffmpeg_color_space_name(const FFmpegVideo *video) {
    enum AVColorSpace space = parameters(video)->color_space;
    return space == AVCOL_SPC_UNSPECIFIED ? NULL : more.av_color_space_name(space);
}

static void pass(AVBSFContext *filter, AVPacket *packet, void *owner, FFmpegSink packets) {
    if (more.av_bsf_send_packet(filter, packet) < 0)
        return;
    while (more.av_bsf_receive_packet(filter, packet) >= 0) {
        packets(owner, packet->data, (size_t)packet->size);
        av->av_packet_unref(packet);
    }
}

int ffmpeg_video_trace(FFmpegVideo *video, void *owner, FFmpegSink text, FFmpegSink packets) {
    AVBSFContext *filter = NULL;
    int status = more.av_bsf_alloc(more.av_bsf_get_by_name("trace_headers"), &filter);
    if (status < 0)
        return status;
    tracing.filter = filter;
    tracing.owner = owner;
    tracing.text = text;
    filter->time_base_in = video->stream->time_base;
    status = more.avcodec_parameters_copy(filter->par_in, video->stream->codecpar);
    if (status >= 0)
        status = more.av_bsf_init(filter);
    AVPacket *packet = av->av_packet_alloc();
    while (packet && status >= 0 && av->av_read_frame(video->context, packet) >= 0) {
        if (packet->stream_index == video->stream->index)
            pass(filter, packet, owner, packets);
        av->av_packet_unref(packet);
    }
    tracing.filter = NULL;
    av->av_packet_free(&packet);
    more.av_bsf_free(&filter);
    return status;
}
