// SPDX-License-Identifier: MIT
// The Intel graphics chips that the device can pretend to be.
#ifndef I915_SHIM_CHIPS_H
#define I915_SHIM_CHIPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name;
    uint16_t id;  // PCI device
    uint8_t revision;
    uint8_t generation;  // 6, 7, 8, 9, 11 or 12
    uint8_t slices, subslices, units_per_subslice;
    uint8_t video_engines, enhancement_engines;
    bool shared_cache, device_memory;
} shim_chip;

/// The chip of that name, or null.
const shim_chip *shim_chip_named(const char *name);
/// The name of chip `index`, or null beyond the last.
const char *shim_chip_name(unsigned index);

#endif
