// SPDX-License-Identifier: MIT
#include "registers.h"

#include <time.h>

#include "packer.h"
#include "settings.h"

uint64_t shim_ticks(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    // 12.5 MHz, as parameters.c says.
    return ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) / 80;
}

/// A batch runs on one engine, so that its general registers have one name whatever block they are addressed in.
static uint32_t canonical(uint32_t name) {
    name &= 0x7fffff;
    uint32_t offset = name & 0xfff;
    return offset >= SHIM_GENERAL_REGISTER && offset < SHIM_GENERAL_REGISTER + 0x80 ? offset : name;
}

/// Whether `offset`, in a video engine's block, is one of the counters of coded bytes, with or without headers.
static bool is_byte_counter(uint32_t offset) {
    switch (offset) {
        case 0x8a0:
        case 0x8a4:
        case 0x8e0:
        case 0x8e4:
        case 0x908:
        case 0x9a0:
        case 0x9a4:
        case 0x9e0:
        case 0x9e4:
        case 0xb48:
        case 0xb4c: return true;
        default: return false;
    }
}

uint32_t shim_register_read(shim_engine *engine, uint32_t name) {
    name = canonical(name);
    for (unsigned i = 0; i < engine->register_count; i++) {
        if (engine->registers[i].name == name) return engine->registers[i].value;
    }
    uint32_t offset = name & 0xfff;
    bool is_video = (name >= 0x12000 && name < 0x1f000) || (name >= 0x1c0000 && name < 0x200000);
    if (is_video && is_byte_counter(offset)) {
        shim_packer_end_slice(&engine->packer);
        return engine->packer.bytes ? engine->packer.bytes : shim_get()->coded_bytes;
    }
    // The status of the firmware's image: it is valid.
    if (name == 0xd3b0 || name == 0x14bb0 || (is_video && offset == 0x3b0)) return 0x40;
    if (offset == 0x358) return (uint32_t)shim_ticks();
    return 0;
}

void shim_register_write(shim_engine *engine, uint32_t name, uint32_t value) {
    name = canonical(name);
    unsigned i = 0;
    while (i < engine->register_count && engine->registers[i].name != name) i++;
    if (i == SHIM_MAX_REGISTERS) return;
    if (i == engine->register_count) engine->register_count++;
    engine->registers[i].name = name;
    engine->registers[i].value = value;
}

uint64_t shim_general_read(shim_engine *engine, uint32_t index) {
    uint32_t name = SHIM_GENERAL_REGISTER + 8 * index;
    return shim_register_read(engine, name) | (uint64_t)shim_register_read(engine, name + 4) << 32;
}

void shim_general_write(shim_engine *engine, uint32_t index, uint64_t value) {
    uint32_t name = SHIM_GENERAL_REGISTER + 8 * index;
    shim_register_write(engine, name, (uint32_t)value);
    shim_register_write(engine, name + 4, (uint32_t)(value >> 32));
}

/// The inputs of the arithmetic unit, its result, and whether that is zero or carried, as all bits.
typedef struct {
    uint64_t a, b, result, zero, carry;
} Unit;

enum { OPERAND_A = 0x20, RESULT = 0x31, ZERO_FLAG = 0x32, CARRY_FLAG = 0x33 };
enum {
    LOAD = 0x080,
    LOAD_ZERO = 0x081,
    ADD = 0x100,
    SUBTRACT = 0x101,
    AND = 0x102,
    OR = 0x103,
    XOR = 0x104,
    STORE = 0x180,
    LOAD_INVERTED = 0x480,
    LOAD_ONES = 0x481,
    STORE_INVERTED = 0x580,
};

static void load(shim_engine *engine, Unit *unit, uint32_t operation, uint32_t target, uint32_t source) {
    uint64_t value = source < 16 ? shim_general_read(engine, source) : source == RESULT ? unit->result : 0;
    if (operation == LOAD_ZERO || operation == LOAD_ONES) value = 0;
    if (operation == LOAD_INVERTED || operation == LOAD_ONES) value = ~value;
    *(target == OPERAND_A ? &unit->a : &unit->b) = value;
}

static void store(shim_engine *engine, const Unit *unit, uint32_t operation, uint32_t target, uint32_t source) {
    uint64_t value = source == RESULT       ? unit->result
                     : source == ZERO_FLAG  ? unit->zero
                     : source == CARRY_FLAG ? unit->carry
                                            : 0;
    if (operation == STORE_INVERTED) value = ~value;
    if (target < 16) shim_general_write(engine, target, value);
}

static void calculate(Unit *unit, uint32_t operation) {
    bool carries = false;
    switch (operation) {
        case ADD:
            unit->result = unit->a + unit->b;
            carries = unit->result < unit->a;
            break;
        case SUBTRACT:
            unit->result = unit->a - unit->b;
            carries = unit->a < unit->b;
            break;
        case AND: unit->result = unit->a & unit->b; break;
        case OR: unit->result = unit->a | unit->b; break;
        case XOR: unit->result = unit->a ^ unit->b; break;
        default: return;
    }
    unit->carry = carries ? ~0ull : 0;
    unit->zero = unit->result ? 0 : ~0ull;
}

void shim_math(shim_engine *engine, shim_command command) {
    Unit unit = {0};
    for (uint32_t i = 1; i < command.count; i++) {
        uint32_t instruction = command.words[i];
        uint32_t operation = instruction >> 20, first = instruction >> 10 & 0x3ff, second = instruction & 0x3ff;
        switch (operation) {
            case LOAD:
            case LOAD_ZERO:
            case LOAD_INVERTED:
            case LOAD_ONES: load(engine, &unit, operation, first, second); break;
            case STORE:
            case STORE_INVERTED: store(engine, &unit, operation, first, second); break;
            default: calculate(&unit, operation); break;
        }
    }
}
