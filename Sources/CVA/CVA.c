// SPDX-License-Identifier: MIT
#include "CVA.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cva_functions functions;
static char missing[256];

static void find(void *library, const char *name, void *place) {
    *(void **)place = library ? dlsym(library, name) : NULL;
}

/// The name of a function that the library lacks, or NULL.
static const char *find_all(void *library) {
#define CVA_FIND(name)                         \
    find(library, #name, &functions.name);     \
    if (!functions.name) return #name;
    CVA_FUNCTIONS(CVA_FIND)
#undef CVA_FIND
    find(library, "vaSyncBuffer", &functions.vaSyncBuffer);
    find(library, "vaConfigAttribTypeStr", &functions.vaConfigAttribTypeStr);
    return NULL;
}

static void find_displays(void) {
    find(dlopen("libva-drm.so.2", RTLD_NOW | RTLD_LOCAL), "vaGetDisplayDRM", &functions.vaGetDisplayDRM);
    void *va = dlopen("libva-x11.so.2", RTLD_NOW | RTLD_LOCAL);
    void *x = va ? dlopen("libX11.so.6", RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!x) return;
    find(va, "vaGetDisplay", &functions.vaGetDisplay);
    find(x, "XOpenDisplay", &functions.XOpenDisplay);
    find(x, "XCloseDisplay", &functions.XCloseDisplay);
}

// The libraries stay open for the life of the process: drivers start threads that run in them.
static void load(void) {
    void *library = dlopen("libva.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(missing, sizeof missing, "no libva.so.2; install it (apt install libva2 libva-drm2)");
        return;
    }
    const char *lacking = find_all(library);
    if (lacking) {
        snprintf(missing, sizeof missing, "libva.so.2 has no %s; it takes libva 2.1 or later", lacking);
        return;
    }
    find_displays();
}

const char *cva_missing(void) {
    pthread_once(&once, load);
    return *missing ? missing : NULL;
}

const cva_functions *cva_open(void) { return cva_missing() ? NULL : &functions; }
