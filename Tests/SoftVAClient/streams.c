// SPDX-License-Identifier: MIT
// Encodes random streams of both codecs without libva, for sanitizers that want every library built with them.
//   streams COUNT [SEED]
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "h264_run.h"
#include "hevc_run.h"

/// Looks at every byte, so that one that was never written is noticed.
static uint64_t sum(const uint8_t *bytes, size_t size) {
    uint64_t total = 0;
    for (size_t i = 0; i < size; i++) total += bytes[i];
    return total;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: streams COUNT [SEED]\n");
        return 2;
    }
    uint64_t count = strtoull(argv[1], NULL, 10), first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, total = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        hevc_result hevc = hevc_run(seed, NULL);
        h264_result h264 = h264_run(seed, H264_NO_FAULT);
        if (hevc.status || h264.status) {
            fprintf(stderr, "seed %" PRIu64 ": status %d for HEVC, %d for H.264\n", seed, hevc.status, h264.status);
            return 1;
        }
        total += sum(hevc.stream, hevc.stream_size) + sum(hevc.reconstruction, hevc.reconstruction_size);
        total += sum(h264.stream, h264.stream_size) + sum(h264.reconstruction, h264.reconstruction_size);
        hevc_result_free(&hevc);
        h264_result_free(&h264);
    }
    printf("streams: %" PRIu64 " of each codec, bytes add up to %" PRIu64 "\n", count, total);
    return count > 0 ? 0 : 1;
}
