// SPDX-License-Identifier: MIT
// What the device says about itself, one number at a time.
#include <errno.h>

#include "fault.h"
#include "log.h"
#include "requests.h"
#include "settings.h"

int shim_get_parameter(struct drm_i915_getparam *request) {
    const shim_chip *chip = &shim_get()->chip;
    int *value = request->value;
    switch (request->param) {
        case I915_PARAM_CHIPSET_ID: *value = chip->id; return 0;
        case I915_PARAM_REVISION: *value = chip->revision; return 0;
        case I915_PARAM_HAS_BSD2: *value = chip->video_engines > 1; return 0;
        case I915_PARAM_HAS_VEBOX: *value = chip->enhancement_engines > 0; return 0;
        case I915_PARAM_HUC_STATUS: *value = !shim_fault_no_firmware(); return 0;
        case I915_PARAM_HAS_LLC: *value = chip->shared_cache; return 0;
        case I915_PARAM_HAS_ALIASING_PPGTT: *value = chip->generation >= 8 ? 3 : 1; return 0;
        case I915_PARAM_SUBSLICE_TOTAL: *value = chip->slices * chip->subslices; return 0;
        case I915_PARAM_EU_TOTAL: *value = chip->slices * chip->subslices * chip->units_per_subslice; return 0;
        case I915_PARAM_SLICE_MASK: *value = (1 << chip->slices) - 1; return 0;
        case I915_PARAM_SUBSLICE_MASK: *value = (1 << chip->subslices) - 1; return 0;
        case I915_PARAM_NUM_FENCES_AVAIL: *value = 32; return 0;
        case I915_PARAM_CMD_PARSER_VERSION: *value = 10; return 0;
        case I915_PARAM_MMAP_VERSION: *value = 1; return 0;
        case I915_PARAM_MMAP_GTT_VERSION: *value = 4; return 0;
        case I915_PARAM_HAS_SCHEDULER: *value = 7; return 0;
        case I915_PARAM_CS_TIMESTAMP_FREQUENCY: *value = 12500000; return 0;
        case I915_PARAM_HAS_GEM:
        case I915_PARAM_HAS_PAGEFLIPPING:
        case I915_PARAM_HAS_EXECBUF2:
        case I915_PARAM_HAS_BSD:
        case I915_PARAM_HAS_RELAXED_FENCING:
        case I915_PARAM_HAS_COHERENT_RINGS:
        case I915_PARAM_HAS_RELAXED_DELTA:
        case I915_PARAM_HAS_WAIT_TIMEOUT:
        case I915_PARAM_HAS_PINNED_BATCHES:
        case I915_PARAM_HAS_EXEC_NO_RELOC:
        case I915_PARAM_HAS_EXEC_HANDLE_LUT:
        case I915_PARAM_HAS_EXEC_SOFTPIN:
        case I915_PARAM_HAS_EXEC_ASYNC:
        case I915_PARAM_HAS_EXEC_FENCE:
        case I915_PARAM_HAS_EXEC_CAPTURE:
        case I915_PARAM_HAS_EXEC_BATCH_FIRST:
        case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
        case I915_PARAM_HAS_CONTEXT_ISOLATION:
        case I915_PARAM_HAS_BLT:
        case I915_PARAM_HAS_EXEC_TIMELINE_FENCES: *value = 1; return 0;
        case I915_PARAM_MIN_EU_IN_POOL:
        case I915_PARAM_HAS_POOLED_EU:
        case I915_PARAM_HAS_GPU_RESET:
        case I915_PARAM_HAS_OVERLAY:
        case I915_PARAM_HAS_WT:
        case I915_PARAM_HAS_RESOURCE_STREAMER:
        case I915_PARAM_HAS_SEMAPHORES:
        case I915_PARAM_IRQ_ACTIVE:
        case I915_PARAM_HAS_SECURE_BATCHES:
        case I915_PARAM_PERF_REVISION:
        case I915_PARAM_MMAP_GTT_COHERENT: *value = 0; return 0;
        default: break;
    }
    shim_log(1, "parameter %d is not known\n", request->param);
    return shim_fail(EINVAL);
}

int shim_context_parameter(struct drm_i915_gem_context_param *request, bool sets) {
    static uint32_t address_spaces;
    const shim_chip *chip = &shim_get()->chip;
    if (sets) return 0;
    switch (request->param) {
        case I915_CONTEXT_PARAM_GTT_SIZE:
            request->value = chip->generation >= 8 ? 1ull << 48 : 1ull << 31;
            request->size = 0;
            return 0;
        case I915_CONTEXT_PARAM_SSEU: {
            struct drm_i915_gem_context_param_sseu *units = (void *)(uintptr_t)request->value;
            if (units && request->size >= sizeof *units) {
                units->slice_mask = (1ull << chip->slices) - 1;
                units->subslice_mask = (1ull << chip->subslices) - 1;
                units->min_eus_per_subslice = units->max_eus_per_subslice = chip->units_per_subslice;
            }
            request->size = sizeof *units;
            return 0;
        }
        case I915_CONTEXT_PARAM_VM: request->value = ++address_spaces; return 0;
        case I915_CONTEXT_PARAM_RECOVERABLE:
        case I915_CONTEXT_PARAM_BANNABLE: request->value = 1; return 0;
        default:
            request->value = 0;
            request->size = 0;
            return 0;
    }
}
