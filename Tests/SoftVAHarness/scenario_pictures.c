// SPDX-License-Identifier: MIT
// Content to encode: textures that move by fractions of a sample, noise, plain areas, and blocks of extremes.
#include "hevc_scenario.h"

/// A number from 0 to 255 that depends on all arguments.
static int hashed(uint64_t seed, int x, int y, int z) {
    random_numbers numbers = {seed ^ (uint64_t)(uint32_t)x << 40 ^ (uint64_t)(uint32_t)y << 20 ^ (uint32_t)z};
    return (int)random_below(&numbers, 256);
}

/// A texture of `cell` samples grid, interpolated, at position (x, y) in quarter samples.
static int texture(uint64_t seed, int x, int y, int cell) {
    int step = 4 * cell, column = (x + (1 << 20)) / step, row = (y + (1 << 20)) / step;
    int across = (x + (1 << 20)) % step, down = (y + (1 << 20)) % step;
    int top = hashed(seed, column, row, cell) * (step - across) + hashed(seed, column + 1, row, cell) * across;
    int left = hashed(seed, column, row + 1, cell), right = hashed(seed, column + 1, row + 1, cell);
    int bottom = left * (step - across) + right * across;
    return (top * (step - down) + bottom * down) / (step * step);
}

/// A sample of `plane` at luma position (x, y) of frame `time`, 0...255.
static int sample(const hevc_scenario *s, uint64_t seed, int plane, int x, int y, int time) {
    seed += (uint64_t)plane * 77;
    switch (s->content) {
    case CONTENT_NOISE: return hashed(seed, x, y, time);
    case CONTENT_FLAT: return (int)(seed % 200) + 20 + (x > y + 4 * time ? 9 : 0);
    case CONTENT_HARSH: return hashed(seed, (x + 3 * time) / 5, y / 7, 0) & 128 ? 255 : 0;
    default: break;
    }
    bool inside = x > 20 + 3 * time && x < 75 + 3 * time && y > 15 + time && y < 60 + time;
    if (inside) return texture(seed + 1, 4 * x - 13 * time, 4 * y - 4 * time, 6);
    int value = texture(seed, 4 * x + 5 * time, 4 * y - 3 * time, 17) * 3 / 4 + hashed(seed, x, y, time) / 32;
    return value + texture(seed, 4 * x + 5 * time, 4 * y - 3 * time, 3) / 6;
}

static void put(const hevc_scenario *s, uint8_t *row, int index, int value) {
    if (s->bit_depth == 8) {
        row[index] = (uint8_t)value;
        return;
    }
    int word = (value * 4 + value % 4) << 6;
    row[2 * index] = (uint8_t)word;
    row[2 * index + 1] = (uint8_t)(word >> 8);
}

void scenario_picture(const hevc_scenario *s, uint64_t seed, int order, sv_picture *picture) {
    for (int y = 0; y < picture->height; y++) {
        uint8_t *row = picture->luma + (size_t)y * picture->luma_pitch;
        for (int x = 0; x < picture->width; x++) put(s, row, x, sample(s, seed, 0, x, y, order));
    }
    for (int y = 0; y < picture->height / 2; y++) {
        uint8_t *row = picture->chroma + (size_t)y * picture->chroma_pitch;
        for (int x = 0; x < picture->width / 2; x++) {
            put(s, row, 2 * x, sample(s, seed, 1, 2 * x, 2 * y, order));
            put(s, row, 2 * x + 1, sample(s, seed, 2, 2 * x, 2 * y, order));
        }
    }
}
