// SPDX-License-Identifier: MIT
// The commands that batches steer themselves and report with.
#include "batch.h"
#include "log.h"
#include "objects.h"
#include "registers.h"
#include "settings.h"

/// Operations of the command streamer (MI).
enum {
    BATCH_BUFFER_END = 0x0a,
    MATH = 0x1a,
    STORE_DATA_IMM = 0x20,
    LOAD_REGISTER_IMM = 0x22,
    STORE_REGISTER_MEM = 0x24,
    FLUSH_DW = 0x26,
    LOAD_REGISTER_MEM = 0x29,
    LOAD_REGISTER_REG = 0x2a,
    COPY_MEM_MEM = 0x2e,
    ATOMIC = 0x2f,
    BATCH_BUFFER_START = 0x31,
    CONDITIONAL_BATCH_BUFFER_END = 0x36,
};

/// Where a video engine's block begins, to which register numbers can be relative.
#define VIDEO_BLOCK 0x1c0000

static uint32_t load32(uint64_t address) {
    const uint32_t *memory = shim_memory_at(address & ~3ull, 4);
    return memory ? *memory : 0;
}

static uint64_t load64(uint64_t address) { return load32(address) | (uint64_t)load32(address + 4) << 32; }

static void store32(uint64_t address, uint32_t value) {
    uint32_t *memory = shim_memory_at(address & ~3ull, 4);
    if (memory) *memory = value;
    if (!memory) shim_log(1, "%#x is stored at %#llx, which is not mapped\n", value, (unsigned long long)address);
}

static void store64(uint64_t address, uint64_t value) {
    store32(address, (uint32_t)value);
    store32(address + 4, (uint32_t)(value >> 32));
}

/// Whether addresses have 48 bits and take two words.
static bool is_wide(void) { return shim_get()->chip.generation >= 8; }

static uint64_t address_in(shim_command command, uint32_t index) {
    return is_wide() ? shim_long(command, index) & ((1ull << 48) - 1) : shim_word(command, index);
}

/// A register's number, which `relative`, a bit of the command's first word, can make relative to the engine's block.
static uint32_t register_in(shim_command command, uint32_t index, unsigned relative) {
    bool is_relative = shim_get()->chip.generation >= 11 && (command.words[0] >> relative & 1);
    return shim_word(command, index) + (is_relative ? VIDEO_BLOCK : 0);
}

/// Stores what a flush ends with: a value, or the time.
static void store_after_flush(shim_command command) {
    uint32_t operation = command.words[0] >> 14 & 3;
    if (operation == 0 || command.count < 4) return;
    uint64_t address = address_in(command, 1) & ~7ull;
    uint32_t value = is_wide() ? 3 : 2;
    if (operation == 3) {
        store64(address, shim_ticks());
    } else {
        store32(address, shim_word(command, value));
        if (command.count > value + 1) store32(address + 4, shim_word(command, value + 1));
    }
}

static void store_data(shim_command command) {
    bool has_two = is_wide() ? command.words[0] >> 21 & 1 : command.count > 4;
    uint64_t address = (is_wide() ? address_in(command, 1) : shim_word(command, 2)) & ~3ull;
    store32(address, shim_word(command, 3));
    if (has_two) store32(address + 4, shim_word(command, 4));
}

