// SPDX-License-Identifier: MIT
// The firmware of the video engine (HuC) does rate control: it rewrites commands that the driver has prepared. Here it
// passes them on as they are, so that what follows meets commands instead of zeros.
#ifndef I915_SHIM_FIRMWARE_H
#define I915_SHIM_FIRMWARE_H

#include "engine.h"

/// Takes a command, which need not be for the firmware.
void shim_firmware_take(shim_engine *engine, shim_command command);

#endif
