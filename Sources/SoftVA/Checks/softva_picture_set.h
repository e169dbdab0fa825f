// SPDX-License-Identifier: MIT
// The headers of drivers that write all of them themselves.
#ifndef SOFTVA_PICTURE_SET_H
#define SOFTVA_PICTURE_SET_H

#include "softva_work.h"

/// Puts a delimiter, and in an IDR picture parameter sets made from the structures, in place of what the application
/// has packed; `crop` is HEVC's, in units of two samples: left, right, top, bottom. False: out of memory.
bool sv_add_own_headers(sv_work *work, bool idr, const unsigned crop[4]);

#endif
