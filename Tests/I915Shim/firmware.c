// SPDX-License-Identifier: MIT
#include "firmware.h"

#include <string.h>

#include "log.h"
#include "objects.h"

#define PAGE_ADDRESS 0xfffffffff000ull

/// Commands: the upper half of the first word.
enum { HUC_IMEM_STATE = 0x7581, HUC_DMEM_STATE = 0x7582, HUC_VIRTUAL_ADDR_STATE = 0x7584, HUC_START = 0x75a1 };

/// What passes from one of a function's buffers to another.
static const struct {
    uint8_t function, from, to;
} copies[] = {
    {5, 3, 6},               // H.264 rate control: picture state
    {9, 3, 5},  {10, 3, 5},  // HEVC rate control: slice commands
    {12, 3, 6},              // VP9 rate control: picture state
    {13, 7, 6}, {13, 8, 4},  // VP9 probabilities: picture state, header
};

static void copy(uint64_t from, uint64_t to) {
    shim_object *source = shim_object_at(from), *target = shim_object_at(to);
    if (!source || !target || source == target) return;
    uint64_t offset = from - source->address, target_offset = to - target->address;
    uint64_t length = source->size - offset, room = target->size - target_offset;
    memcpy(target->memory + target_offset, source->memory + offset, length < room ? length : room);
}

/// Dumps the parameters of the function: where they are, and how many bytes, the command says.
static void dump_parameters(uint32_t function, shim_command command) {
    uint32_t bytes = shim_word(command, 5);
    const uint32_t *memory = shim_memory_at(shim_long(command, 1) & PAGE_ADDRESS, bytes);
    if (memory) shim_dump_firmware(function, memory, bytes / 4);
}

void shim_firmware_take(shim_engine *engine, shim_command command) {
    switch (command.words[0] >> 16) {
        case HUC_IMEM_STATE: engine->firmware = shim_word(command, 4) & 0xff; break;
        case HUC_DMEM_STATE: dump_parameters(engine->firmware, command); break;
        case HUC_VIRTUAL_ADDR_STATE:
            for (uint32_t i = 0; i < SHIM_REGIONS && 3 * i + 3 < command.count; i++) {
                engine->regions[i] = shim_long(command, 3 * i + 1) & PAGE_ADDRESS;
            }
            break;
        case HUC_START:
            for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
                if (copies[i].function != engine->firmware) continue;
                copy(engine->regions[copies[i].from], engine->regions[copies[i].to]);
            }
            break;
        default: break;
    }
}
