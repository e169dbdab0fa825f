// SPDX-License-Identifier: MIT
// Submission of a batch: its objects get their addresses, addresses in them are filled in, and it is walked, at once or
// when its time has come.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "batch.h"
#include "fault.h"
#include "log.h"
#include "objects.h"
#include "packer.h"
#include "queue.h"
#include "requests.h"
#include "settings.h"

/// Writes the addresses of other objects into one.
static int relocate(const struct drm_i915_gem_execbuffer2 *request, const struct drm_i915_gem_exec_object2 *list,
                    uint32_t index) {
    shim_object *object = shim_object_of(list[index].handle);
    struct drm_i915_gem_relocation_entry *entries = (void *)(uintptr_t)list[index].relocs_ptr;
    size_t width = shim_get()->chip.generation >= 8 ? 8 : 4;
    for (uint32_t i = 0; i < list[index].relocation_count; i++) {
        uint32_t handle = entries[i].target_handle;
        if (request->flags & I915_EXEC_HANDLE_LUT) {
            if (handle >= request->buffer_count) return shim_fail(EINVAL);
            handle = list[handle].handle;
        }
        shim_object *target = shim_object_of(handle);
        if (!target) return shim_fail(ENOENT);
        if (entries[i].offset + width > object->size) return shim_fail(EINVAL);
        uint64_t value = target->address + entries[i].delta;
        memcpy(object->memory + entries[i].offset, &value, width);
        entries[i].presumed_offset = target->address;
    }
    return 0;
}

static int bind_objects(const struct drm_i915_gem_execbuffer2 *request, struct drm_i915_gem_exec_object2 *list) {
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        shim_object *object = shim_object_of(list[i].handle);
        if (!object) return shim_fail(ENOENT);
        if (!(list[i].flags & EXEC_OBJECT_PINNED)) continue;
        // Those that are in its way move, which the kernel lets none that is in use.
        shim_queue_clear(object, list[i].offset);
        shim_object_pin(object, list[i].offset);
    }
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        list[i].offset = shim_object_of(list[i].handle)->address;
        if (relocate(request, list, i) != 0) return -1;
    }
    return 0;
}

/// Has the batch carried out later; false without memory.
static bool defer(const struct drm_i915_gem_execbuffer2 *request, const struct drm_i915_gem_exec_object2 *list,
                  const shim_batch *whole, unsigned milliseconds) {
    shim_batch *batch = malloc(sizeof *batch + request->buffer_count * sizeof *batch->objects);
    if (!batch) return false;
    *batch = *whole;
    batch->object_count = request->buffer_count;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        batch->objects[i] = shim_object_of(list[i].handle);
        batch->objects[i]->references++;
    }
    if (shim_queue_add(batch, milliseconds)) return true;
    for (uint32_t i = 0; i < request->buffer_count; i++) shim_object_drop(batch->objects[i]);
    free(batch);
    return false;
}

int shim_submit(struct drm_i915_gem_execbuffer2 *request) {
    static uint64_t submissions;
    struct drm_i915_gem_exec_object2 *list = (void *)(uintptr_t)request->buffers_ptr;
    if (request->buffer_count == 0) return shim_fail(EINVAL);
    int fault = shim_fault_at(SHIM_AT_SUBMIT, (uint32_t)request->rsvd1);
    if (fault > 0) return shim_fail(fault);
    if (bind_objects(request, list) != 0) return -1;

    uint32_t first = request->flags & I915_EXEC_BATCH_FIRST ? 0 : request->buffer_count - 1;
    const shim_object *batch = shim_object_of(list[first].handle);
    uint64_t length = request->batch_len ? request->batch_len : batch->size - request->batch_start_offset;
    shim_engine engine = {.submission = ++submissions};
    shim_dump_submission(engine.submission, request->flags & I915_EXEC_RING_MASK, (uint32_t)request->rsvd1,
                         request->buffer_count);
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        const shim_object *object = shim_object_of(list[i].handle);
        shim_dump_object(object->address, object->size);
    }
    unsigned milliseconds = shim_fault_delay();
    // What was submitted before goes first.
    bool is_later = milliseconds > 0 || shim_queue_is_busy();
    int fence = request->flags & I915_EXEC_FENCE_OUT ? eventfd(!is_later, EFD_CLOEXEC) : -1;
    if (is_later && fault != SHIM_HANG) {
        shim_batch whole = {.submission = engine.submission, .address = batch->address + request->batch_start_offset,
                            .length = length, .fence = fence < 0 ? -1 : fcntl(fence, F_DUPFD_CLOEXEC, 0)};
        if (!defer(request, list, &whole, milliseconds)) return shim_fail(ENOMEM);
    } else if (fault != SHIM_HANG) {
        shim_batch_walk(&engine, batch->address + request->batch_start_offset, length, 0);
        shim_packer_end_slice(&engine.packer);
    }
    shim_dump_flush();
    shim_log(2, "submission %llu: %u objects, %u commands\n", (unsigned long long)engine.submission,
             request->buffer_count, engine.steps);
    if (request->flags & I915_EXEC_FENCE_OUT) request->rsvd2 = (uint32_t)request->rsvd2 | (uint64_t)(uint32_t)fence << 32;
    return 0;
}
