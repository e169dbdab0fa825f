// SPDX-License-Identifier: MIT
// What an engine of the pretended device knows while it walks through one batch.
#ifndef I915_SHIM_ENGINE_H
#define I915_SHIM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#define SHIM_MAX_REGISTERS 64
#define SHIM_REGIONS 16

/// The coded buffer as the hardware that writes it sees it.
typedef struct {
    uint64_t buffer;        // address, 0: none given
    uint32_t start, bytes;  // where writing began, and how much since
    uint32_t byte, bits;    // of the byte under way
    uint32_t zeros;         // bytes of 0 before it
    bool has_place;         // `start` is known
    bool in_slice;          // a slice's header is written, its data are not
    bool is_jpeg;
} shim_packer;

typedef struct {
    uint64_t submission;
    unsigned steps;
    struct {
        uint32_t name, value;
    } registers[SHIM_MAX_REGISTERS];
    unsigned register_count;
    shim_packer packer;
    uint32_t firmware;               // function of the HuC that was named last
    uint64_t regions[SHIM_REGIONS];  // and the addresses of its buffers
} shim_engine;

/// A command: what is beyond its end reads as 0.
typedef struct {
    const uint32_t *words;
    uint32_t count;
} shim_command;

static inline uint32_t shim_word(shim_command command, uint32_t index) {
    return index < command.count ? command.words[index] : 0;
}

static inline uint64_t shim_long(shim_command command, uint32_t index) {
    return (uint64_t)shim_word(command, index + 1) << 32 | shim_word(command, index);
}

#endif
