// SPDX-License-Identifier: MIT
// The calls of libc that ask for a file's status.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "interpose.h"
#include "tree.h"

static int status_of(int folder, const char *path, struct stat *status, int flags) {
    char buffer[PATH_MAX];
    int result = (int)syscall(SYS_newfstatat, folder, shim_redirect(path, buffer), status, flags);
    if (result == 0) shim_dress(status);
    return result;
}

// The structures with and without 64 in their names are one on this architecture.
#define STATUS_CALLS(suffix, type)                                                                                   \
    EXPORTED int stat##suffix(const char *path, type *status) {                                                      \
        return status_of(AT_FDCWD, path, (struct stat *)status, 0);                                                  \
    }                                                                                                                \
    EXPORTED int lstat##suffix(const char *path, type *status) {                                                     \
        return status_of(AT_FDCWD, path, (struct stat *)status, AT_SYMLINK_NOFOLLOW);                                \
    }                                                                                                                \
    EXPORTED int fstat##suffix(int file, type *status) {                                                             \
        return status_of(file, "", (struct stat *)status, AT_EMPTY_PATH);                                            \
    }                                                                                                                \
    EXPORTED int fstatat##suffix(int folder, const char *path, type *status, int flags) {                            \
        return status_of(folder, path, (struct stat *)status, flags);                                                \
    }                                                                                                                \
    /* Programs linked before glibc 2.33 call these. */                                                              \
    EXPORTED int __xstat##suffix(__attribute__((unused)) int version, const char *path, type *status) {              \
        return stat##suffix(path, status);                                                                           \
    }                                                                                                                \
    EXPORTED int __lxstat##suffix(__attribute__((unused)) int version, const char *path, type *status) {             \
        return lstat##suffix(path, status);                                                                          \
    }                                                                                                                \
    EXPORTED int __fxstat##suffix(__attribute__((unused)) int version, int file, type *status) {                     \
        return fstat##suffix(file, status);                                                                          \
    }                                                                                                                \
    EXPORTED int __fxstatat##suffix(__attribute__((unused)) int version, int folder, const char *path, type *status, \
                                    int flags) {                                                                     \
        return fstatat##suffix(folder, path, status, flags);                                                         \
    }

STATUS_CALLS(, struct stat)
STATUS_CALLS(64, struct stat64)

EXPORTED int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict status) {
    char buffer[PATH_MAX];
    int result = (int)syscall(SYS_statx, folder, shim_redirect(path, buffer), flags, mask, status);
    if (result != 0) return result;
    int minor = shim_node_minor(makedev(status->stx_dev_major, status->stx_dev_minor), status->stx_ino);
    if (minor < 0) return 0;
    status->stx_mode = (uint16_t)shim_node_mode();
    status->stx_rdev_major = SHIM_DRM_MAJOR;
    status->stx_rdev_minor = (unsigned)minor;
    return 0;
}
