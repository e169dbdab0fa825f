// SPDX-License-Identifier: MIT
// Contexts, and a picture's way from BeginPicture to the worker.
#ifndef SOFTVA_CONTEXT_H
#define SOFTVA_CONTEXT_H

#include "softva_driver.h"

VAStatus sv_create_context(sv_driver *driver, VAConfigID config, int width, int height, const VASurfaceID *targets,
                           int count, VAContextID *id);
VAStatus sv_destroy_context(sv_driver *driver, VAContextID id);
VAStatus sv_begin_picture(sv_driver *driver, VAContextID context, VASurfaceID surface);
VAStatus sv_render_picture(sv_driver *driver, VAContextID context, const VABufferID *buffers, int count);
VAStatus sv_end_picture(sv_driver *driver, VAContextID context);

/// Hands the picture to the worker, which frees it.
void sv_worker_submit(sv_driver *driver, sv_work *work);

#endif
