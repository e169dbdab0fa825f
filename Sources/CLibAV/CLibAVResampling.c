// SPDX-License-Identifier: MIT
#include "CLibAVResampling.h"

#include "Libraries.h"

static CLibAVResampling functions;

static bool fill(Failure *failure) {
    static const Library swresample = LIBRARY(swresample, SWRESAMPLE);
    const Library *library = &swresample;
    void *handle = open_library(library, failure);
    if (!handle)
        return false;
#define FILL(unused, name) FILL_MEMBER(functions, name)
    CLIBAV_RESAMPLING_FUNCTIONS(FILL)
#undef FILL
    return true;
}

DEFINE_ACCESSOR(clibav_load_resampling, CLibAVResampling, functions, fill)
