// SPDX-License-Identifier: MIT
#include "CLibAVScaling.h"

#include "Libraries.h"

static CLibAVScaling functions;

static bool fill(Failure *failure) {
    static const Library swscale = LIBRARY(swscale, SWSCALE);
    const Library *library = &swscale;
    void *handle = open_library(library, failure);
    if (!handle)
        return false;
#define FILL(unused, name) FILL_MEMBER(functions, name)
    CLIBAV_SCALING_FUNCTIONS(FILL)
#undef FILL
    return true;
}

DEFINE_ACCESSOR(clibav_load_scaling, CLibAVScaling, functions, fill)
