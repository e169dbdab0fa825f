// SPDX-License-Identifier: MIT
// What FFmpeg's libraries do with the framing of a stream in memory, to be timed by the caller.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Splits an Annex B stream into access units with the raw demuxer ("h264" or "hevc") and its parser.
/// Returns how many there are; negative for an AVERROR.
long ffmpeg_split(const char *format, const uint8_t *bytes, size_t count, int piece_size);

/// A bitstream filter that makes Annex B access units of length-prefixed ones ("h264_mp4toannexb", "hevc_mp4toannexb").
typedef struct ffmpeg_filter ffmpeg_filter;

/// Opens a filter for the stream that an avcC or hvcC record describes. NULL for an error.
ffmpeg_filter *ffmpeg_filter_open(const char *name, const uint8_t *record, size_t record_size);

/// Filters all samples, one packet each; sample `i` ends at `ends[i]` and begins where the one before ends.
/// `bytes` are readable for 64 bytes beyond the last end. Returns the bytes that come out; negative for an AVERROR.
int64_t ffmpeg_filter_run(ffmpeg_filter *filter, uint8_t *bytes, const size_t *ends, size_t count);

void ffmpeg_filter_close(ffmpeg_filter *filter);

/// Version of libavformat, such as "59.27.100".
const char *ffmpeg_version(void);
