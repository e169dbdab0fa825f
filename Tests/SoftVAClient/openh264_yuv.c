// SPDX-License-Identifier: MIT
// Decodes an H.264 byte stream on standard input with openh264 to planar pictures on standard output.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "openh264_decode.h"

enum { MOST_BYTES = 1 << 24 };

int main(void) {
    uint8_t *stream = malloc(MOST_BYTES);
    const char *missing = stream ? openh264_missing() : "memory";
    if (missing) return fprintf(stderr, "openh264_yuv needs %s\n", missing), 2;
    size_t size;
    int state;
    uint8_t *pictures = openh264_decode(stream, fread(stream, 1, MOST_BYTES, stdin), &size, &state);
    bool good = state == 0 && fwrite(pictures, 1, size, stdout) == size && fflush(stdout) == 0;
    if (!good) fprintf(stderr, "state %#x, %zu bytes\n", (unsigned)state, size);
    free(pictures);
    free(stream);
    return good ? 0 : 1;
}
