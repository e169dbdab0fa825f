// SPDX-License-Identifier: MIT
#include "CFFmpegFraming.h"

#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <string.h>

typedef struct {
    const uint8_t *bytes;
    size_t count, offset;
} source;

static int read_source(void *opaque, uint8_t *buffer, int size) {
    source *from = opaque;
    size_t left = from->count - from->offset;
    if (left == 0) return AVERROR_EOF;
    size_t taken = left < (size_t)size ? left : (size_t)size;
    memcpy(buffer, from->bytes + from->offset, taken);
    from->offset += taken;
    return (int)taken;
}

long ffmpeg_split(const char *format, const uint8_t *bytes, size_t count, int piece_size) {
    source from = {bytes, count, 0};
    AVFormatContext *context = avformat_alloc_context();
    AVPacket *packet = av_packet_alloc();
    AVDictionary *options = NULL;
    context->pb = avio_alloc_context(av_malloc(piece_size), piece_size, 0, &from, read_source, NULL, NULL);
    AVIOContext *input = context->pb;
    // The demuxer reads 1024 bytes at a time unless told otherwise.
    av_dict_set_int(&options, "raw_packet_size", piece_size, 0);
    long units = avformat_open_input(&context, NULL, av_find_input_format(format), &options);
    av_dict_free(&options);
    if (units == 0) {
        int status;
        while ((status = av_read_frame(context, packet)) >= 0) {
            units++;
            av_packet_unref(packet);
        }
        if (status != AVERROR_EOF) units = status;
        avformat_close_input(&context);
    }
    av_packet_free(&packet);
    av_freep(&input->buffer);
    avio_context_free(&input);
    return units;
}

struct ffmpeg_filter {
    AVBSFContext *context;
    AVPacket *packet;
};

ffmpeg_filter *ffmpeg_filter_open(const char *name, const uint8_t *record, size_t record_size) {
    ffmpeg_filter *filter = av_mallocz(sizeof *filter);
    const AVBitStreamFilter *kind = av_bsf_get_by_name(name);
    filter->packet = av_packet_alloc();
    if (!kind || av_bsf_alloc(kind, &filter->context) < 0) return NULL;
    AVCodecParameters *parameters = filter->context->par_in;
    parameters->codec_type = AVMEDIA_TYPE_VIDEO;
    parameters->codec_id = kind->codec_ids[0];
    parameters->extradata = av_mallocz(record_size + AV_INPUT_BUFFER_PADDING_SIZE);
    parameters->extradata_size = (int)record_size;
    memcpy(parameters->extradata, record, record_size);
    return av_bsf_init(filter->context) < 0 ? NULL : filter;
}

static void keep(void *opaque, uint8_t *data) {}

int64_t ffmpeg_filter_run(ffmpeg_filter *filter, uint8_t *bytes, const size_t *ends, size_t count) {
    // Packets refer to the caller's bytes, so that nothing is copied on the way in.
    AVBufferRef *all = av_buffer_create(bytes, ends[count - 1] + AV_INPUT_BUFFER_PADDING_SIZE, keep, NULL, AV_BUFFER_FLAG_READONLY);
    int64_t sum = 0;
    for (size_t i = 0; i < count && sum >= 0; i++) {
        size_t start = i == 0 ? 0 : ends[i - 1];
        AVPacket *packet = filter->packet;
        packet->buf = av_buffer_ref(all);
        packet->data = bytes + start;
        packet->size = (int)(ends[i] - start);
        int status = av_bsf_send_packet(filter->context, packet);
        while (status >= 0 && (status = av_bsf_receive_packet(filter->context, packet)) >= 0) {
            sum += packet->size;
            av_packet_unref(packet);
        }
        if (status != AVERROR(EAGAIN)) sum = status;
    }
    av_buffer_unref(&all);
    return sum;
}

void ffmpeg_filter_close(ffmpeg_filter *filter) {
    av_bsf_free(&filter->context);
    av_packet_free(&filter->packet);
    av_free(filter);
}

const char *ffmpeg_version(void) {
    static char text[32];
    unsigned version = avformat_version();
    snprintf(text, sizeof text, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
    return text;
}
