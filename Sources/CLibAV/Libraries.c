// SPDX-License-Identifier: MIT
#include "Libraries.h"

#include <dlfcn.h>
#include <stdio.h>

static void fail(Failure *failure, const char *what, const char *detail, const Library *library) {
    snprintf(failure->text, sizeof failure->text, "%s: %s; the Debian package %s has it (apt install %s)", what,
             detail, library->package, library->package);
}

void *open_library(const Library *library, Failure *failure) {
    // Most functions of these libraries and of the two hundred that they load are never called: to find them all takes
    // as much as a twentieth of the processor time of copying a file.
    void *handle = dlopen(library->soname, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) {
        fail(failure, library->soname, "the library cannot be loaded", library);
        return NULL;
    }
    unsigned (*version_function)(void) = (unsigned (*)(void))dlsym(handle, library->version_function);
    unsigned version = version_function ? version_function() : 0;
    // Within a major version, structures only grow: an older library may lack fields that are read here.
    if (version >> 16 != library->version >> 16 || version < library->version) {
        char detail[96];
        snprintf(detail, sizeof detail, "version %u.%u.%u, expected %u.%u.%u or later of the same major version",
                 version >> 16, version >> 8 & 255, version & 255, library->version >> 16,
                 library->version >> 8 & 255, library->version & 255);
        fail(failure, library->soname, detail, library);
        return NULL;
    }
    return handle;
}

void *find_function(void *handle, const char *name, const Library *library, Failure *failure) {
    void *function = dlsym(handle, name);
    if (!function) {
        char detail[96];
        snprintf(detail, sizeof detail, "no function %s", name);
        fail(failure, library->soname, detail, library);
    }
    return function;
}
