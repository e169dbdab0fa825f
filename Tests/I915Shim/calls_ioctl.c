// SPDX-License-Identifier: MIT
#include <errno.h>
#include <linux/dma-buf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "interpose.h"
#include "log.h"
#include "objects.h"
#include "queue.h"
#include "requests.h"
#include "tree.h"

static int device_request(unsigned long request, void *argument) {
    unsigned number = _IOC_NR(request);
    bool is_i915 = number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END;
    pthread_mutex_lock(&shim_lock);
    int result = is_i915 ? shim_i915_request(number - DRM_COMMAND_BASE, argument) : shim_core_request(number, argument);
    int error = errno;
    pthread_mutex_unlock(&shim_lock);
    shim_log(result ? 1 : 3, "request %#x: %s\n", number, result ? strerror(error) : "done");
    errno = error;
    return result;
}

/// Whether the file is the memory of a buffer object; then all work on it is done.
static bool is_idle_object(int file) {
    pthread_mutex_lock(&shim_lock);
    const shim_object *object = shim_object_of_file(file);
    if (object) shim_queue_wait(object, -1);
    pthread_mutex_unlock(&shim_lock);
    return object != NULL;
}

EXPORTED int ioctl(int file, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (_IOC_TYPE(request) == DRM_IOCTL_BASE && shim_is_device(file)) return device_request(request, argument);
    if (request == DMA_BUF_IOCTL_SYNC && is_idle_object(file)) return 0;
    return (int)syscall(SYS_ioctl, file, request, argument);
}
