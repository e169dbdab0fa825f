// SPDX-License-Identifier: MIT
// Pictures as a coder works on them: three planes of 16-bit samples with a margin of repeated edge samples.
#ifndef SOFTVA_PLANE_H
#define SOFTVA_PLANE_H

#include "softva_coder.h"

/// How many samples each plane has beyond each of its edges.
#define SV_MARGIN 80

typedef uint16_t sv_sample;

/// A plane; `samples` is its top left sample, `stride` counts samples. Rows and columns -SV_MARGIN to
/// size + SV_MARGIN - 1 are readable.
typedef struct {
    sv_sample *samples;
    ptrdiff_t stride;
    int width, height;
    sv_sample *memory;  // owned
} sv_plane;

/// Y, Cb and Cr of a 4:2:0 picture.
typedef struct {
    sv_plane planes[3];
    int bit_depth;
} sv_planes;

/// Allocates the planes of a picture of `width` x `height` luma samples, both even, with undefined samples. Returns
/// false, and owns nothing, without memory.
bool sv_planes_create(sv_planes *planes, int width, int height, int bit_depth);
/// Frees the planes; does nothing for zeroed ones.
void sv_planes_destroy(sv_planes *planes);

/// Copies `picture`, whose last column and row are repeated up to the size of the planes and into the margin.
void sv_planes_load(sv_planes *planes, const sv_picture *picture);
/// Makes all samples mid-grey, the margin included.
void sv_planes_load_grey(sv_planes *planes);
/// Copies the planes to `picture`, which is at least as large or allocated as SV_PLANE_ALIGNMENT says.
void sv_planes_store(const sv_planes *planes, sv_picture *picture);

/// The samples of a block anywhere, also outside of the plane, where edge samples repeat. They are in `scratch`, with
/// `width` * `height` samples, only if the block leaves the margin.
const sv_sample *sv_plane_block(
    const sv_plane *plane, int x, int y, int width, int height, sv_sample *scratch, ptrdiff_t *stride);

static inline int sv_min(int a, int b) { return a < b ? a : b; }
static inline int sv_max(int a, int b) { return a > b ? a : b; }
static inline int sv_clip(int low, int high, int value) { return value < low ? low : value > high ? high : value; }

#endif
