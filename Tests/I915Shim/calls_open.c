// SPDX-License-Identifier: MIT
// The calls of libc that open a path or ask whether it may be opened.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fault.h"
#include "interpose.h"
#include "tree.h"

static int open_redirected(int folder, const char *path, int flags, mode_t mode) {
    char buffer[PATH_MAX];
    const char *redirected = shim_redirect(path, buffer);
    if (redirected != path) flags &= ~(O_CREAT | O_TRUNC | O_EXCL);
    bool is_node = redirected != path && strncmp(path, "/dev/dri/renderD", 16) == 0;
    int fault = is_node ? shim_fault_at(SHIM_AT_OPEN, 0) : 0;
    if (fault > 0) {
        errno = fault;
        return -1;
    }
    return (int)syscall(SYS_openat, folder, redirected, flags, mode);
}

// The mode is an argument only where the flags say that there is a file to make.
#define READ_MODE(flags)                  \
    mode_t mode = 0;                      \
    if (__OPEN_NEEDS_MODE(flags)) {       \
        va_list arguments;                \
        va_start(arguments, flags);       \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments);                \
    }

EXPORTED int open(const char *path, int flags, ...) {
    READ_MODE(flags)
    return open_redirected(AT_FDCWD, path, flags, mode);
}

EXPORTED int open64(const char *path, int flags, ...) {
    READ_MODE(flags)
    return open_redirected(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

EXPORTED int openat(int folder, const char *path, int flags, ...) {
    READ_MODE(flags)
    return open_redirected(folder, path, flags, mode);
}

EXPORTED int openat64(int folder, const char *path, int flags, ...) {
    READ_MODE(flags)
    return open_redirected(folder, path, flags | O_LARGEFILE, mode);
}

// What calls without a mode become when they are compiled with _FORTIFY_SOURCE.
EXPORTED int __open_2(const char *path, int flags) { return open_redirected(AT_FDCWD, path, flags, 0); }
EXPORTED int __open64_2(const char *path, int flags) { return open_redirected(AT_FDCWD, path, flags | O_LARGEFILE, 0); }
EXPORTED int __openat_2(int folder, const char *path, int flags) { return open_redirected(folder, path, flags, 0); }
EXPORTED int __openat64_2(int folder, const char *path, int flags) {
    return open_redirected(folder, path, flags | O_LARGEFILE, 0);
}

EXPORTED FILE *fopen(const char *path, const char *mode) {
    char buffer[PATH_MAX];
    return NEXT(fopen)(shim_redirect(path, buffer), mode);
}

EXPORTED FILE *fopen64(const char *path, const char *mode) {
    char buffer[PATH_MAX];
    return NEXT(fopen64)(shim_redirect(path, buffer), mode);
}

EXPORTED DIR *opendir(const char *path) {
    char buffer[PATH_MAX];
    return NEXT(opendir)(shim_redirect(path, buffer));
}

EXPORTED int scandir(const char *path, struct dirent ***list, int (*keep)(const struct dirent *),
                     int (*compare)(const struct dirent **, const struct dirent **)) {
    char buffer[PATH_MAX];
    return NEXT(scandir)(shim_redirect(path, buffer), list, keep, compare);
}

EXPORTED int access(const char *path, int mode) {
    char buffer[PATH_MAX];
    return (int)syscall(SYS_access, shim_redirect(path, buffer), mode);
}

EXPORTED int faccessat(int folder, const char *path, int mode, int flags) {
    char buffer[PATH_MAX];
    return NEXT(faccessat)(folder, shim_redirect(path, buffer), mode, flags);
}

EXPORTED int euidaccess(const char *path, int mode) {
    char buffer[PATH_MAX];
    return NEXT(euidaccess)(shim_redirect(path, buffer), mode);
}

EXPORTED int eaccess(const char *path, int mode) { return euidaccess(path, mode); }
