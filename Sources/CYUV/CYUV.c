// SPDX-License-Identifier: MIT
#include "CYUV.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

// libyuv keeps the signatures of its C functions within a file name; without a number in packages for developers only.
static const char *const names[] = {"libyuv.so.0", "libyuv.so"};

static CYUV functions;
static bool is_filled;
static char missing[256];

static bool fill(void *library) {
#define FILL(name)                                                            \
    functions.name = (__typeof__(functions.name))dlsym(library, #name);       \
    if (!functions.name) {                                                    \
        snprintf(missing, sizeof missing, "libyuv has no function %s", #name); \
        return false;                                                         \
    }
    CYUV_FUNCTIONS(FILL)
#undef FILL
    return true;
}

// The library stays open for the life of the process.
static void load(void) {
    snprintf(missing, sizeof missing, "no libyuv.so.0");
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_filled; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library)
            continue;
        is_filled = fill(library);
        if (!is_filled)
            dlclose(library);
    }
}

const CYUV *cyuv_load(char *reason, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (is_filled)
        return &functions;
    snprintf(reason, size, "%s; the Debian package libyuv0 has it (apt install libyuv0)", missing);
    return NULL;
}
