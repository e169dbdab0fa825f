// SPDX-License-Identifier: MIT
#include "CVA.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cva_functions functions;
/// What is missing and how to get it; empty where nothing is.
static char missing[512], missing_drm[512], missing_x11[512];

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
    find(library, "vaExportSurfaceHandle", &functions.vaExportSurfaceHandle);
    find(library, "vaConfigAttribTypeStr", &functions.vaConfigAttribTypeStr);
    return NULL;
}

// The libraries stay open for the life of the process: drivers start threads that run in them.
static void *open_library(const char *name, const char *package, char reason[512]) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(reason, 512, "%s does not open: %s (apt install %s)", name, dlerror(), package);
    return library;
}

static void find_displays(void) {
    void *drm = open_library("libva-drm.so.2", "libva-drm2", missing_drm);
    find(drm, "vaGetDisplayDRM", &functions.vaGetDisplayDRM);
    if (!drm) functions.no_drm = missing_drm;
    void *va = open_library("libva-x11.so.2", "libva-x11-2", missing_x11);
    void *x = va ? open_library("libX11.so.6", "libx11-6", missing_x11) : NULL;
    find(x ? va : NULL, "vaGetDisplay", &functions.vaGetDisplay);
    find(x, "XOpenDisplay", &functions.XOpenDisplay);
    find(x, "XCloseDisplay", &functions.XCloseDisplay);
    if (!x) functions.no_x11 = missing_x11;
}

static void load(void) {
    void *library = open_library("libva.so.2", "libva2 libva-drm2", missing);
    if (!library) return;
    const char *lacking = find_all(library);
    if (lacking) {
        snprintf(missing, sizeof missing, "libva.so.2 has no %s; it takes libva 2.0 or later", lacking);
        return;
    }
    find_displays();
}

const char *cva_missing(void) {
    pthread_once(&once, load);
    return *missing ? missing : NULL;
}

// Of the C++ ABI, which every libc on Linux has: atexit() cannot be taken back.
int __cxa_atexit(void (*body)(void *), void *argument, void *library);
void __cxa_finalize(void *library);

void cva_at_exit(void (*body)(void *), void *name) { __cxa_atexit(body, name, name); }

void cva_take_back(void *name) { __cxa_finalize(name); }

const cva_functions *cva_open(void) { return cva_missing() ? NULL : &functions; }
