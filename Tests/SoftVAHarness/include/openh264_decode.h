// SPDX-License-Identifier: MIT
// Decodes H.264 with libopenh264, which shares no code with FFmpeg.
#ifndef OPENH264_DECODE_H
#define OPENH264_DECODE_H

#include <stddef.h>
#include <stdint.h>

/// NULL if libopenh264 can be loaded and the tests were built with its headers, else what is missing.
const char *openh264_missing(void);

/// Decodes an Annex B stream to I420 pictures, one after the other. Returns their bytes, malloc'ed, and their number of
/// bytes in `size`; NULL, with the decoder's state in `state`, if it complains.
uint8_t *openh264_decode(const uint8_t *stream, size_t stream_size, size_t *size, int *state);

#endif
