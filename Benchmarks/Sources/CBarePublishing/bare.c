// SPDX-License-Identifier: MIT
#include "CBarePublishing.h"

#include <arpa/inet.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

struct BarePublisher {
    AVFormatContext *context;
    AVPacket *packet;
};

BarePublisher *bare_open(const char *url, int width, int height) {
    av_log_set_level(AV_LOG_QUIET);
    BarePublisher *publisher = calloc(1, sizeof *publisher);
    publisher->packet = av_packet_alloc();
    if (avformat_alloc_output_context2(&publisher->context, NULL, "mpegts", url) < 0) goto failed;
    AVStream *stream = avformat_new_stream(publisher->context, NULL);
    stream->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
    stream->codecpar->codec_id = AV_CODEC_ID_H264;
    stream->codecpar->width = width;
    stream->codecpar->height = height;
    stream->time_base = (AVRational){1, 90000};
    publisher->context->flags |= AVFMT_FLAG_FLUSH_PACKETS;
    publisher->context->flush_packets = 1;
    AVDictionary *options = NULL;
    av_dict_set(&options, "pkt_size", "1316", 0);
    int status = avio_open2(&publisher->context->pb, url, AVIO_FLAG_WRITE, NULL, &options);
    av_dict_free(&options);
    if (status < 0 || avformat_write_header(publisher->context, NULL) < 0) goto failed;
    return publisher;
failed:
    bare_close(publisher);
    return NULL;
}

int bare_write(BarePublisher *publisher, const uint8_t *bytes, int count, int64_t ticks, int is_key) {
    int status = av_new_packet(publisher->packet, count);
    if (status < 0) return status;
    memcpy(publisher->packet->data, bytes, (size_t)count);
    publisher->packet->pts = publisher->packet->dts = ticks;
    publisher->packet->flags = is_key ? AV_PKT_FLAG_KEY : 0;
    return av_interleaved_write_frame(publisher->context, publisher->packet);
}

void bare_close(BarePublisher *publisher) {
    if (publisher->context) {
        if (publisher->context->pb) av_write_trailer(publisher->context);
        avio_closep(&publisher->context->pb);
        avformat_free_context(publisher->context);
    }
    av_packet_free(&publisher->packet);
    free(publisher);
}

struct BareThread {
    BarePublisher *publisher;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    uint8_t bytes[4096];
    int count;
    int64_t ticks;
    int is_key;
    int status;
    int is_ending;
};

static void *run(void *context) {
    BareThread *thread = context;
    pthread_mutex_lock(&thread->mutex);
    while (1) {
        while (!thread->count && !thread->is_ending) pthread_cond_wait(&thread->condition, &thread->mutex);
        if (!thread->count) break;
        // The giver looks at `count` alone as long as it is above zero.
        pthread_mutex_unlock(&thread->mutex);
        int status = bare_write(thread->publisher, thread->bytes, thread->count, thread->ticks, thread->is_key);
        pthread_mutex_lock(&thread->mutex);
        thread->status = status;
        thread->count = 0;
        // The giver, where it waits for that.
        pthread_cond_signal(&thread->condition);
    }
    pthread_mutex_unlock(&thread->mutex);
    return NULL;
}

BareThread *bare_thread_start(BarePublisher *publisher) {
    BareThread *thread = calloc(1, sizeof *thread);
    thread->publisher = publisher;
    pthread_mutex_init(&thread->mutex, NULL);
    pthread_cond_init(&thread->condition, NULL);
    if (!pthread_create(&thread->thread, NULL, run, thread)) return thread;
    free(thread);
    return NULL;
}

int bare_thread_give(BareThread *thread, const uint8_t *bytes, int count, int64_t ticks, int is_key) {
    if (count > (int)sizeof thread->bytes) return -1;
    pthread_mutex_lock(&thread->mutex);
    while (thread->count) pthread_cond_wait(&thread->condition, &thread->mutex);
    int status = thread->status;
    if (status >= 0) {
        memcpy(thread->bytes, bytes, (size_t)count);
        thread->count = count;
        thread->ticks = ticks;
        thread->is_key = is_key;
    }
    pthread_mutex_unlock(&thread->mutex);
    pthread_cond_signal(&thread->condition);
    return status;
}

void bare_thread_end(BareThread *thread) {
    pthread_mutex_lock(&thread->mutex);
    thread->is_ending = 1;
    pthread_mutex_unlock(&thread->mutex);
    pthread_cond_signal(&thread->condition);
    pthread_join(thread->thread, NULL);
    bare_close(thread->publisher);
    pthread_cond_destroy(&thread->condition);
    pthread_mutex_destroy(&thread->mutex);
    free(thread);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double bare_connect(const char *url) {
    av_log_set_level(AV_LOG_QUIET);
    AVIOContext *context = NULL;
    double start = now();
    int status = avio_open2(&context, url, AVIO_FLAG_WRITE, NULL, NULL);
    double taken = now() - start;
    avio_closep(&context);
    return status < 0 ? -1 : taken;
}

int stamped_socket(int *port) {
    int file = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (file < 0 || bind(file, (struct sockaddr *)&address, length) < 0 ||
        getsockname(file, (struct sockaddr *)&address, &length) < 0 ||
        setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0)
        return -1;
    *port = ntohs(address.sin_port);
    return file;
}

int64_t first_arrival(int file, int milliseconds) {
    struct pollfd state = {.fd = file, .events = POLLIN};
    if (poll(&state, 1, milliseconds) <= 0) return 0;
    int64_t first = 0;
    while (1) {
        char bytes[2048], control[256];
        struct iovec piece = {.iov_base = bytes, .iov_len = sizeof bytes};
        struct msghdr message = {
            .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        if (recvmsg(file, &message, MSG_DONTWAIT) < 0) return first;
        struct cmsghdr *item = CMSG_FIRSTHDR(&message);
        if (first || !item || item->cmsg_type != SCM_TIMESTAMPNS) continue;
        struct timespec time;
        memcpy(&time, CMSG_DATA(item), sizeof time);
        first = time.tv_sec * 1000000000LL + time.tv_nsec;
    }
}

int64_t real_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
