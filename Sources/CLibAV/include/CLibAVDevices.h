// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_DEVICES_H
#define ENCODERKIT_CLIBAV_DEVICES_H

#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stddef.h>

// The functions that open screens, cameras and sound cards: X(library, name). Only capture asks for them.
#define CLIBAV_DEVICE_FUNCTIONS(X)         \
    X(avdevice, avdevice_free_list_devices) \
    X(avdevice, avdevice_list_input_sources) \
    X(avdevice, avdevice_register_all)     \
    X(avformat, av_find_input_format)

/// The functions that `clibav_load_devices` found.
typedef struct CLibAVDevices {
#define CLIBAV_MEMBER(library, name) __typeof__(name) *_Nonnull name;
    CLIBAV_DEVICE_FUNCTIONS(CLIBAV_MEMBER)
#undef CLIBAV_MEMBER
} CLibAVDevices;

/// Loads the libraries as `clibav_load` does, and libavdevice, whose devices libavformat knows from then on.
const CLibAVDevices *_Nullable clibav_load_devices(char *_Nonnull reason, size_t size);

/// Makes reads of `context`, before it is opened, return at once where a device has nothing yet.
static inline void clibav_never_block(AVFormatContext *_Nonnull context) { context->flags |= AVFMT_FLAG_NONBLOCK; }

/// The errno of a status of the libraries; 0 for a status of their own.
static inline int clibav_errno(int status) {
    int number = AVUNERROR(status);
    return status < 0 && number < 4096 ? number : 0;
}

#endif
