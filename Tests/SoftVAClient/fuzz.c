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

/// Leaves most buffers alone, so that the picture gets as far as a coder; changes a few bits, bytes or words of others.
static void spoil(client *c, VABufferType type, void *data, unsigned size) {
    (void)c;
    uint8_t *bytes = data;
    if (below(6) > 0) return;
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
    // Regions of interest are behind a pointer, which no driver can doubt.
    VAEncMiscParameterBuffer *misc = data;
    bool is_regions = type == VAEncMiscParameterBufferType && misc->type == VAEncMiscParameterTypeROI;
    if (is_regions) misc->type = VAEncMiscParameterTypeRIR;
}

typedef struct {
    const char *name;
    unsigned smallest;
    bool poisoned;  // by the first picture it refuses
} personality;

/// Noise of a strength that differs from call to call, down to none at all, the same in all pictures but for a few
/// samples, so that a motion search ends soon; valid until the next call.
static const uint8_t *draw_frames(const client_settings *settings) {
    static uint8_t frames[MAX_PICTURES * 80 * 80 * 3 / 2];
    size_t size = (size_t)(settings->width * settings->height * 3 / 2);
    uint8_t mask = (uint8_t)((1u << below(9)) - 1);
    for (size_t i = 0; i < size; i++) frames[i] = (uint8_t)draw() & mask;
    for (size_t i = size; i < MAX_PICTURES * size; i++) frames[i] = frames[i - size];
    for (unsigned i = below(200); i > 0; i--) frames[below((unsigned)(MAX_PICTURES * size))] ^= mask;
    return frames;
}

static client_settings draw_settings(const personality *personality) {
    client_settings settings = client_defaults(below(2) && strcmp(personality->name, "i965") != 0);
    settings.width = (int)(personality->smallest + 2 * below(9));
    settings.height = (int)(personality->smallest + 2 * below(9));
    settings.tree = 4 + below(3);
    settings.gpb = below(2);
    settings.b_pictures = below(2);
    settings.single = below(4) == 0;
    settings.slices = 1 + (int)below(2);
    settings.escaped = below(2);
    settings.pictures = 3 + (int)below(4);
    settings.packed = below(4) ? 0x1f : below(0x20);
    settings.qp = (int)(8 + below(40));
    if (below(4)) settings.frames = draw_frames(&settings);
    if (settings.hevc && below(4) == 0) {
        settings.ten_bit = true;
        settings.profile = VAProfileHEVCMain10;
    }
    if (!settings.hevc && !settings.b_pictures && below(4) == 0) settings.profile = VAProfileH264ConstrainedBaseline;
    if (below(3) == 0) {
        settings.rate_control = below(2) ? VA_RC_CBR : VA_RC_VBR;
        settings.bits_per_second = (uint32_t)draw() >> below(20);
    }
    return settings;
}

/// Encodes the plan some times in one context; at most `left` pictures. Returns their number.
static long encode_stream(long left) {
    static const personality personalities[] = {
        {"strict", 16, false}, {"radeonsi-old", 64, false}, {"radeonsi-new", 64, false}, {"i965", 32, false},
        {"ihd-tgl", 32, true}};
    // Small pictures are the quickest: most streams are those of the personality that takes them.
    const personality *personality = &personalities[below(4) ? 0 : below(5)];
    softva_set_personality(personality->name);
    client_settings settings = draw_settings(personality);
    client c;
    long count = 0;
    bool open = client_open(&c, &settings);
    for (int round = 0; round < 64 && open; round++) {
        // The first round gives every later one something to refer to.
        c.change = round > 0 ? spoil : NULL;
        c.stream_size = 0;
        for (c.picture = 0; c.picture < settings.pictures && open && count < left; count++) {
            int picture = c.picture;
            if (client_code(&c)) continue;
            // A picture that was refused is left out; later ones refer to it all the same.
            c.picture = picture + 1;
            open = !personality->poisoned;
        }
    }
    client_close(&c);
    return count;
}

int main(int argc, char **argv) {
    long pictures = argc > 1 ? atol(argv[1]) : 10000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    state = seed;
    size_t coded = 0, violations = 0;
    for (long done = 0, step = 0; done < pictures;) {
        step += encode_stream(pictures - done - step);
        coded += softva_count(SOFTVA_PICTURES);
        violations += softva_count(SOFTVA_VIOLATIONS);
        softva_reset();
        if (step < 100000 && done + step < pictures) continue;
        done += step;
        step = 0;
        printf("fuzz: seed %llu, %ld pictures, %zu of them encoded, %zu violations of ours named by softva\n",
               (unsigned long long)seed, done, coded, violations);
        fflush(stdout);
    }
    return coded == 0;
}
