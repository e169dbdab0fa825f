// SPDX-License-Identifier: MIT
// libopenh264, opened when it is first asked for: its headers are needed to build, the library itself only to encode.
//
// An encoder is a pointer to a table of functions, which Swift calls with difficulty: hence one function for each
// entry.
#ifndef ENCODERKIT_COPENH264_H
#define ENCODERKIT_COPENH264_H

#include <stdbool.h>
#include <stddef.h>
#include <wels/codec_api.h>

/// NULL when the library could be opened, else what is missing and how to get it.
const char *copenh264_missing(void);

/// "2.3.1"; empty without the library.
const char *copenh264_version(void);

/// The library's defaults; false without the library or without memory.
bool copenh264_defaults(SEncParamExt *parameters);

/// Opens an encoder that says messages up to `level` to `log`. Returns NULL, with the library's status, where it
/// refuses.
ISVCEncoder *copenh264_open(const SEncParamExt *parameters, int level, WelsTraceCallback log, void *context, int *status);

/// Closes an encoder and frees it.
void copenh264_close(ISVCEncoder *encoder);

int copenh264_parameter_sets(ISVCEncoder *encoder, SFrameBSInfo *output);

/// Encodes the planes of a picture in I420, as an IDR picture where it must be one.
int copenh264_encode(
    ISVCEncoder *encoder, const void *const planes[3], const int strides[3], int width, int height, long long milliseconds,
    bool is_key, SFrameBSInfo *output);

/// Goes on with other frame and bit rates and another key-frame interval.
int copenh264_change(ISVCEncoder *encoder, const SEncParamExt *parameters);

/// Goes on with the quantizer of the first layer, where all else is as the encoder has it.
int copenh264_change_quantizer(ISVCEncoder *encoder, const SEncParamExt *parameters);

/// The NAL unit with this index in an output, behind its start code, as the standard has it; NULL behind the last.
const unsigned char *copenh264_unit(const SFrameBSInfo *output, int index, size_t *size);

#endif
