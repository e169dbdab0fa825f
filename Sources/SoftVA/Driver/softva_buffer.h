// SPDX-License-Identifier: MIT
// Buffers: parameters, coded data, and the memory of images.
#ifndef SOFTVA_BUFFER_H
#define SOFTVA_BUFFER_H

#include "softva_driver.h"

VAStatus sv_create_buffer(sv_driver *driver, VAContextID context, VABufferType type, unsigned size, unsigned elements,
                          const void *data, VABufferID *id);
VAStatus sv_set_elements(sv_driver *driver, VABufferID id, unsigned elements);
VAStatus sv_map_buffer(sv_driver *driver, VABufferID id, void **data);
VAStatus sv_unmap_buffer(sv_driver *driver, VABufferID id);
VAStatus sv_destroy_buffer(sv_driver *driver, VABufferID id);
VAStatus sv_buffer_info(sv_driver *driver, VABufferID id, VABufferType *type, unsigned *size, unsigned *elements);
VAStatus sv_sync_buffer(sv_driver *driver, VABufferID id, uint64_t timeout);

/// Adds the buffer of an image. `data` is the buffer's own from here on, unless it is that of the surface `derived`.
VAStatus sv_buffer_wrap(sv_driver *driver, uint8_t *data, unsigned size, VASurfaceID derived, VABufferID *id);
void sv_buffer_unwrap(sv_driver *driver, VABufferID id);

#endif
