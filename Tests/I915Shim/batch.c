// SPDX-License-Identifier: MIT
#include "batch.h"

#include "log.h"
#include "objects.h"
#include "packer.h"

#define MAX_STEPS 2000000
#define MAX_DEPTH 3
#define PIPE_CONTROL 0x7a00

/// The number of words of a command that begins with `word`; 0: no command begins so.
static uint32_t length_of(uint32_t word) {
    uint32_t operation = word >> 23 & 0x3f, pipeline = word >> 27 & 3;
    switch (word >> 29) {
        case 0:  // MI
            if (operation < 0x10) return 1;
            return (word & (operation == 0x20 ? 0x3ff : operation == 0x26 ? 0x3f : 0xff)) + 2;
        case 2: return (word & 0xff) + 2;  // the blitter
        case 3:                            // render and video
            return pipeline == 1 ? 1 : (word & (pipeline == 2 ? 0xfff : 0xff)) + 2;
        default: return 0;
    }
}

void shim_batch_walk(shim_engine *engine, uint64_t address, uint64_t limit, int depth) {
    uint64_t end = limit ? address + limit : ~0ull;
    bool has_jumped = false;
    while (address < end) {
        if (++engine->steps > MAX_STEPS) {
            shim_log(1, "a batch of more than %d commands, left\n", MAX_STEPS);
            return;
        }
        const uint32_t *words = shim_memory_at(address, 4);
        if (!words) {
            // Firmware would have written the end of such a batch.
            shim_log(depth > 0 || has_jumped ? 2 : 1, "a batch goes on at %#llx, which is not mapped\n",
                     (unsigned long long)address);
            return;
        }
        uint32_t word = words[0], count = length_of(word);
        if (count == 0 || !shim_memory_at(address, 4ull * count)) {
            shim_log(count == 0 ? 2 : 1, "%#x at %#llx is no whole command\n", word, (unsigned long long)address);
            return;
        }
        shim_command command = {words, count};
        if (word != 0) shim_dump_command(engine->submission, depth, words, count);
        uint64_t target = 0;
        shim_flow flow = SHIM_GO_ON;
        if (word >> 29 == 0) {
            flow = shim_mi_command(engine, command, &target);
        } else if (word >> 16 == PIPE_CONTROL) {
            shim_pipe_control(command);
        } else if (word >> 29 == 3 && (word >> 27 & 3) == 2) {
            shim_packer_take(engine, command);
        }
        address += 4ull * count;
        switch (flow) {
            case SHIM_GO_ON: break;
            case SHIM_END: return;
            case SHIM_CALL:
                if (depth < MAX_DEPTH) shim_batch_walk(engine, target, 0, depth + 1);
                break;
            case SHIM_JUMP:
                address = target;
                end = ~0ull;
                has_jumped = true;
                break;
        }
    }
}
