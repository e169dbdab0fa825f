// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CX264_SHIM_H
#define ENCODERKIT_CX264_SHIM_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <x264.h>

// x264_encoder_open is a macro that pastes the build number onto the symbol; Swift imports no such macro.
static inline x264_t *cx264_encoder_open(x264_param_t *parameters) {
    return x264_encoder_open(parameters);
}

// The log callback takes a va_list, which Swift can hold but not portably read.
static inline int cx264_format_message(char *text, size_t size, const char *format, va_list arguments) {
    return vsnprintf(text, size, format, arguments);
}

#endif
