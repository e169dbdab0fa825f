// SPDX-License-Identifier: MIT
// The calls of libc that reach the pretended camera; all others go on to the kernel.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "camera.h"
#include "settings.h"

#define EXPORTED __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int open_node(const char *path, int flags, mode_t mode) {
    if (strcmp(path, shim_settings()->node) != 0) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    pthread_mutex_lock(&lock);
    int file = camera_open(flags);
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return file;
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
    return open_node(path, flags, mode);
}

EXPORTED int open64(const char *path, int flags, ...) {
    READ_MODE(flags)
    return open_node(path, flags | O_LARGEFILE, mode);
}

EXPORTED int __open_2(const char *path, int flags) { return open_node(path, flags, 0); }
EXPORTED int __open64_2(const char *path, int flags) { return open_node(path, flags | O_LARGEFILE, 0); }

EXPORTED int ioctl(int file, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    bool is_camera = camera_is(file);
    // Requests are 32 bits wide; callers may have extended their sign.
    int status = is_camera ? camera_request(file, request & 0xFFFFFFFF, argument) : 0;
    int error = errno;
    pthread_mutex_unlock(&lock);
    if (!is_camera) return (int)syscall(SYS_ioctl, file, request, argument);
    errno = error;
    return status;
}

EXPORTED int close(int file) {
    pthread_mutex_lock(&lock);
    camera_close(file);
    pthread_mutex_unlock(&lock);
    return (int)syscall(SYS_close, file);
}
