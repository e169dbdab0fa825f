// SPDX-License-Identifier: MIT
#include "CLibAVResampling.h"

#include "Libraries.h"

#include <pthread.h>
#include <stdio.h>

static const Library library = LIBRARY(swresample, SWRESAMPLE);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static CLibAVResampling functions;
static bool is_loaded;
static Failure failure;

static void load_once(void) {
    void *handle = open_library(&library, &failure);
    if (!handle)
        return;
#define LOAD(unused, name)                                                                          \
    functions.name = (__typeof__(functions.name))find_function(handle, #name, &library, &failure); \
    if (!functions.name)                                                                            \
        return;
    CLIBAV_RESAMPLING_FUNCTIONS(LOAD)
#undef LOAD
    is_loaded = true;
}

const CLibAVResampling *clibav_load_resampling(char *reason, size_t size) {
    pthread_once(&once, load_once);
    if (is_loaded)
        return &functions;
    snprintf(reason, size, "%s", failure.text);
    return NULL;
}
