// SPDX-License-Identifier: MIT
// The registers of an engine, and the arithmetic that batches do with them.
#ifndef I915_SHIM_REGISTERS_H
#define I915_SHIM_REGISTERS_H

#include "engine.h"

/// General registers of 64 bits: 0 is at this offset of an engine's block, 1 is 8 further.
#define SHIM_GENERAL_REGISTER 0x600

uint32_t shim_register_read(shim_engine *engine, uint32_t name);
void shim_register_write(shim_engine *engine, uint32_t name, uint32_t value);
/// The general register `index` of 16.
uint64_t shim_general_read(shim_engine *engine, uint32_t index);
void shim_general_write(shim_engine *engine, uint32_t index, uint64_t value);
/// Carries out MI_MATH.
void shim_math(shim_engine *engine, shim_command command);
/// The device's clock.
uint64_t shim_ticks(void);

#endif
