// SPDX-License-Identifier: MIT
// Images: what an application reads and writes surfaces through.
#ifndef SOFTVA_IMAGE_H
#define SOFTVA_IMAGE_H

#include "softva_driver.h"

#define SV_IMAGE_FORMATS 2

VAStatus sv_query_image_formats(sv_driver *driver, VAImageFormat *formats, int *count);
VAStatus sv_create_image(sv_driver *driver, const VAImageFormat *format, int width, int height, VAImage *image);
VAStatus sv_derive_image(sv_driver *driver, VASurfaceID id, VAImage *image);
VAStatus sv_destroy_image(sv_driver *driver, VAImageID id);

typedef struct {
    int x, y;
    unsigned width, height;
} sv_area;

VAStatus sv_get_image(sv_driver *driver, VASurfaceID surface, sv_area from, VAImageID image);
/// Copies without scaling: the areas must have one size.
VAStatus sv_put_image(sv_driver *driver, VASurfaceID surface, VAImageID image, sv_area from, sv_area to);

#endif
