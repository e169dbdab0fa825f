// SPDX-License-Identifier: MIT
// Regions of interest for random streams.
#ifndef SOFTVA_TEST_REGIONS_H
#define SOFTVA_TEST_REGIONS_H

#include "softva_coder.h"

#define MAX_REGIONS 3

/// Draws regions for every other picture, which overlap and reach beyond it; none for the others. Returns their number.
///
/// - most: the largest difference of quantizers; the least is -20.
int random_regions(uint64_t seed, int width, int height, int most, sv_region regions[MAX_REGIONS]);

#endif
