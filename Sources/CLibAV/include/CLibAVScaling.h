// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_SCALING_H
#define ENCODERKIT_CLIBAV_SCALING_H

#include <libswscale/swscale.h>
#include <stddef.h>

// The functions of libswscale that are used here: X(library, name).
#define CLIBAV_SCALING_FUNCTIONS(X)      \
    X(swscale, sws_freeContext)          \
    X(swscale, sws_getCoefficients)      \
    X(swscale, sws_getContext)           \
    X(swscale, sws_scale)                \
    X(swscale, sws_setColorspaceDetails) \
    X(swscale, swscale_version)

/// The functions of libswscale that `clibav_load_scaling` found.
typedef struct CLibAVScaling {
#define CLIBAV_MEMBER(library, name) __typeof__(name) *_Nonnull name;
    CLIBAV_SCALING_FUNCTIONS(CLIBAV_MEMBER)
#undef CLIBAV_MEMBER
} CLibAVScaling;

/// Loads libswscale as `clibav_load` loads the others, which do without it.
const CLibAVScaling *_Nullable clibav_load_scaling(char *_Nonnull reason, size_t size);

#endif
