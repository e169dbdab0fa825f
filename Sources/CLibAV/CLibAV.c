// SPDX-License-Identifier: MIT
#include "CLibAV.h"

#include "Libraries.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_OF_LIBRARIES 3

// The libraries depend on each other in this order.
static const Library libraries[NUMBER_OF_LIBRARIES] = {
    LIBRARY(avutil, AVUTIL),
    LIBRARY(avcodec, AVCODEC),
    LIBRARY(avformat, AVFORMAT),
};

enum { index_avutil, index_avcodec, index_avformat };

// Without libavformat, and with it.
static CLibAV codecs, functions;

static void *handles[NUMBER_OF_LIBRARIES];

static pthread_mutex_t complaint_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(CLibAVComplaint *box, int64_t offset, const char *format, va_list arguments) {
    if (!box)
        return;
    pthread_mutex_lock(&complaint_lock);
    if (!box->is_set) {
        box->offset = offset;
        vsnprintf(box->text, sizeof box->text, format, arguments);
        box->text[strcspn(box->text, "\n")] = 0;
        __atomic_store_n(&box->is_set, true, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&complaint_lock);
}

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static bool is_complaint(int level, const char *format) {
    // Concealment is told at the level of information.
    if (level > AV_LOG_ERROR)
        return starts_with(format, "concealing ");
    // Dolby Vision's metadata decides nothing about the samples.
    if (strstr(format, "RPU"))
        return false;
    // The HEVC decoder says this of later slices of a picture that was not begun: one it skips, before a CRA at the
    // start, or one whose first slice is lost. Neither gives a picture, and packets without one are counted.
    return !starts_with(format, "First slice in a frame missing");
}

void clibav_keep_complaint(void *object, int level, const char *format, va_list arguments) {
    // Demuxers tell of each packet.
    if (level > AV_LOG_INFO && !keeps_lines())
        return;
    va_list copy;
    va_copy(copy, arguments);
    keep_line(level, format, copy);
    va_end(copy);
    const AVClass *class = object ? *(const AVClass **)object : NULL;
    if (!class || !is_complaint(level, format))
        return;
    if (strcmp(class->class_name, "AVFormatContext") == 0) {
        const AVFormatContext *context = object;
        const AVIOContext *io = context->pb;
        keep(context->opaque, io ? io->pos - (io->buf_end - io->buf_ptr) : 0, format, arguments);
    } else if (strcmp(class->class_name, "AVCodecContext") == 0) {
        keep(((const AVCodecContext *)object)->opaque, 0, format, arguments);
    }
}

bool clibav_has_complaint(const CLibAVComplaint *box) { return __atomic_load_n(&box->is_set, __ATOMIC_ACQUIRE); }

CLibAVComplaint clibav_take_complaint(CLibAVComplaint *box) {
    pthread_mutex_lock(&complaint_lock);
    CLibAVComplaint complaint = *box;
    __atomic_store_n(&box->is_set, false, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&complaint_lock);
    return complaint;
}

// Stands for what is not loaded.
static void end_process(void) { abort(); }

// Handles stay open for the life of the process: the libraries keep threads and tables.
static bool fill_codecs(Failure *failure) {
    for (int i = index_avutil; i <= index_avcodec; i++) {
        handles[i] = open_library(&libraries[i], failure);
        if (!handles[i])
            return false;
    }
#define FILL(name_of_library, name) FILL_MEMBER_OF(codecs, name_of_library, name)
    CLIBAV_CODEC_FUNCTIONS(FILL)
#undef FILL
#define LEAVE_OUT(name_of_library, name) codecs.name = (__typeof__(codecs.name))end_process;
    CLIBAV_FORMAT_FUNCTIONS(LEAVE_OUT)
#undef LEAVE_OUT
    // Nothing may reach the caller's standard error.
    codecs.av_log_set_callback(clibav_keep_complaint);
    return true;
}

DEFINE_ACCESSOR(clibav_load_codecs, CLibAV, codecs, fill_codecs)

static bool fill(Failure *failure) {
    const CLibAV *loaded = clibav_load_codecs(failure->text, sizeof failure->text);
    if (!loaded)
        return false;
    functions = *loaded;
    handles[index_avformat] = open_library(&libraries[index_avformat], failure);
    if (!handles[index_avformat])
        return false;
#define FILL(name_of_library, name) FILL_MEMBER_OF(functions, name_of_library, name)
    CLIBAV_FORMAT_FUNCTIONS(FILL)
#undef FILL
    return true;
}

DEFINE_ACCESSOR(clibav_load, CLibAV, functions, fill)

// Eight bytes within each 16x16 samples of luma, the smallest unit that slices consist of, and away from its edges,
// which filters of the units beside it reach. Units that the right or bottom edge cuts have none.
enum { unit_side = 16, mark_row = 6, mark_column = 4 };
static const uint8_t mark[8] = {0x9D, 0x03, 0xE6, 0x58, 0xB1, 0x2F, 0x74, 0xCA};

// The mark of the unit number `index`, in rows; NULL behind the last.
static uint8_t *mark_place(const AVFrame *frame, int index) {
    int columns = frame->width / unit_side, rows = frame->height / unit_side;
    const AVPixFmtDescriptor *format = codecs.av_pix_fmt_desc_get(frame->format);
    if (!format || index >= columns * rows)
        return NULL;
    int x = index % columns * unit_side + mark_column, y = index / columns * unit_side + mark_row;
    return frame->data[0] + y * (ptrdiff_t)frame->linesize[0] + x * format->comp[0].step;
}

static int get_marked_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    int status = codecs.avcodec_default_get_buffer2(context, frame, flags);
    if (status < 0)
        return status;
    uint8_t *place;
    for (int i = 0; (place = mark_place(frame, i)); i++)
        memcpy(place, mark, sizeof mark);
    CLibAVComplaint *box = context->opaque;
    AVFrame *picture = codecs.av_frame_clone(frame);
    pthread_mutex_lock(&complaint_lock);
    AVFrame *older = box->picture;
    box->picture = picture;
    pthread_mutex_unlock(&complaint_lock);
    codecs.av_frame_free(&older);
    return picture ? status : AVERROR(ENOMEM);
}

void clibav_keep_pictures(AVCodecContext *context) {
    context->get_buffer2 = get_marked_buffer;
}

static bool has_mark(const AVFrame *picture) {
    const uint8_t *place;
    for (int i = 0; (place = mark_place(picture, i)); i++)
        if (memcmp(place, mark, sizeof mark) == 0)
            return true;
    return false;
}

bool clibav_release_picture(CLibAVComplaint *box) {
    pthread_mutex_lock(&complaint_lock);
    AVFrame *picture = box->picture;
    box->picture = NULL;
    pthread_mutex_unlock(&complaint_lock);
    // Without a picture nothing is there to let go of, perhaps not the library either.
    if (!picture) return false;
    bool is_unwritten = has_mark(picture);
    codecs.av_frame_free(&picture);
    return is_unwritten;
}

static int refuse_opening(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                          AVDictionary **options) {
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EACCES);
}

void clibav_forbid_opening(AVFormatContext *context) { context->io_open = refuse_opening; }
