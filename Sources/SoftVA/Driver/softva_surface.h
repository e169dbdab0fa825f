// SPDX-License-Identifier: MIT
// Surfaces: memory, synchronisation, DMA-BUF.
#ifndef SOFTVA_SURFACE_H
#define SOFTVA_SURFACE_H

#include <va/va_drmcommon.h>

#include "softva_driver.h"

VAStatus sv_create_surfaces(sv_driver *driver, unsigned format, unsigned width, unsigned height, VASurfaceID *ids,
                            unsigned count, const VASurfaceAttrib *attributes, unsigned attribute_count);
VAStatus sv_destroy_surfaces(sv_driver *driver, VASurfaceID *ids, int count);
VAStatus sv_sync_surface(sv_driver *driver, VASurfaceID id, uint64_t timeout);
VAStatus sv_surface_status(sv_driver *driver, VASurfaceID id, VASurfaceStatus *status);

/// Gives `surface`, whose fourcc, width and height are set, memory of its own: a memfd filled with noise.
VAStatus sv_surface_allocate(sv_driver *driver, sv_surface *surface);
/// Maps what the descriptor names; the application keeps its file descriptors.
VAStatus sv_surface_import(const sv_driver *driver, sv_surface *surface, const VADRMPRIMESurfaceDescriptor *descriptor);
VAStatus sv_surface_export(sv_driver *driver, VASurfaceID id, uint32_t type, uint32_t flags, void *descriptor);
void sv_surface_free(sv_surface *surface);
/// Sets the planes of `picture` to `offsets` in `memory`.
void sv_surface_place(sv_surface *surface, size_t luma_pitch, size_t chroma_pitch);

#endif
