// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_H
#define ENCODERKIT_CLIBAV_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <stdarg.h>
#include <stdbool.h>

// The functions used here: X(library, name). What opens addresses, what resamples and what converts pictures stand in
// tables of their own.
#define CLIBAV_CODEC_FUNCTIONS(X)                 \
    X(avutil, av_buffer_unref)                    \
    X(avutil, av_channel_layout_default)          \
    X(avutil, av_cpu_count)                       \
    X(avutil, av_dict_free)                       \
    X(avutil, av_dict_set)                        \
    X(avutil, av_display_rotation_get)            \
    X(avutil, av_display_rotation_set)            \
    X(avutil, av_frame_alloc)                     \
    X(avutil, av_frame_clone)                     \
    X(avutil, av_frame_free)                      \
    X(avutil, av_frame_get_buffer)                \
    X(avutil, av_freep)                           \
    X(avutil, av_get_pix_fmt_name)                \
    X(avutil, av_log_set_callback)                \
    X(avutil, av_malloc)                          \
    X(avutil, av_mallocz)                         \
    X(avutil, av_opt_set)                         \
    X(avutil, av_pix_fmt_desc_get)                \
    X(avutil, av_strerror)                        \
    X(avcodec, av_new_packet)                     \
    X(avcodec, av_packet_alloc)                   \
    X(avcodec, av_packet_free)                    \
    X(avcodec, av_packet_new_side_data)           \
    X(avcodec, av_packet_unref)                   \
    X(avcodec, avcodec_alloc_context3)            \
    X(avcodec, avcodec_default_get_buffer2)       \
    X(avcodec, avcodec_descriptor_get)            \
    X(avcodec, avcodec_find_decoder)              \
    X(avcodec, avcodec_find_encoder)              \
    X(avcodec, avcodec_free_context)              \
    X(avcodec, avcodec_get_name)                  \
    X(avcodec, avcodec_open2)                     \
    X(avcodec, avcodec_parameters_to_context)     \
    X(avcodec, avcodec_receive_frame)             \
    X(avcodec, avcodec_receive_packet)            \
    X(avcodec, avcodec_send_frame)                \
    X(avcodec, avcodec_send_packet)
#define CLIBAV_FORMAT_FUNCTIONS(X)                \
    X(avformat, av_find_best_stream)              \
    X(avformat, av_guess_frame_rate)              \
    X(avformat, av_guess_sample_aspect_ratio)     \
    X(avformat, av_read_frame)                    \
    X(avformat, av_stream_get_side_data)          \
    X(avformat, av_stream_new_side_data)          \
    X(avformat, av_write_frame)                   \
    X(avformat, av_write_trailer)                 \
    X(avformat, avformat_alloc_context)           \
    X(avformat, avformat_alloc_output_context2)   \
    X(avformat, avformat_close_input)             \
    X(avformat, avformat_find_stream_info)        \
    X(avformat, avformat_free_context)            \
    X(avformat, avformat_new_stream)              \
    X(avformat, avformat_open_input)              \
    X(avformat, avformat_query_codec)             \
    X(avformat, avformat_write_header)            \
    X(avformat, avio_alloc_context)               \
    X(avformat, avio_context_free)                \
    X(avformat, avio_flush)

#define CLIBAV_FUNCTIONS(X)    \
    CLIBAV_CODEC_FUNCTIONS(X)  \
    CLIBAV_FORMAT_FUNCTIONS(X)

/// The functions of libavutil, libavcodec and libavformat that `clibav_load` found.
typedef struct CLibAV {
#define CLIBAV_MEMBER(library, name) __typeof__(name) *_Nonnull name;
    CLIBAV_FUNCTIONS(CLIBAV_MEMBER)
#undef CLIBAV_MEMBER
} CLibAV;

