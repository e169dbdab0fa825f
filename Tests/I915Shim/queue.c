// SPDX-License-Identifier: MIT
#include "queue.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "batch.h"
#include "log.h"
#include "packer.h"

#define SECOND 1000000000ll

static shim_batch *first, *last;
static int64_t free_from;  // when the engine is through with all batches
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static int wait_until(pthread_cond_t *condition, int64_t time) {
    struct timespec limit = {.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
    return pthread_cond_clockwait(condition, &shim_lock, CLOCK_MONOTONIC, &limit);
}

static void finish(shim_batch *batch) {
    shim_engine engine = {.submission = batch->submission};
    shim_batch_walk(&engine, batch->address, batch->length, 0);
    shim_packer_end_slice(&engine.packer);
    shim_dump_flush();
    first = batch->next;
    if (!first) last = NULL;
    if (batch->fence >= 0) {
        eventfd_write(batch->fence, 1);
        close(batch->fence);
    }
    for (uint32_t i = 0; i < batch->object_count; i++) shim_object_drop(batch->objects[i]);
    free(batch);
    pthread_cond_broadcast(&done);
}

static void *run(void *unused) {
    pthread_mutex_lock(&shim_lock);
    for (;;) {
        if (!first) {
            pthread_cond_wait(&more, &shim_lock);
        } else if (now() >= first->due) {
            finish(first);
        } else {
            wait_until(&more, first->due);
        }
    }
    return unused;
}

bool shim_queue_add(shim_batch *batch, unsigned milliseconds) {
    static bool runs;
    pthread_t thread;
    if (!runs && pthread_create(&thread, NULL, run, NULL) == 0) {
        pthread_detach(thread);
        runs = true;
    }
    if (!runs) return false;
    int64_t start = now();
    free_from = (free_from > start ? free_from : start) + milliseconds * (SECOND / 1000);
    batch->due = free_from;
    batch->next = NULL;
    if (last) {
        last->next = batch;
    } else {
        first = batch;
    }
    last = batch;
    pthread_cond_signal(&more);
    return true;
}

bool shim_queue_is_busy(void) { return first != NULL; }

bool shim_queue_uses(const shim_object *object) {
    for (const shim_batch *batch = first; batch; batch = batch->next) {
        for (uint32_t i = 0; i < batch->object_count; i++) {
            if (batch->objects[i] == object) return true;
        }
    }
    return false;
}

static bool is_busy(const shim_object *object) { return object ? shim_queue_uses(object) : first != NULL; }

bool shim_queue_wait(const shim_object *object, int64_t nanoseconds) {
    int64_t start = now(), limit = nanoseconds < INT64_MAX - start ? start + nanoseconds : INT64_MAX;
    while (is_busy(object)) {
        if (nanoseconds < 0) {
            pthread_cond_wait(&done, &shim_lock);
        } else if (wait_until(&done, limit) == ETIMEDOUT) {
            return !is_busy(object);
        }
    }
    return true;
}

static bool is_taken(const shim_object *object, uint64_t address) {
    for (const shim_batch *batch = first; batch; batch = batch->next) {
        for (uint32_t i = 0; i < batch->object_count; i++) {
            const shim_object *other = batch->objects[i];
            if (other != object && shim_object_overlaps(other, address, object->size)) return true;
        }
    }
    return false;
}

void shim_queue_clear(const shim_object *object, uint64_t address) {
    while (is_taken(object, address)) pthread_cond_wait(&done, &shim_lock);
}
