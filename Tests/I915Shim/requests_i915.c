// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "fault.h"
#include "log.h"
#include "objects.h"
#include "registers.h"
#include "requests.h"
#include "settings.h"

/// The low half of the render engine's clock.
#define RENDER_TIMESTAMP 0x2358

static int read_register(struct drm_i915_reg_read *request) {
    request->val = (request->offset & ~7ull) == RENDER_TIMESTAMP ? shim_ticks() : 0;
    return 0;
}

/// A context is told of its own hangs, as by the kernel: another that goes on has lost nothing.
static int reset_statistics(struct drm_i915_reset_stats *request) {
    request->reset_count = 0;  // for the administrator only
    request->batch_active = shim_fault_hangs(request->ctx_id);
    request->batch_pending = 0;
    return 0;
}

int shim_i915_request(unsigned number, void *argument) {
    static uint32_t contexts, address_spaces;
    switch (number) {
        case DRM_I915_GETPARAM: return shim_get_parameter(argument);
        case DRM_I915_QUERY: return shim_query(argument);
        case DRM_I915_GEM_EXECBUFFER2: return shim_submit(argument);
        case DRM_I915_GEM_CONTEXT_CREATE:
            ((struct drm_i915_gem_context_create *)argument)->ctx_id = ++contexts;
            return 0;
        case DRM_I915_GEM_VM_CREATE: ((struct drm_i915_gem_vm_control *)argument)->vm_id = ++address_spaces; return 0;
        case DRM_I915_GEM_CONTEXT_DESTROY:
        case DRM_I915_GEM_VM_DESTROY:
        case DRM_I915_GEM_THROTTLE: return 0;
        case DRM_I915_GEM_CONTEXT_GETPARAM: return shim_context_parameter(argument, false);
        case DRM_I915_GEM_CONTEXT_SETPARAM: return shim_context_parameter(argument, true);
        case DRM_I915_REG_READ: return read_register(argument);
        case DRM_I915_GET_RESET_STATS: return reset_statistics(argument);
        case DRM_I915_GEM_GET_APERTURE: {
            struct drm_i915_gem_get_aperture *request = argument;
            bool is_large = shim_get()->chip.generation >= 8;
            request->aper_size = request->aper_available_size = is_large ? 1ull << 47 : 2ull << 30;
            return 0;
        }
        case DRM_I915_GEM_CREATE:
        case DRM_I915_GEM_CREATE_EXT:
        case DRM_I915_GEM_USERPTR:
        case DRM_I915_GEM_PREAD:
        case DRM_I915_GEM_PWRITE:
        case DRM_I915_GEM_MMAP:
        case DRM_I915_GEM_MMAP_GTT:
        case DRM_I915_GEM_SET_TILING:
        case DRM_I915_GEM_GET_TILING:
        case DRM_I915_GEM_BUSY:
        case DRM_I915_GEM_WAIT:
        case DRM_I915_GEM_MADVISE:
        case DRM_I915_GEM_SET_CACHING:
        case DRM_I915_GEM_GET_CACHING:
        case DRM_I915_GEM_SET_DOMAIN:
        case DRM_I915_GEM_SW_FINISH:
        case DRM_I915_GEM_PIN:
        case DRM_I915_GEM_UNPIN: return shim_object_request(number, argument);
        default: break;
    }
    shim_log(1, "request %#x of i915 is not known\n", number);
    return shim_fail(EINVAL);
}
