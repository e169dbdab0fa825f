// SPDX-License-Identifier: MIT
#include "settings.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fault.h"
#include "log.h"
#include "tree.h"

static shim_settings settings;

_Noreturn void shim_refuse(const char *variable, const char *value, const char *expected) {
    fprintf(stderr, "i915-shim: %s=%s, expected %s\n", variable, value, expected);
    _exit(2);
}

/// The variable's value, or null if it is unset or empty.
static const char *value_of(const char *variable) {
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

static unsigned long number_of(const char *variable, unsigned long otherwise, unsigned long largest) {
    const char *value = value_of(variable);
    if (!value) return otherwise;
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 0);
    char expected[64];
    snprintf(expected, sizeof expected, "0...%lu", largest);
    if (*end || errno || number > largest) shim_refuse(variable, value, expected);
    return number;
}

static shim_chip chip_asked_for(void) {
    const char *name = value_of("I915_SHIM_CHIP");
    const shim_chip *known = shim_chip_named(name ? name : "tgl");
    if (!known) {
        char names[256] = "one of";
        for (unsigned i = 0; shim_chip_name(i); i++) {
            snprintf(names + strlen(names), sizeof names - strlen(names), " %s", shim_chip_name(i));
        }
        shim_refuse("I915_SHIM_CHIP", name, names);
    }
    shim_chip chip = *known;
    chip.id = (uint16_t)number_of("I915_SHIM_DEVICE_ID", chip.id, 0xffff);
    chip.device_memory = number_of("I915_SHIM_LMEM", chip.device_memory, 1);
    return chip;
}

/// Lets the process have as many open files as it may, as each buffer object is one.
static void raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void read_environment(void) {
    settings.chip = chip_asked_for();
    settings.log_level = (int)number_of("I915_SHIM_DEBUG", 0, 3);
    settings.coded_bytes = (uint32_t)number_of("I915_SHIM_CODED_BYTES", 512, 1 << 20);
    settings.node_mode = (unsigned)number_of("I915_SHIM_NODE_MODE", 0666, 0777);
    shim_fault_read(value_of("I915_SHIM_FAULT"));
    const char *root = value_of("I915_SHIM_ROOT");
    if (root) {
        snprintf(settings.root, sizeof settings.root, "%s", root);
    } else {
        snprintf(settings.root, sizeof settings.root, "/tmp/i915-shim-%d-%04x", (int)getuid(), settings.chip.id);
    }
    raise_file_limit();
    shim_tree_make(&settings);
    shim_log_open(settings.log_level, value_of("I915_SHIM_DUMP"));
    shim_log(1, "pid %d, %s (%#06x), tree %s\n", (int)getpid(), settings.chip.name, settings.chip.id, settings.root);
}

const shim_settings *shim_get(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_environment);
    return &settings;
}

__attribute__((constructor)) static void at_load(void) {
    int saved = errno;
    shim_get();
    errno = saved;
}
