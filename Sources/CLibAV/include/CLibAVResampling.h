// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CLIBAV_RESAMPLING_H
#define ENCODERKIT_CLIBAV_RESAMPLING_H

#include <libswresample/swresample.h>
#include <stddef.h>

// The functions of libswresample that are used here: X(library, name).
#define CLIBAV_RESAMPLING_FUNCTIONS(X)      \
    X(swresample, swr_alloc_set_opts2)      \
    X(swresample, swr_convert)              \
    X(swresample, swr_free)                 \
    X(swresample, swr_get_out_samples)      \
    X(swresample, swr_init)                 \
    X(swresample, swr_set_compensation)

/// The functions of libswresample that `clibav_load_resampling` found.
typedef struct CLibAVResampling {
#define CLIBAV_MEMBER(library, name) __typeof__(name) *_Nonnull name;
    CLIBAV_RESAMPLING_FUNCTIONS(CLIBAV_MEMBER)
#undef CLIBAV_MEMBER
} CLibAVResampling;

/// Loads libswresample as `clibav_load` loads the others, which do without it.
const CLibAVResampling *_Nullable clibav_load_resampling(char *_Nonnull reason, size_t size);

#endif
