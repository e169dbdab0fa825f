// SPDX-License-Identifier: MIT
// Encodes random scenarios with the HEVC coder of softva.
#ifndef HEVC_RUN_H
#define HEVC_RUN_H

#include <stddef.h>
#include <stdint.h>

/// What an encoded scenario has to decode to.
typedef struct {
    uint8_t *stream, *reconstruction;  // malloc'ed
    size_t stream_size, reconstruction_size;
    int bit_depth, violations, status;
    char description[256];
} hevc_result;

/// Encodes the scenario of `seed`. The reconstruction is planar 4:2:0 in output order, cropped, in two bytes a sample,
/// least significant first, if `bit_depth` is not 8.
hevc_result hevc_run(uint64_t seed);
void hevc_result_free(hevc_result *result);

#endif
