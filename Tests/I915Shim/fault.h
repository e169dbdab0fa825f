// SPDX-License-Identifier: MIT
// Faults to inject: which request to the device fails, and how.
#ifndef I915_SHIM_FAULT_H
#define I915_SHIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/// Where a fault strikes; the requests of each are counted from 1.
typedef enum {
    SHIM_AT_SUBMIT,  // a batch is submitted
    SHIM_AT_CREATE,  // a buffer object is made
    SHIM_AT_OPEN,    // a render node is opened
    SHIM_AT_COUNT
} shim_fault_point;

#define SHIM_HANG (-1)

/// Reads I915_SHIM_FAULT, which may be null; ends the process if the grammar does not know it.
void shim_fault_read(const char *rules);
/// Counts a request and returns what strikes it: an error number, SHIM_HANG, or 0. SHIM_HANG: the device takes the
/// batch, never carries it out, and the kernel resets it at once; that is noted of the context, 0 where there is none.
int shim_fault_at(shim_fault_point point, uint32_t context);
/// How many milliseconds the batch that was counted last takes.
unsigned shim_fault_delay(void);
/// Whether there is no firmware (HuC).
bool shim_fault_no_firmware(void);
/// How many batches of a context hung.
unsigned shim_fault_hangs(uint32_t context);

#endif