/// Loads the libraries on the first call; later calls, on any thread, return what the first one found.
///
/// Returns NULL when a library or function is missing, or is of another major version than the headers this was
/// compiled with, or older than they are; `reason`, of `size` bytes, then says which one, and which Debian package has
/// it.
const CLibAV *_Nullable clibav_load(char *_Nonnull reason, size_t size);

/// The same without libavformat: its functions end the process where they are called.
///
/// libavformat loads forty libraries, for protocols and encrypted connections, that a decoder needs none of.
const CLibAV *_Nullable clibav_load_codecs(char *_Nonnull reason, size_t size);

// Macros that Swift cannot import.
static inline int clibav_error_end_of_file(void) { return AVERROR_EOF; }
static inline int clibav_error_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int clibav_error_try_again(void) { return AVERROR(EAGAIN); }
static inline int clibav_error_io(void) { return AVERROR(EIO); }
static inline int clibav_error_no_memory(void) { return AVERROR(ENOMEM); }
static inline int64_t clibav_no_time(void) { return AV_NOPTS_VALUE; }
static inline uint32_t clibav_tag(char a, char b, char c, char d) { return MKTAG(a, b, c, d); }

// Fields that were renamed in later major versions.
static inline bool clibav_is_interlaced(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
    return frame->interlaced_frame;
#endif
}

static inline bool clibav_is_key(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return frame->flags & AV_FRAME_FLAG_KEY;
#else
    return frame->key_frame;
#endif
}

/// Ticks of the stream that `frame` is shown; 0 when unknown.
static inline int64_t clibav_duration(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/// Numbers the data that `context` is given next; the picture that is decoded from it has the number too.
static inline void clibav_set_number(AVCodecContext *_Nonnull context, AVPacket *_Nonnull packet, int64_t number) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    context->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
    packet->opaque = (void *)(intptr_t)number;
#else
    (void)packet;
    context->reordered_opaque = number;
#endif
}

/// The number of the data that `frame` was decoded from.
static inline int64_t clibav_number(const AVFrame *_Nonnull frame) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    return (int64_t)(intptr_t)frame->opaque;
#else
    return frame->reordered_opaque;
#endif
}

/// What a demuxer or decoder found wrong first. Where it can go on all the same, it says so nowhere but in its log.
///
/// The `opaque` of an AVFormatContext or AVCodecContext points to the one that its errors are kept in.
typedef struct CLibAVComplaint {
    bool is_set;
    /// Bytes of the file that a demuxer had used.
    int64_t offset;
    /// Its sentence, without the line feed.
    char text[160];
    /// The picture that a decoder makes of the data, where pictures are kept.
    AVFrame *_Nullable picture;
} CLibAVComplaint;

/// The libraries' log callback once they are loaded. Whoever sets another one passes on what it takes no part in.
void clibav_keep_complaint(void *_Nullable object, int level, const char *_Nonnull format, va_list arguments);

/// Whether there is a message in `box`, while threads of a decoder may write there; takes no lock.
bool clibav_has_complaint(const CLibAVComplaint *_Nonnull box);

/// Gives the message in `box` and removes it, while threads of a decoder may write there.
CLibAVComplaint clibav_take_complaint(CLibAVComplaint *_Nonnull box);

/// Makes `context`, before it is opened, mark the memory of each picture and keep it in its place for complaints.
void clibav_keep_pictures(AVCodecContext *_Nonnull context);

/// Lets go of the picture in `box`, which no thread decodes any more.
///
/// Returns whether parts of it were never written: a decoder may end a slice early and not tell.
bool clibav_release_picture(CLibAVComplaint *_Nonnull box);

/// Forbids `context` to open any file or address besides the bytes it is given: a play list or a reference inside a
/// file from outside must not reach anywhere.
void clibav_forbid_opening(AVFormatContext *_Nonnull context);

#include "CLibAVDevices.h"
#include "CLibAVNetwork.h"
#include "CLibAVResampling.h"
#include "CLibAVSRT.h"
#include "CLibAVScaling.h"

#endif
