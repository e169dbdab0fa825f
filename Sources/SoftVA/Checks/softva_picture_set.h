// SPDX-License-Identifier: MIT
// The parameter sets of drivers that write them themselves.
#ifndef SOFTVA_PICTURE_SET_H
#define SOFTVA_PICTURE_SET_H

#include "softva_work.h"

/// Adds H.264's SPS, made from the structures, before the first slice; false as sv_add_picture_set().
bool sv_add_sequence_set(sv_work *work);

/// Adds a PPS, made from the structures, before the first slice; false: out of memory, or SV_MAX_UNITS are
/// there already.
bool sv_add_picture_set(sv_work *work);

#endif
