// SPDX-License-Identifier: MIT
// Writes reconstructed pictures to a file, so that what a decoder shows can be compared with them.
#ifndef SOFTVA_RECONSTRUCTION_H
#define SOFTVA_RECONSTRUCTION_H

#include "softva_work.h"

/// Appends the picture, cropped, to the file that SOFTVA_RECON names: planar, 8 bits, or 16 bits little-endian; and a
/// line "idr poc width height depth" to that name with ".index". Pictures are in coding order.
void sv_reconstruction_write(const sv_work *work);

#endif
