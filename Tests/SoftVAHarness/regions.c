// SPDX-License-Identifier: MIT
#include "regions.h"

static unsigned below(uint64_t *state, unsigned count) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % count;
}

int random_regions(uint64_t seed, int width, int height, int most, sv_region regions[MAX_REGIONS]) {
    uint64_t state = seed;
    int count = below(&state, 2) ? 1 + (int)below(&state, MAX_REGIONS) : 0;
    for (int i = 0; i < count; i++) {
        regions[i] = (sv_region){
            .x = (int)below(&state, (unsigned)width),
            .y = (int)below(&state, (unsigned)height),
            .width = 1 + (int)below(&state, (unsigned)width),
            .height = 1 + (int)below(&state, (unsigned)height),
            .delta = (int)below(&state, (unsigned)most + 21) - 20,
        };
    }
    return count;
}
