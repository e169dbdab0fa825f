// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <time.h>

#include "softva_driver.h"

#define INDEX_BITS 16
#define GENERATION_BITS 12

static const char *const names[] = {"nothing", "config", "context", "surface", "buffer", "image"};

static VAGenericID make_id(const sv_driver *driver, unsigned index) {
    const sv_slot *slot = &driver->slots[index];
    return (VAGenericID)slot->kind << (INDEX_BITS + GENERATION_BITS) | slot->generation << INDEX_BITS | index;
}

bool sv_object_add(sv_driver *driver, sv_kind kind, void *object, VAGenericID *id) {
    unsigned index = 0;
    while (index < driver->slot_count && driver->slots[index].kind != SV_FREE) index++;
    if (index == driver->slot_count) {
        unsigned count = driver->slot_count ? driver->slot_count * 2 : 64;
        sv_slot *slots = count <= SV_MAX_SLOTS ? realloc(driver->slots, count * sizeof *slots) : NULL;
        if (!slots) return false;
        for (unsigned i = driver->slot_count; i < count; i++) slots[i] = (sv_slot){NULL, SV_FREE, 0};
        driver->slots = slots;
        driver->slot_count = count;
    }
    sv_slot *slot = &driver->slots[index];
    slot->object = object;
    slot->kind = kind;
    slot->generation = (slot->generation + 1) & ((1u << GENERATION_BITS) - 1);
    *id = make_id(driver, index);
    return true;
}

static sv_slot *find(sv_driver *driver, sv_kind kind, VAGenericID id) {
    unsigned index = id & ((1u << INDEX_BITS) - 1);
    if (id == VA_INVALID_ID || id >> (INDEX_BITS + GENERATION_BITS) != kind || index >= driver->slot_count) return NULL;
    sv_slot *slot = &driver->slots[index];
    if (slot->kind != SV_FREE && make_id(driver, index) == id) return slot;
    unsigned generation = id >> INDEX_BITS & ((1u << GENERATION_BITS) - 1);
    // Only ids that were once given out are those of destroyed objects.
    if (generation >= 1 && generation <= slot->generation) sv_misuse(names[kind], "used after it was destroyed");
    return NULL;
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
    return object;
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
    struct timespec delay = {fault.milliseconds / 1000, fault.milliseconds % 1000 * 1000000L};
    switch (fault.action) {
        case SV_STATUS: return fault.status;
        case SV_LOST: driver->lost = true; return fault.status;
        case SV_DELAY:
            pthread_mutex_unlock(&driver->lock);
            nanosleep(&delay, NULL);
            pthread_mutex_lock(&driver->lock);
            break;
        default: break;
    }
    driver->struck = fault.action;
    return VA_STATUS_SUCCESS;
}
