// SPDX-License-Identifier: MIT
// The video engine's packer writes coded buffers: the headers that the driver gives it, and behind each slice's header
// eight bytes that stand for its data.
#ifndef I915_SHIM_PACKER_H
#define I915_SHIM_PACKER_H

#include "engine.h"

/// Takes a command of the video engine.
void shim_packer_take(shim_engine *engine, shim_command command);
/// Ends the slice under way, if there is one.
void shim_packer_end_slice(shim_packer *packer);

#endif
