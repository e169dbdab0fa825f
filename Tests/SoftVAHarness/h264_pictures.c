// SPDX-License-Identifier: MIT
// Surfaces, what is in them, and what is to be found in them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "h264_stream.h"

void h264_surface_create(h264_surface *surface, int width, int height, uint64_t *random) {
    size_t pitch = (size_t)((width + 63) / 64 * 64 + 32), rows = (size_t)((height + 63) / 64 * 64);
    surface->memory = malloc(pitch * rows * 3 / 2);
    for (size_t i = 0; i < pitch * rows * 3 / 2; i++) surface->memory[i] = (uint8_t)h264_random(random);
    surface->picture = (sv_picture){.width = width, .height = height, .bit_depth = 8, .luma = surface->memory,
        .chroma = surface->memory + pitch * rows, .luma_pitch = pitch, .chroma_pitch = pitch};
}

/// A textured ground that moves, a square that moves otherwise, and noise.
static void draw_synthetic(h264_encoder *encoder, int time) {
    sv_picture *picture = &encoder->input.picture;
    int noise = encoder->options.noise;
    for (int plane = 0; plane < 2; plane++) {
        int width = plane ? (picture->width + 1) / 2 * 2 : picture->width;
        int height = plane ? (picture->height + 1) / 2 : picture->height;
        for (int y = 0; y < height; y++) {
            uint8_t *row = plane ? picture->chroma + (size_t)y * picture->chroma_pitch
                                 : picture->luma + (size_t)y * picture->luma_pitch;
            for (int x = 0; x < width; x++) {
                double u = (plane ? x / 2 * 2 : x) + time * 1.75, v = (plane ? 2 * y : y) - time * 0.75;
                double value = 128 + 60 * sin(u * 0.13 + plane) * cos(v * 0.09);
                value += 25 * sin(u * 0.7 + v * 0.31 + x % 2 * plane);
                int left = time * 5 % (picture->width + 1), top = time * 3 % (picture->height + 1);
                if (!plane && x >= left && x < left + 20 && y >= top && y < top + 20) value = (x * 7 ^ y * 5) & 255;
                if (noise) value += h264_random_below(&encoder->random, noise) - noise / 2;
                row[x] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
            }
        }
    }
}

static void read_source(h264_encoder *encoder, int index) {
    sv_picture *picture = &encoder->input.picture;
    FILE *file = fopen(encoder->options.source, "rb");
    size_t width = (size_t)picture->width, height = (size_t)picture->height;
    if (!file || fseek(file, (long)(width * height * 3 / 2) * index, SEEK_SET)) abort();
    for (size_t y = 0; y < height * 3 / 2; y++) {
        uint8_t *row = y < height ? picture->luma + y * picture->luma_pitch
                                  : picture->chroma + (y - height) * picture->chroma_pitch;
        if (fread(row, 1, width, file) != width) abort();
    }
    fclose(file);
}

void h264_draw(h264_encoder *encoder, int time) {
    if (encoder->options.source) {
        read_source(encoder, time);
    } else {
        draw_synthetic(encoder, time);
    }
}

void h264_promise(h264_encoder *encoder, const h264_surface *surface, int order, size_t bytes) {
    const h264_options *options = &encoder->options;
    size_t width = (size_t)options->cropped_width, height = (size_t)options->cropped_height;
    h264_picture *promised = &encoder->pictures[encoder->count++];
    *promised = (h264_picture){
        .period = encoder->period, .order = order, .samples = malloc(width * height * 3 / 2), .bytes = bytes};
    uint8_t *out = promised->samples;
    double error = 0;
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            *out = surface->picture.luma[y * surface->picture.luma_pitch + x];
            double difference = *out++ - encoder->input.picture.luma[y * encoder->input.picture.luma_pitch + x];
            error += difference * difference;
        }
    }
    promised->psnr = error > 0 ? 10 * log10(255.0 * 255 * (double)(width * height) / error) : 99;
    for (size_t c = 0; c < 2; c++) {
        for (size_t y = 0; y < height / 2; y++) {
            for (size_t x = 0; x < width / 2; x++) {
                *out++ = surface->picture.chroma[y * surface->picture.chroma_pitch + 2 * x + c];
            }
        }
    }
}
