// SPDX-License-Identifier: MIT
// Messages on standard error, and the file that every GPU command is written to.
#ifndef I915_SHIM_LOG_H
#define I915_SHIM_LOG_H

#include <stdint.h>

/// Prints messages up to `level`, and appends commands to the file `dump` unless it is null.
void shim_log_open(int level, const char *dump);

/// Level 1: unknown requests and failures, 2: each submission, 3: each path and request.
__attribute__((format(printf, 2, 3))) void shim_log(int level, const char *format, ...);

/// Starts a submission in the dump.
void shim_dump_submission(uint64_t submission, unsigned engine, uint32_t context, unsigned objects);
/// Says where an object of the submission is.
void shim_dump_object(uint64_t address, uint64_t size);
/// Appends what the firmware's `function` is given.
void shim_dump_firmware(uint32_t function, const uint32_t *words, uint32_t count);
/// Appends a command, `depth` batches below the one submitted.
void shim_dump_command(uint64_t submission, int depth, const uint32_t *words, uint32_t count);
/// Writes out what is buffered.
void shim_dump_flush(void);

#endif