/// Operands come with the command, the halves of both in turns, or from general registers 0 and 4.
static void atomic(shim_engine *engine, shim_command command) {
    uint32_t operation = command.words[0] >> 8 & 0xff;
    bool is_long = operation & 0x20, has_operands = command.words[0] >> 18 & 1, returns = command.words[0] >> 16 & 1;
    uint64_t address = address_in(command, 1) & ~3ull;
    uint64_t x = shim_general_read(engine, 0), y = shim_general_read(engine, 4);
    if (has_operands) {
        x = shim_word(command, 3) | (uint64_t)shim_word(command, 5) << 32;
        y = shim_word(command, 4) | (uint64_t)shim_word(command, 6) << 32;
    }
    uint64_t mask = is_long ? ~0ull : UINT32_MAX;
    uint64_t old = load64(address) & mask, value = old;
    x &= mask;
    y &= mask;
    switch (operation & 0x1f) {
        case 0x00: break;
        case 0x01: value &= x; break;
        case 0x02: value |= x; break;
        case 0x03: value ^= x; break;
        case 0x04: value = x; break;
        case 0x05: value++; break;
        case 0x06: value--; break;
        case 0x07: value += x; break;
        case 0x08: value -= x; break;
        case 0x09: value = x - value; break;
        case 0x0c: value = value > x ? value : x; break;
        case 0x0d: value = value < x ? value : x; break;
        case 0x0e: value = value == x ? y : value; break;
        default: shim_log(1, "atomic operation %#x is not known\n", operation); break;
    }
    store32(address, (uint32_t)value);
    if (is_long) store32(address + 4, (uint32_t)(value >> 32));
    if (!returns) return;
    shim_register_write(engine, SHIM_GENERAL_REGISTER, (uint32_t)old);
    if (is_long) shim_register_write(engine, SHIM_GENERAL_REGISTER + 4, (uint32_t)(old >> 32));
}

/// Whether a conditional end lets the batch go on.
static bool goes_on(shim_command command) {
    uint32_t word = command.words[0];
    uint64_t address = address_in(command, 2) & ~3ull;
    uint32_t value = load32(address), limit = shim_word(command, 1);
    if (shim_get()->chip.generation < 9) return value > limit;
    if (word >> 19 & 1) value &= load32(address + 4);  // a mask is behind the value
    switch (word >> 12 & 7) {
        case 1: return value >= limit;
        case 2: return value < limit;
        case 3: return value <= limit;
        case 4: return value == limit;
        case 5: return value != limit;
        default: return value > limit;
    }
}

shim_flow shim_mi_command(shim_engine *engine, shim_command command, uint64_t *target) {
    switch (command.words[0] >> 23 & 0x3f) {
        case BATCH_BUFFER_END: return SHIM_END;
        case CONDITIONAL_BATCH_BUFFER_END: return goes_on(command) ? SHIM_GO_ON : SHIM_END;
        case BATCH_BUFFER_START:
            *target = address_in(command, 1) & ~3ull;
            return command.words[0] >> 22 & 1 ? SHIM_CALL : SHIM_JUMP;
        case MATH: shim_math(engine, command); break;
        case STORE_DATA_IMM: store_data(command); break;
        case FLUSH_DW: store_after_flush(command); break;
        case ATOMIC: atomic(engine, command); break;
        case LOAD_REGISTER_IMM:
            for (uint32_t i = 1; i + 1 < command.count; i += 2) {
                shim_register_write(engine, register_in(command, i, 19), shim_word(command, i + 1));
            }
            break;
        case STORE_REGISTER_MEM:
            store32(address_in(command, 2), shim_register_read(engine, register_in(command, 1, 19)));
            break;
        case LOAD_REGISTER_MEM:
            shim_register_write(engine, register_in(command, 1, 19), load32(address_in(command, 2)));
            break;
        case LOAD_REGISTER_REG:
            shim_register_write(engine, register_in(command, 2, 19),
                                shim_register_read(engine, register_in(command, 1, 18)));
            break;
        case COPY_MEM_MEM:
            store32(address_in(command, 1), load32(is_wide() ? address_in(command, 3) : shim_word(command, 2)));
            break;
        default: break;
    }
    return SHIM_GO_ON;
}

void shim_pipe_control(shim_command command) {
    uint64_t address = address_in(command, 2) & ~7ull;
    uint32_t value = is_wide() ? 4 : 3;
    switch (shim_word(command, 1) >> 14 & 3) {
        case 1:
            store32(address, shim_word(command, value));
            store32(address + 4, shim_word(command, value + 1));
            break;
        case 2: store64(address, 1); break;  // a depth count
        case 3: store64(address, shim_ticks()); break;
        default: break;
    }
}
