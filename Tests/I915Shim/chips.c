// SPDX-License-Identifier: MIT
#include "chips.h"

#include <stddef.h>
#include <string.h>

static const shim_chip chips[] = {
    {"snb", 0x0126, 9, 6, 1, 1, 12, 1, 0, true, false},     // Sandy Bridge
    {"ivb", 0x0166, 9, 7, 1, 1, 16, 1, 0, true, false},     // Ivy Bridge
    {"hsw", 0x0416, 6, 7, 1, 2, 10, 1, 1, true, false},     // Haswell
    {"bdw", 0x1616, 9, 8, 1, 3, 8, 1, 1, true, false},      // Broadwell
    {"skl", 0x1916, 7, 9, 1, 3, 8, 1, 1, true, false},      // Skylake
    {"bxt", 0x5A84, 11, 9, 1, 3, 6, 1, 1, false, false},    // Broxton, sold as Apollo Lake
    {"kbl", 0x5916, 2, 9, 1, 3, 8, 1, 1, true, false},      // Kaby Lake
    {"cfl", 0x3E92, 0, 9, 1, 3, 8, 1, 1, true, false},      // Coffee Lake
    {"icl", 0x8A52, 7, 11, 1, 8, 8, 1, 1, true, false},     // Ice Lake
    {"ehl", 0x4571, 1, 11, 1, 4, 8, 1, 1, false, false},    // Elkhart Lake
    {"tgl", 0x9A49, 1, 12, 1, 6, 16, 2, 1, true, false},    // Tiger Lake
    {"rkl", 0x4C8A, 4, 12, 1, 2, 16, 2, 1, true, false},    // Rocket Lake
    {"adls", 0x4680, 12, 12, 1, 2, 16, 2, 1, true, false},  // Alder Lake, desktop
    {"adlp", 0x46A6, 12, 12, 1, 6, 16, 2, 1, true, false},  // Alder Lake, mobile
    {"dg1", 0x4905, 1, 12, 1, 6, 16, 2, 1, false, true},    // Iris Xe Max
    {"dg2", 0x56A0, 8, 12, 8, 4, 16, 2, 2, false, true},    // Arc A-series
};

#define CHIP_COUNT (sizeof chips / sizeof *chips)

const shim_chip *shim_chip_named(const char *name) {
    for (size_t i = 0; i < CHIP_COUNT; i++) {
        if (strcmp(chips[i].name, name) == 0) return &chips[i];
    }
    return NULL;
}

const char *shim_chip_name(unsigned index) { return index < CHIP_COUNT ? chips[index].name : NULL; }
