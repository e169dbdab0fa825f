// SPDX-License-Identifier: MIT
// Batches that take time: a thread of the shim's own carries each out when its time has come, one after the other,
// and until then the objects that it uses are busy. Whoever calls these functions holds the lock of the objects.
#ifndef I915_SHIM_QUEUE_H
#define I915_SHIM_QUEUE_H

#include <stdbool.h>

#include "objects.h"

/// A batch and the objects that it uses, whose references are its own.
typedef struct shim_batch {
    struct shim_batch *next;
    uint64_t submission, address, length;
    int64_t due;  // nanoseconds of the monotonic clock
    int fence;    // becomes readable when it is done; -1: nobody asked
    uint32_t object_count;
    shim_object *objects[];
} shim_batch;

/// Takes a batch over, which takes so long from the end of the one before it on; false without a thread.
bool shim_queue_add(shim_batch *batch, unsigned milliseconds);
/// Whether there are batches that are not done.
bool shim_queue_is_busy(void);
/// Whether one of them uses the object.
bool shim_queue_uses(const shim_object *object);
/// Waits until no batch uses the object, or until there is none where it is null.
///
/// `nanoseconds` is how long at most, less than 0 for as long as it takes. Returns whether it is so.
bool shim_queue_wait(const shim_object *object, int64_t nanoseconds);
/// Waits until no batch uses another object of those where this one would lie at `address`.
void shim_queue_clear(const shim_object *object, uint64_t address);

#endif
