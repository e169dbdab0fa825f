// SPDX-License-Identifier: MIT
// What drivers go by that write all headers themselves.
#ifndef SOFTVA_TAKE_OVER_H
#define SOFTVA_TAKE_OVER_H

#include "softva_work.h"

/// Changes a picture that was checked to what Mesa 22.3 makes of it with AMD's chips, and adds the driver's headers.
///
/// The quantizer is the picture's `pic_init_qp`; what slices add to it is not looked at. Of HEVC's packed SPS the size
/// and the conformance window are read, all else is the driver's own; so are the lengths of counts. False: out of
/// memory.
bool sv_take_over(sv_work *work, bool idr);

#endif
