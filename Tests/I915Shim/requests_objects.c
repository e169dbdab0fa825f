// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fault.h"
#include "objects.h"
#include "queue.h"
#include "requests.h"

static int create(struct drm_i915_gem_create *request) {
    if (request->size == 0) return shim_fail(EINVAL);
    int fault = shim_fault_at(SHIM_AT_CREATE, 0);
    if (fault) return shim_fail(fault);
    const shim_object *object = shim_object_make(request->size, -1, NULL);
    if (!object) return shim_fail(ENOMEM);
    request->handle = object->handle;
    request->size = object->size;
    return 0;
}

static int adopt(struct drm_i915_gem_userptr *request) {
    const shim_object *object = shim_object_make(request->user_size, -1, (void *)(uintptr_t)request->user_ptr);
    if (!object) return shim_fail(ENOMEM);
    request->handle = object->handle;
    return 0;
}

/// Copies between the object and the application; the structures of both requests are alike.
static int transfer(const shim_object *object, const struct drm_i915_gem_pwrite *request, bool writes) {
    if (request->offset > object->size || request->size > object->size - request->offset) return shim_fail(EINVAL);
    void *outside = (void *)(uintptr_t)request->data_ptr;
    uint8_t *inside = object->memory + request->offset;
    memcpy(writes ? inside : outside, writes ? outside : inside, request->size);
    return 0;
}

static int map(const shim_object *object, struct drm_i915_gem_mmap *request) {
    if (object->file < 0) {
        request->addr_ptr = (uintptr_t)object->memory + request->offset;
        return 0;
    }
    void *memory = (void *)syscall(SYS_mmap, NULL, request->size, PROT_READ | PROT_WRITE, MAP_SHARED, object->file,
                                   request->offset);
    if (memory == MAP_FAILED) return -1;
    request->addr_ptr = (uintptr_t)memory;
    return 0;
}

/// Waits for what the device does with the object.
static int wait_for(const shim_object *object, struct drm_i915_gem_wait *request) {
    if (shim_queue_wait(object, request->timeout_ns)) return 0;
    request->timeout_ns = 0;
    return shim_fail(ETIME);
}

static int set_tiling(shim_object *object, struct drm_i915_gem_set_tiling *request) {
    object->tiling = request->tiling_mode;
    object->stride = request->stride;
    request->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int get_tiling(const shim_object *object, struct drm_i915_gem_get_tiling *request) {
    request->tiling_mode = object->tiling;
    request->swizzle_mode = request->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

int shim_object_request(unsigned number, void *argument) {
    switch (number) {
        case DRM_I915_GEM_CREATE:
        case DRM_I915_GEM_CREATE_EXT: return create(argument);  // their fields begin alike
        case DRM_I915_GEM_USERPTR: return adopt(argument);
        default: break;
    }
    // Requests about an object that exists.
    const uint32_t *first_field = argument;
    uint32_t handle = number == DRM_I915_GEM_WAIT ? ((struct drm_i915_gem_wait *)argument)->bo_handle : *first_field;
    shim_object *object = shim_object_of(handle);
    if (!object) return shim_fail(ENOENT);
    bool is_of_bytes = number == DRM_I915_GEM_PREAD || number == DRM_I915_GEM_PWRITE || number == DRM_I915_GEM_SET_DOMAIN;
    if (is_of_bytes) shim_queue_wait(object, -1);
    switch (number) {
        case DRM_I915_GEM_WAIT: return wait_for(object, argument);
        case DRM_I915_GEM_PREAD: return transfer(object, argument, false);
        case DRM_I915_GEM_PWRITE: return transfer(object, argument, true);
        case DRM_I915_GEM_MMAP: return map(object, argument);
        case DRM_I915_GEM_MMAP_GTT:  // and the newer MMAP_OFFSET, whose fields begin alike
            ((struct drm_i915_gem_mmap_gtt *)argument)->offset = shim_object_map_offset(object);
            return 0;
        case DRM_I915_GEM_SET_TILING: return set_tiling(object, argument);
        case DRM_I915_GEM_GET_TILING: return get_tiling(object, argument);
        case DRM_I915_GEM_BUSY: ((struct drm_i915_gem_busy *)argument)->busy = shim_queue_uses(object); return 0;
        case DRM_I915_GEM_MADVISE: ((struct drm_i915_gem_madvise *)argument)->retained = 1; return 0;
        case DRM_I915_GEM_SET_CACHING: object->caching = ((struct drm_i915_gem_caching *)argument)->caching; return 0;
        case DRM_I915_GEM_GET_CACHING: ((struct drm_i915_gem_caching *)argument)->caching = object->caching; return 0;
        case DRM_I915_GEM_PIN: ((struct drm_i915_gem_pin *)argument)->offset = object->address; return 0;
        default: return 0;  // SET_DOMAIN, SW_FINISH, UNPIN
    }
}
