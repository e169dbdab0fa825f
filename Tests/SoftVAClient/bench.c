// SPDX-License-Identifier: MIT
// Encodes a clip, Y4M of eight bits and 4:2:0 on standard input, in groups of six pictures at QP 28, and prints for
// each coder, or the one that is named, and type of picture the CPU time, the size and the PSNR of the luma.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

enum { GROUP = 6, MOST_FRAMES = 240 };

typedef struct {
    int width, height, count;
    uint8_t *frames;
} clip;

/// Reads up to MOST_FRAMES pictures; stops the program if there is not one group of them.
static clip read_clip(FILE *file) {
    clip read = {0};
    char line[256];
    if (!fgets(line, sizeof line, file) || sscanf(line, "YUV4MPEG2 W%d H%d", &read.width, &read.height) != 2) exit(2);
    size_t size = (size_t)(read.width * read.height * 3 / 2);
    read.frames = malloc(size * MOST_FRAMES);
    if (!read.frames) exit(2);
    while (read.count < MOST_FRAMES && fgets(line, sizeof line, file) && strncmp(line, "FRAME", 5) == 0 &&
           fread(read.frames + size * (size_t)read.count, size, 1, file) == 1) {
        read.count++;
    }
    if (read.count < GROUP) exit(2);
    return read;
}

typedef struct {
    int count;
    double seconds, worst, bytes, error;
} tally;

/// The sum of squared differences of the luma, a mean over the samples.
static double luma_error(const client *c, int shown) {
    size_t luma = (size_t)(c->settings.width * c->settings.height);
    const uint8_t *source = c->settings.frames + (size_t)shown * (luma * 3 / 2), *coded = c->shown[shown];
    double sum = 0;
    for (size_t i = 0; i < luma; i++) {
        double value = c->settings.ten_bit ? (coded[2 * i] | coded[2 * i + 1] << 8) / 4.0 : coded[i];
        sum += (source[i] - value) * (source[i] - value);
    }
    return sum / (double)luma;
}

static bool encode_group(const client_settings *settings, tally tallies[3]) {
    client c;
    bool good = client_open(&c, settings) && client_encode_all(&c);
    if (!good) fprintf(stderr, "%s: %s\n", c.failed, vaErrorStr(c.status));
    for (int i = 0; i < settings->pictures && good; i++) {
        tally *tally = &tallies[strchr("IPB", c.plan[i].type) - "IPB"];
        tally->count++;
        tally->seconds += c.seconds[i];
        tally->worst = fmax(tally->worst, c.seconds[i]);
        tally->bytes += (double)c.picture_sizes[i];
        tally->error += luma_error(&c, c.plan[i].shown);
    }
    client_close(&c);
    return good;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        client_settings settings;
    } rows[] = {
        {"H.264 CAVLC", {.profile = VAProfileH264ConstrainedBaseline}},
        {"H.264 CABAC", {.profile = VAProfileH264High, .b_pictures = true}},
        {"HEVC 16", {.hevc = true, .profile = VAProfileHEVCMain, .b_pictures = true, .tree = 4}},
        {"HEVC 32", {.hevc = true, .profile = VAProfileHEVCMain, .b_pictures = true, .tree = 5}},
        {"HEVC 64", {.hevc = true, .profile = VAProfileHEVCMain, .b_pictures = true, .tree = 6}},
        {"HEVC 64 GPB", {.hevc = true, .profile = VAProfileHEVCMain, .gpb = true, .tree = 6}},
        {"HEVC 64, ten bits", {.hevc = true, .profile = VAProfileHEVCMain10, .ten_bit = true, .b_pictures = true,
                               .tree = 6}},
    };
    clip clip = read_clip(stdin);
    size_t group = (size_t)(clip.width * clip.height * 3 / 2) * GROUP;
    printf("%dx%d, %d pictures: CPU milliseconds a picture, bytes, PSNR\n", clip.width, clip.height, clip.count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (argc > 1 && strcmp(argv[1], rows[i].name) != 0) continue;
        client_settings settings = rows[i].settings;
        settings.width = clip.width;
        settings.height = clip.height;
        settings.slices = 1;
        settings.rate_control = VA_RC_CQP;
        settings.packed = 0x1f;
        settings.pictures = GROUP;
        settings.qp = 28;
        tally tallies[3] = {{0}};
        for (int first = 0; first + GROUP <= clip.count; first += GROUP) {
            settings.frames = clip.frames + group * (size_t)(first / GROUP);
            if (!encode_group(&settings, tallies)) return 1;
        }
        for (int type = 0; type < 3; type++) {
            const tally *t = &tallies[type];
            if (t->count == 0) continue;
            printf("%-18s %c  mean %5.1f ms, worst %5.1f ms, %7.0f bytes, %.2f dB\n", rows[i].name, "IPB"[type],
                   t->seconds / t->count * 1e3, t->worst * 1e3, t->bytes / t->count,
                   10 * log10(255.0 * 255.0 * t->count / t->error));
        }
    }
    free(clip.frames);
    return 0;
}
