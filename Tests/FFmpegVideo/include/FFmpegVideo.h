// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_FFMPEG_VIDEO_H
#define ENCODERKIT_FFMPEG_VIDEO_H

#include <CLibAV.h>

/// The first video stream of a file as FFmpeg's libraries open it, in this process: what ffprobe shows and the
/// bitstream filter `trace_headers` prints, without the time that starting a program takes.
typedef struct FFmpegVideo FFmpegVideo;

/// Opens a file and reads as much of it as FFmpeg needs to know its streams.
///
/// `format` is FFmpeg's name of the file's format; NULL lets it find out. Returns NULL when it cannot be opened or has
/// no video; `reason`, of `size` bytes, then says why.
FFmpegVideo *_Nullable ffmpeg_video_open(const char *_Nonnull path, const char *_Nullable format,
                                         char *_Nonnull reason, size_t size);

/// Closes the file and frees everything that came from it.
void ffmpeg_video_close(FFmpegVideo *_Nonnull video);

/// What the libraries know of the stream; valid until it is closed.
const AVStream *_Nonnull ffmpeg_video_stream(const FFmpegVideo *_Nonnull video);

/// Width to height of a sample, from the container or the stream.
AVRational ffmpeg_video_pixel_aspect_ratio(const FFmpegVideo *_Nonnull video);

/// The libraries' names of code points; NULL where they have none, and for colors that are unspecified.
const char *_Nullable ffmpeg_profile_name(const FFmpegVideo *_Nonnull video);
const char *_Nullable ffmpeg_pixel_format_name(const FFmpegVideo *_Nonnull video);
const char *_Nullable ffmpeg_color_primaries_name(const FFmpegVideo *_Nonnull video);
const char *_Nullable ffmpeg_color_transfer_name(const FFmpegVideo *_Nonnull video);
const char *_Nullable ffmpeg_color_space_name(const FFmpegVideo *_Nonnull video);

/// Takes bytes that are valid until it returns.
typedef void (*FFmpegSink)(void *_Nullable owner, const void *_Nonnull bytes, size_t count);

/// Passes every packet that is left through `trace_headers`: `text` takes what the filter prints, lines of it, in
/// order, and `packets` the data of each packet that comes out, one call each.
///
/// Returns a negative status of the libraries when the filter cannot be set up. A packet that the filter refuses is
/// printed as far as it was read and does not come out.
int ffmpeg_video_trace(FFmpegVideo *_Nonnull video, void *_Nullable owner, FFmpegSink _Nonnull text,
                       FFmpegSink _Nonnull packets);

#endif
