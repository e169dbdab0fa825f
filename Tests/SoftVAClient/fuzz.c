// SPDX-License-Identifier: MIT
// Feeds the driver hostile parameter buffers: fuzz PICTURES SEED. Only a sanitizer, or a crash, says that something is
// wrong.
#include <softva.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <va/va.h>

#include "client.h"

static uint64_t state;

/// SplitMix64.
static uint64_t draw(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static unsigned below(unsigned bound) { return (unsigned)(draw() % bound); }

/// Changes nothing, a few bits, a few bytes or words of a buffer.
static void spoil(client *c, VABufferType type, void *data, unsigned size) {
    (void)c, (void)type;
    uint8_t *bytes = data;
    if (below(3) == 0) return;
    for (unsigned n = 1 + below(3); n > 0; n--) {
        // Structures have their small fields in front.
        unsigned at = below(2) ? below(size) : below(size < 64 ? size : 64);
        switch (below(5)) {
            case 0: bytes[at] = (uint8_t)draw(); break;
            case 1: bytes[at] = below(2) ? 0xff : 0; break;
            case 2: bytes[at] = (uint8_t)(bytes[at] + 1 - 2 * below(2)); break;
            case 3:
                if (at + 4 <= size) memset(bytes + at, below(2) ? 0xff : 0x7f, 4);
                break;
            default: bytes[at] ^= (uint8_t)(1u << below(8));
        }
    }
}

static void encode_stream(long *left) {
    static const char *const personalities[] = {"strict",       "strict",       "ihd-tgl", "ihd-mtl",
                                                "radeonsi-old", "radeonsi-new", "i965"};
    const char *personality = personalities[below(7)];
    softva_set_personality(personality);
    client_settings settings = client_defaults(below(2) && strcmp(personality, "i965") != 0);
    settings.width = 64;
    settings.height = 64;
    settings.tree = 4 + below(3);
    settings.gpb = below(2);
    settings.b_pictures = below(2);
    settings.slices = 1 + (int)below(2);
    settings.escaped = below(2);
    settings.pictures = 3 + (int)below(4);
    settings.packed = below(4) ? 0x1f : below(0x20);
    if (settings.hevc && below(4) == 0) {
        settings.ten_bit = true;
        settings.profile = VAProfileHEVCMain10;
    }
    if (below(3) == 0) {
        settings.rate_control = below(2) ? VA_RC_CBR : VA_RC_VBR;
        settings.bits_per_second = (uint32_t)draw() >> below(20);
    }
    client c;
    if (client_open(&c, &settings)) {
        c.change = spoil;
        while (c.picture < settings.pictures && *left > 0) {
            --*left;
            int before = c.picture;
            if (client_encode(&c)) continue;
            // A picture that was refused is left out; later ones refer to it all the same.
            c.picture = before + 1;
        }
    }
    client_close(&c);
}

int main(int argc, char **argv) {
    long pictures = argc > 1 ? atol(argv[1]) : 10000, left = pictures;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    while (left > 0) encode_stream(&left);
    printf("fuzz: %ld pictures, %zu of them encoded, %zu violations\n", pictures, softva_count(SOFTVA_PICTURES),
           softva_count(SOFTVA_VIOLATIONS));
    return softva_count(SOFTVA_PICTURES) == 0;
}
