// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "objects.h"
#include "queue.h"
#include "requests.h"
#include "tree.h"

#define NUMBER(request) _IOC_NR(request)

int shim_fail(int error) {
    errno = error;
    return -1;
}

/// Copies as much of the text as there is room for, and says how long it is.
static void put_text(char *target, __kernel_size_t *length, const char *text) {
    size_t needed = strlen(text);
    if (target && *length) memcpy(target, text, needed < *length ? needed : *length);
    *length = needed;
}

static int version(struct drm_version *request) {
    request->version_major = 1;
    request->version_minor = 6;
    request->version_patchlevel = 0;
    put_text(request->name, &request->name_len, "i915");
    put_text(request->date, &request->date_len, "20201103");
    put_text(request->desc, &request->desc_len, "Intel Graphics");
    return 0;
}

static int capability(struct drm_get_cap *request) {
    switch (request->capability) {
        case DRM_CAP_PRIME: request->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT; break;
        case DRM_CAP_TIMESTAMP_MONOTONIC:
        case DRM_CAP_SYNCOBJ:
        case DRM_CAP_SYNCOBJ_TIMELINE:
        case DRM_CAP_ADDFB2_MODIFIERS: request->value = 1; break;
        default: request->value = 0; break;
    }
    return 0;
}

static int export_object(struct drm_prime_handle *request) {
    const shim_object *object = shim_object_of(request->handle);
    if (!object || object->file < 0) return shim_fail(ENOENT);
    request->fd = fcntl(object->file, request->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
    return request->fd < 0 ? -1 : 0;
}

static int import_object(struct drm_prime_handle *request) {
    // An object has one handle, however often it is imported.
    const shim_object *object = shim_object_of_file(request->fd);
    if (!object) {
        struct stat status;
        if (syscall(SYS_newfstatat, request->fd, "", &status, AT_EMPTY_PATH) != 0) return -1;
        int file = status.st_size > 0 ? fcntl(request->fd, F_DUPFD_CLOEXEC, 0) : -1;
        if (file < 0) return shim_fail(EINVAL);
        object = shim_object_make((uint64_t)status.st_size, file, NULL);
    }
    if (!object) return shim_fail(EINVAL);
    request->handle = object->handle;
    return 0;
}

static int name_object(struct drm_gem_flink *request) {
    shim_object *object = shim_object_of(request->handle);
    if (!object) return shim_fail(ENOENT);
    request->name = object->global_name = object->handle;
    return 0;
}

static int open_named(struct drm_gem_open *request) {
    shim_object *object = shim_object_of(request->name);
    if (!object || object->global_name == 0) return shim_fail(ENOENT);
    object->references++;
    request->handle = object->handle;
    request->size = object->size;
    return 0;
}

static int close_object(const struct drm_gem_close *request) {
    shim_object *object = shim_object_of(request->handle);
    if (!object) return shim_fail(EINVAL);
    shim_object_drop(object);
    return 0;
}

static int client(struct drm_client *request) {
    if (request->idx != 0) return shim_fail(EINVAL);
    request->auth = 1;
    request->pid = (unsigned long)getpid();
    request->uid = getuid();
    return 0;
}

static int interface_version(struct drm_set_version *request) {
    *request = (struct drm_set_version){.drm_di_major = 1, .drm_di_minor = 4, .drm_dd_major = 1, .drm_dd_minor = 6};
    return 0;
}

/// Waits for all batches: synchronisation objects do not say of which one they are.
static int wait_for_all(int64_t absolute) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = absolute - (now.tv_sec * 1000000000ll + now.tv_nsec);
    return shim_queue_wait(NULL, left > 0 ? left : 0) ? 0 : shim_fail(ETIME);
}

/// Synchronisation objects.
static int synchronisation(unsigned number, void *argument) {
    static uint32_t handles;
    switch (number) {
        case NUMBER(DRM_IOCTL_SYNCOBJ_CREATE): ((struct drm_syncobj_create *)argument)->handle = ++handles; return 0;
        case NUMBER(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
            ((struct drm_syncobj_handle *)argument)->handle = ++handles;
            return 0;
        case NUMBER(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
            ((struct drm_syncobj_handle *)argument)->fd = eventfd(1, EFD_CLOEXEC);
            return 0;
        case NUMBER(DRM_IOCTL_SYNCOBJ_WAIT): {
            struct drm_syncobj_wait *request = argument;
            request->first_signaled = 0;
            return wait_for_all(request->timeout_nsec);
        }
        case NUMBER(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
            return wait_for_all(((struct drm_syncobj_timeline_wait *)argument)->timeout_nsec);
        case NUMBER(DRM_IOCTL_SYNCOBJ_DESTROY):
        case NUMBER(DRM_IOCTL_SYNCOBJ_RESET):
        case NUMBER(DRM_IOCTL_SYNCOBJ_SIGNAL):
        case NUMBER(DRM_IOCTL_SYNCOBJ_QUERY):
        case NUMBER(DRM_IOCTL_SYNCOBJ_TRANSFER):
        case NUMBER(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL): return 0;
        default: break;
    }
    shim_log(1, "request %#x of DRM is not known\n", number);
    return shim_fail(EINVAL);
}

int shim_core_request(unsigned number, void *argument) {
    switch (number) {
        case NUMBER(DRM_IOCTL_VERSION): return version(argument);
        case NUMBER(DRM_IOCTL_GET_UNIQUE): {
            struct drm_unique *request = argument;
            put_text(request->unique, &request->unique_len, "pci:" SHIM_PCI_SLOT);
            return 0;
        }
        case NUMBER(DRM_IOCTL_GET_MAGIC): ((struct drm_auth *)argument)->magic = 1; return 0;
        case NUMBER(DRM_IOCTL_GET_CLIENT): return client(argument);
        case NUMBER(DRM_IOCTL_SET_VERSION): return interface_version(argument);
        case NUMBER(DRM_IOCTL_GET_CAP): return capability(argument);
        case NUMBER(DRM_IOCTL_SET_CLIENT_CAP):
        case NUMBER(DRM_IOCTL_AUTH_MAGIC):
        case NUMBER(DRM_IOCTL_SET_MASTER):
        case NUMBER(DRM_IOCTL_DROP_MASTER): return 0;
        case NUMBER(DRM_IOCTL_GEM_CLOSE): return close_object(argument);
        case NUMBER(DRM_IOCTL_GEM_FLINK): return name_object(argument);
        case NUMBER(DRM_IOCTL_GEM_OPEN): return open_named(argument);
        case NUMBER(DRM_IOCTL_PRIME_HANDLE_TO_FD): return export_object(argument);
        case NUMBER(DRM_IOCTL_PRIME_FD_TO_HANDLE): return import_object(argument);
        default: return synchronisation(number, argument);
    }
}
