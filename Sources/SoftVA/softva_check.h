// SPDX-License-Identifier: MIT
// Checks a picture's parameter buffers before they are encoded.
#ifndef SOFTVA_CHECK_H
#define SOFTVA_CHECK_H

#include "softva_work.h"

/// Checks and completes `work`: finds its surfaces and its coded buffer, checks every parameter and header. What is
/// wrong is reported by the field's name; what cannot be encoded is refused.
VAStatus sv_check_picture(sv_driver *driver, sv_work *work);

/// Adds a picture that may be referred to.
void sv_check_add_reference(sv_driver *driver, sv_work *work, VASurfaceID id);
/// Whether `id` was added.
bool sv_check_is_reference(const sv_work *work, VASurfaceID id);

/// What a codec's check finds for the common one.
typedef struct {
    VASurfaceID reconstruction;
    VABufferID coded;
    int bit_depth;
    bool reference, idr, intra;
    uint32_t frame_num;
} sv_checked;

/// Each checks the structures of its codec; false: the picture cannot be encoded.
bool sv_check_h264(sv_driver *driver, sv_work *work, sv_checked *checked);
bool sv_check_hevc(sv_driver *driver, sv_work *work, sv_checked *checked);

#endif
