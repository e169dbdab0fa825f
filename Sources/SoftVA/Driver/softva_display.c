// SPDX-License-Identifier: MIT
#include "softva_display.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <va/va_backend.h>
#include <va/va_backend_vpp.h>

#include "softva_buffer.h"
#include "softva_config.h"
#include "softva_context.h"
#include "softva_image.h"
#include "softva_surface.h"

static unsigned open_count;  // of the process's displays
static pid_t opener;
static const sv_personality *last_opened;

sv_driver *sv_driver_open(void) {
    const sv_personality *personality = sv_personality_current();
    if (!personality || !sv_fault_read_environment()) return NULL;
    sv_driver *driver = calloc(1, sizeof *driver);
    if (!driver) return NULL;
    driver->slots = calloc(SV_MAX_SLOTS, sizeof *driver->slots);
    driver->personality = personality;
    driver->process = getpid();
    driver->seed = 0x9e3779b9;
    pthread_mutex_init(&driver->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&driver->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_cond_init(&driver->more, NULL);
    if (driver->slots && sv_worker_start(driver)) {
        if (__atomic_exchange_n(&opener, driver->process, __ATOMIC_ACQ_REL) != driver->process) {
            __atomic_store_n(&open_count, 0, __ATOMIC_RELEASE);
        }
        __atomic_store_n(&last_opened, personality, __ATOMIC_RELEASE);
        __atomic_fetch_add(&open_count, 1, __ATOMIC_ACQ_REL);
        return driver;
    }
    free(driver->slots);
    free(driver);
    return NULL;
}

/// Frees one object that was not destroyed; returns whether it counts as a leak.
static bool drop(sv_driver *driver, unsigned index) {
    VAGenericID id = sv_object_id(driver, index);
    switch (driver->slots[index].kind) {
        case SV_CONFIG: sv_destroy_config(driver, id); return true;
        case SV_CONTEXT: sv_destroy_context(driver, id); return true;
        case SV_SURFACE: sv_destroy_surfaces(driver, &id, 1); return true;
        case SV_IMAGE: sv_destroy_image(driver, id); return true;
        case SV_BUFFER: sv_buffer_unwrap(driver, id); return true;
        default: return false;
    }
}

void sv_driver_close(sv_driver *driver) {
    static const char *const names[] = {"", "config", "context", "surface", "buffer", "image"};
    // What a child process has of it is left alone: the worker and the lock are the parent's.
    if (sv_is_inherited(driver)) return;
    sv_worker_stop(driver);
    pthread_mutex_lock(&driver->lock);
    // Images free their buffers, so they go first.
    static const sv_kind order[] = {SV_IMAGE, SV_BUFFER, SV_CONTEXT, SV_SURFACE, SV_CONFIG};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (unsigned i = 0; i < driver->used_slots; i++) {
            if (driver->slots[i].kind != order[k]) continue;
            if (drop(driver, i)) sv_report(SOFTVA_LEAKS, names[order[k]], "was not destroyed");
        }
    }
    pthread_mutex_unlock(&driver->lock);
    __atomic_fetch_sub(&open_count, 1, __ATOMIC_ACQ_REL);
    sv_report_write(driver->personality->name);
    pthread_cond_destroy(&driver->done);
    pthread_cond_destroy(&driver->more);
    pthread_mutex_destroy(&driver->lock);
    free(driver->slots);
    free(driver);
}

static int is_unloaded;

void sv_must_be_loaded(void) {
    if (!__atomic_load_n(&is_unloaded, __ATOMIC_ACQUIRE)) return;
    fputs("softva: called after the destructors of its library\n", stderr);
    abort();
}

void sv_displays_abandon(void) {
    if (__atomic_load_n(&opener, __ATOMIC_ACQUIRE) != getpid()) return;
    if (__atomic_exchange_n(&open_count, 0, __ATOMIC_ACQ_REL) == 0) return;
    sv_report(SOFTVA_LEAKS, "display", "was not closed");
    sv_report_write(__atomic_load_n(&last_opened, __ATOMIC_ACQUIRE)->name);
}

/// At exit: programs that fail often end without closing their display.
__attribute__((destructor)) static void unload(void) {
    int was_open = __atomic_load_n(&open_count, __ATOMIC_ACQUIRE) > 0;
    sv_displays_abandon();
    __atomic_store_n(&is_unloaded, 1, __ATOMIC_RELEASE);
    // For threads that go on to be caught.
    if (was_open) usleep(50000);
}

static int is_valid(VADisplayContextP display) { return display && display->pDriverContext; }

static void free_display(VADisplayContextP display) {
    if (!display) return;
    if (display->pDriverContext) {
        free(display->pDriverContext->vtable);
        free(display->pDriverContext->vtable_vpp);
        free(display->pDriverContext);
    }
    free(display);
}

// vaInitialize() would load a second driver into the display: it finds none.
static VAStatus no_candidates(VADisplayContextP display, int *count) {
    (void)display;
    *count = 0;
    return VA_STATUS_ERROR_UNIMPLEMENTED;
}

static VAStatus no_driver_name(VADisplayContextP display, char **name, int index) {
    (void)display, (void)name, (void)index;
    return VA_STATUS_ERROR_UNIMPLEMENTED;
}

VADisplay softva_display_open(void) {
    VADisplayContextP display = calloc(1, sizeof *display);
    VADriverContextP context = display ? calloc(1, sizeof *context) : NULL;
    if (!context) {
        free(display);
        return NULL;
    }
    display->vadpy_magic = VA_DISPLAY_MAGIC;
    display->pDriverContext = context;
    display->vaIsValid = is_valid;
    display->vaDestroy = free_display;
    display->vaGetNumCandidates = no_candidates;
    display->vaGetDriverNameByIndex = no_driver_name;
    context->pDisplayContext = display;
    context->vtable = calloc(1, sizeof *context->vtable);
    context->vtable_vpp = calloc(1, sizeof *context->vtable_vpp);
    if (context->vtable && context->vtable_vpp && __vaDriverInit_1_0(context) == VA_STATUS_SUCCESS) return display;
    free_display(display);
    return NULL;
}

void softva_display_close(VADisplay opened) {
    VADisplayContextP display = opened;
    if (!is_valid(display)) return;
    display->pDriverContext->vtable->vaTerminate(display->pDriverContext);
    free_display(display);
}
