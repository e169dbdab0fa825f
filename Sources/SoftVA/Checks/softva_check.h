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
    uint32_t frame_num, frame_num_mask;  // H.264's
} sv_checked;

/// A level and the largest picture it allows, in the standard's unit.
typedef struct {
    unsigned idc, most;
} sv_level;
/// Checks that the level, of a list that ends with 0, is one and allows a picture of so many units.
void sv_check_level(const sv_level *levels, unsigned idc, unsigned width, unsigned height, const char *field);
/// Checks that a slice has whole rows of `across` blocks where the driver offers only those, and as many as the
/// picture's first, of `first` blocks, where only the last may have others: fewer.
void sv_check_rows(const sv_caps *caps, unsigned blocks, unsigned across, unsigned first, bool is_last,
                   const char *field);

/// Each checks the structures of its codec; false: the picture cannot be encoded.
bool sv_check_h264(sv_driver *driver, sv_work *work, sv_checked *checked);
bool sv_check_hevc(sv_driver *driver, sv_work *work, sv_checked *checked);

#endif
