// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "softva_driver.h"

#define INDEX_BITS 14
#define GENERATION_BITS 14
_Static_assert(SV_MAX_SLOTS == 1u << INDEX_BITS, "an id has a place's index in it");

static const char *const names[] = {"nothing", "config", "context", "surface", "buffer", "image"};

static size_t alive;  // of all displays

size_t sv_objects_alive(void) { return __atomic_load_n(&alive, __ATOMIC_RELAXED); }

static VAGenericID make_id(const sv_slot *slot, unsigned index) {
    return (VAGenericID)slot->kind << (INDEX_BITS + GENERATION_BITS) | slot->generation << INDEX_BITS | index;
}

bool sv_object_add(sv_driver *driver, sv_kind kind, void *object, VAGenericID *id) {
    unsigned tried = 0;
    while (tried < SV_MAX_SLOTS && driver->slots[driver->next_slot].kind != SV_FREE) {
        driver->next_slot = (driver->next_slot + 1) % SV_MAX_SLOTS;
        tried++;
    }
    if (tried == SV_MAX_SLOTS) return false;
    sv_slot *slot = &driver->slots[driver->next_slot];
    slot->object = object;
    slot->kind = kind;
    slot->generation = (slot->generation + 1) & ((1u << GENERATION_BITS) - 1);
    *id = make_id(slot, driver->next_slot);
    if (driver->used_slots <= driver->next_slot) driver->used_slots = driver->next_slot + 1;
    driver->next_slot = (driver->next_slot + 1) % SV_MAX_SLOTS;
    driver->alive[kind]++;
    __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED);
    return true;
}

VAGenericID sv_object_id(const sv_driver *driver, unsigned place) {
    const sv_slot *slot = &driver->slots[place];
    return slot->kind == SV_FREE ? VA_INVALID_ID : make_id(slot, place);
}

static sv_slot *find(sv_driver *driver, sv_kind kind, VAGenericID id) {
    if (id == VA_INVALID_ID || id >> (INDEX_BITS + GENERATION_BITS) != kind) return NULL;
    unsigned index = id & (SV_MAX_SLOTS - 1);
    sv_slot *slot = &driver->slots[index];
    if (slot->kind != SV_FREE && make_id(slot, index) == id) return slot;
    unsigned generation = id >> INDEX_BITS & ((1u << GENERATION_BITS) - 1);
    // An id of a generation that was never given out is made up, and not that of a destroyed object.
    if (generation >= 1 && generation <= slot->generation) sv_misuse(names[kind], "used after it was destroyed");
    return NULL;
}

bool sv_can_list(const sv_driver *driver, sv_kind kind, const VAGenericID *ids, int count, const char *call) {
    int alive = driver->alive[kind];
    bool can = count == 0 || (ids && count > 0 && count <= alive);
    if (!can) sv_misuse(call, "a list of %d, and there are %d: %s", count, alive, names[kind]);
    return can;
}

bool sv_can_list_attributes(const void *list, int64_t count, const char *call) {
    bool can = count == 0 || (list && count > 0 && count <= SV_MAX_ATTRIBUTES);
    if (!can) sv_misuse(call, "a list of %lld attributes", (long long)count);
    return can;
}

bool sv_is_inherited(const sv_driver *driver) {
    if (driver->process == getpid()) return false;
    sv_misuse("fork", "the display was opened by the parent process");
    return true;
}

void *sv_object(sv_driver *driver, sv_kind kind, VAGenericID id) {
    sv_slot *slot = find(driver, kind, id);
    return slot ? slot->object : NULL;
}

void *sv_object_remove(sv_driver *driver, sv_kind kind, VAGenericID id) {
    sv_slot *slot = find(driver, kind, id);
    if (!slot) return NULL;
    void *object = slot->object;
    slot->object = NULL;
    slot->kind = SV_FREE;
    driver->alive[kind]--;
    __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED);
    return object;
}

void *sv_object_if_alive(const sv_driver *driver, sv_kind kind, VAGenericID id) {
    const sv_slot *slot = &driver->slots[id & (SV_MAX_SLOTS - 1)];
    return slot->kind == kind && make_id(slot, id & (SV_MAX_SLOTS - 1)) == id ? slot->object : NULL;
}

bool sv_in_flight(const sv_driver *driver, sv_use use) {
    // A context is destroyed when its pictures are complete.
    const sv_context *context = sv_object_if_alive(driver, SV_CONTEXT, use.context);
    return use.serial > 0 && context && use.serial > context->synced && !driver->lost;
}

void sv_note_synced(sv_driver *driver, sv_use use) {
    sv_context *context = sv_object_if_alive(driver, SV_CONTEXT, use.context);
    if (context && use.serial > context->synced) context->synced = use.serial;
}

VAStatus sv_wait(sv_driver *driver, uint64_t serial, uint64_t timeout) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    bool forever = timeout == VA_TIMEOUT_INFINITE || timeout / 1000000000 > 1000000;
    if (!forever) {
        uint64_t nanoseconds = (uint64_t)deadline.tv_nsec + timeout % 1000000000;
        deadline.tv_sec += (time_t)(timeout / 1000000000 + nanoseconds / 1000000000);
        deadline.tv_nsec = (long)(nanoseconds % 1000000000);
    }
    while (driver->completed < serial) {
        if (forever) {
            pthread_cond_wait(&driver->done, &driver->lock);
        } else if (pthread_cond_timedwait(&driver->done, &driver->lock, &deadline) != 0) {
            return driver->completed < serial ? VA_STATUS_ERROR_TIMEDOUT : VA_STATUS_SUCCESS;
        }
    }
    return VA_STATUS_SUCCESS;
}

VAStatus sv_strike(sv_driver *driver, sv_fault_point point) {
    sv_fault fault = sv_fault_at(point);
    if (fault.milliseconds > 0) {
        pthread_mutex_unlock(&driver->lock);
        sv_sleep(fault.milliseconds);
        pthread_mutex_lock(&driver->lock);
    }
    driver->struck = fault.action;
    if (fault.action == SV_LOST) driver->lost = true;
    return fault.action == SV_STATUS || fault.action == SV_LOST ? fault.status : VA_STATUS_SUCCESS;
}

void sv_sleep(unsigned milliseconds) {
    struct timespec delay = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&delay, NULL);
}
