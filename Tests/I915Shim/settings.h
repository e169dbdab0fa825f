// SPDX-License-Identifier: MIT
// What the environment asks for.
#ifndef I915_SHIM_SETTINGS_H
#define I915_SHIM_SETTINGS_H

#include "chips.h"

typedef struct {
    shim_chip chip;
    int log_level;         // 0 to 3, I915_SHIM_DEBUG
    unsigned node_mode;    // permissions that the node's file is said to have, I915_SHIM_NODE_MODE
    uint32_t coded_bytes;  // coded size of a picture without headers, I915_SHIM_CODED_BYTES
    char root[2048];       // folder of the pretended /dev and /sys, I915_SHIM_ROOT
} shim_settings;

/// Reads the environment and makes the folder, once in a process. A value that is not understood ends the process with
/// status 2 and a message.
const shim_settings *shim_get(void);
/// Ends the process with status 2.
_Noreturn void shim_refuse(const char *variable, const char *value, const char *expected);

#endif
