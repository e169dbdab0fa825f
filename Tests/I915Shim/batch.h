// SPDX-License-Identifier: MIT
// Walks through batches of commands. Stores, register moves, atomics, arithmetic and conditional ends are carried out:
// completion marks and status reports are made of them. Nothing that computes pictures is.
#ifndef I915_SHIM_BATCH_H
#define I915_SHIM_BATCH_H

#include "engine.h"

typedef enum { SHIM_GO_ON, SHIM_END, SHIM_CALL, SHIM_JUMP } shim_flow;

/// Walks from `address`, `limit` bytes at most unless that is 0, to the batch's end. `depth` batches have called it.
void shim_batch_walk(shim_engine *engine, uint64_t address, uint64_t limit, int depth);

/// Carries out a command of the command streamer (MI). After SHIM_CALL and SHIM_JUMP, `target` is where to go on.
shim_flow shim_mi_command(shim_engine *engine, shim_command command, uint64_t *target);
/// Carries out what PIPE_CONTROL stores.
void shim_pipe_control(shim_command command);

#endif
