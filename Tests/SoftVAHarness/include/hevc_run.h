// SPDX-License-Identifier: MIT
// Encodes random scenarios with the HEVC coder of softva.
#ifndef HEVC_RUN_H
#define HEVC_RUN_H

#include <stddef.h>
#include <stdint.h>

/// What an encoded scenario has to decode to. `status` is the first VAStatus that is not 0, -1 for an unknown change;
/// `violations` counts what the coder noted, `field` is the first field it named, NULL without one.
typedef struct {
    uint8_t *stream, *reconstruction;
    size_t stream_size, reconstruction_size;
    int width, height, bit_depth, violations, status;
    char *description, *field;
} hevc_result;

/// Encodes the scenario of `seed`, whose structures but not headers have the named change in all pictures but the
/// first; NULL: none. The reconstruction is planar 4:2:0 in output order, cropped, in two bytes a sample, least
/// significant first, if `bit_depth` is not 8.
hevc_result hevc_run(uint64_t seed, const char *change);
void hevc_result_free(hevc_result *result);

#endif
