// SPDX-License-Identifier: MIT
// The calls of libc that follow links. The paths they answer lose the folder that they were redirected to.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "interpose.h"
#include "tree.h"

static ssize_t read_link(int folder, const char *path, char *target, size_t size) {
    char buffer[PATH_MAX], full[PATH_MAX];
    ssize_t length = syscall(SYS_readlinkat, folder, shim_redirect(path, buffer), full, sizeof full);
    if (length < 0) return length;
    length = shim_strip_root(full, length);
    if ((size_t)length > size) length = (ssize_t)size;
    memcpy(target, full, (size_t)length);
    return length;
}

EXPORTED ssize_t readlink(const char *restrict path, char *restrict target, size_t size) {
    return read_link(AT_FDCWD, path, target, size);
}

EXPORTED ssize_t readlinkat(int folder, const char *restrict path, char *restrict target, size_t size) {
    return read_link(folder, path, target, size);
}

EXPORTED ssize_t __readlink_chk(const char *path, char *target, size_t size, __attribute__((unused)) size_t room) {
    return read_link(AT_FDCWD, path, target, size);
}

EXPORTED char *realpath(const char *restrict path, char *restrict resolved) {
    char buffer[PATH_MAX];
    const char *redirected = shim_redirect(path, buffer);
    char *result = NEXT(realpath)(redirected, resolved);
    if (result && redirected != path) result[shim_strip_root(result, (ssize_t)strlen(result))] = 0;
    return result;
}

EXPORTED char *__realpath_chk(const char *path, char *resolved, __attribute__((unused)) size_t room) {
    return realpath(path, resolved);
}

EXPORTED char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }
