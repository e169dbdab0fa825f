// SPDX-License-Identifier: MIT
#include "softva_reconstruction.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

typedef struct {
    const uint8_t *plane;
    size_t pitch, bytes;  // of a sample
} Source;

/// Writes every `step`th sample of a row, 10-bit samples moved to the lower bits.
static void write_row(FILE *file, const Source *source, size_t first, size_t y, size_t count, size_t step) {
    for (size_t x = 0; x < count; x++) {
        const uint8_t *sample = source->plane + y * source->pitch + (first + x * step) * source->bytes;
        if (source->bytes == 1) {
            fputc(sample[0], file);
        } else {
            unsigned value = (sample[0] | (unsigned)sample[1] << 8) >> 6;
            fputc((int)(value & 0xff), file);
            fputc((int)(value >> 8), file);
        }
    }
}

void sv_reconstruction_write(const sv_work *work) {
    const char *path = getenv("SOFTVA_RECON");
    char index_path[4096];
    if (!path || snprintf(index_path, sizeof index_path, "%s.index", path) >= (int)sizeof index_path) return;
    const sv_picture *picture = &work->reconstruction->picture;
    const unsigned *crop = work->crop;
    size_t width = (size_t)work->width - crop[0] - crop[1], height = (size_t)work->height - crop[2] - crop[3];
    size_t bytes = picture->bit_depth > 8 ? 2 : 1;
    FILE *file = fopen(path, "ab"), *index = file ? fopen(index_path, "a") : NULL;
    if (index) {
        // Several displays, and other processes, may write to the file: a picture is not divided.
        flock(fileno(index), LOCK_EX);
        Source luma = {picture->luma, picture->luma_pitch, bytes};
        Source chroma = {picture->chroma, picture->chroma_pitch, bytes};
        for (size_t y = 0; y < height; y++) write_row(file, &luma, crop[0], crop[2] + y, width, 1);
        for (size_t plane = 0; plane < 2; plane++) {
            for (size_t y = 0; y < height / 2; y++) {
                write_row(file, &chroma, crop[0] / 2 * 2 + plane, crop[2] / 2 + y, width / 2, 2);
            }
        }
        fflush(file);
        fprintf(index, "%u %d %zu %zu %d\n", work->idr, work->poc, width, height, picture->bit_depth);
    }
    if (!index) fprintf(stderr, "softva: SOFTVA_RECON %s: %s\n", path, strerror(errno));
    if (index) fclose(index);
    if (file) fclose(file);
}
