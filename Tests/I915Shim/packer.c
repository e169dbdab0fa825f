// SPDX-License-Identifier: MIT
#include "packer.h"

#include <string.h>

#include "firmware.h"
#include "objects.h"

#define PAGE_ADDRESS 0xfffffffff000ull

/// Commands of the video engine: the upper half of the first word.
enum {
    MFX_PIPE_MODE_SELECT = 0x7000,
    MFX_IND_OBJ_BASE_ADDR_STATE = 0x7003,
    MFX_INSERT_OBJECT = 0x7048,
    MFX_AVC_SLICE_STATE = 0x7103,
    MFX_MPEG2_SLICEGROUP_STATE = 0x7343,
    HCP_PIPE_MODE_SELECT = 0x7380,
    HCP_IND_OBJ_BASE_ADDR_STATE = 0x7383,
    HCP_PAK_INSERT_OBJECT = 0x73a2,
};

static void store(shim_packer *packer, uint8_t byte) {
    uint8_t *memory = shim_memory_at(packer->buffer + packer->start + packer->bytes, 1);
    if (memory) *memory = byte;
    packer->bytes++;
    packer->zeros = byte ? 0 : packer->zeros + 1;
}

/// With `escape`, puts emulation prevention in front of the byte where it needs it.
static void put_byte(shim_packer *packer, uint8_t byte, bool escape) {
    if (escape && packer->zeros >= 2 && byte <= 3) store(packer, 3);
    store(packer, byte);
}

static void put_bit(shim_packer *packer, unsigned bit, bool escape) {
    packer->byte = packer->byte << 1 | bit;
    if (++packer->bits < 8) return;
    put_byte(packer, (uint8_t)packer->byte, escape);
    packer->byte = packer->bits = 0;
}

static void begin(shim_packer *packer) {
    *packer = (shim_packer){.buffer = packer->buffer, .is_jpeg = packer->is_jpeg};
}

void shim_packer_end_slice(shim_packer *packer) {
    if (!packer->in_slice) return;
    // CABAC aligns slice data with ones.
    while (packer->bits) put_bit(packer, 1, true);
    for (int i = 0; i < 7; i++) put_byte(packer, 0xa5, true);
    put_byte(packer, 0x80, true);
    packer->in_slice = false;
    // i965 finds the end of a picture by the zeros that, on chips up to hsw, programs of the GPU put there.
    uint8_t *behind = shim_memory_at(packer->buffer + packer->start + packer->bytes, 8);
    if (behind) memset(behind, 0, 8);
}

/// Both commands that insert headers have the same two words in front of the bytes.
static void insert(shim_packer *packer, shim_command command) {
    if (packer->buffer == 0 || command.count < 3) return;
    uint32_t control = shim_word(command, 1);
    bool is_slice_header = control >> 2 & 1, escapes = control >> 3 & 1;
    uint32_t unescaped_bytes = control >> 4 & 15, last_bits = control >> 8 & 63, first_byte = control >> 16 & 3;
    if (last_bits == 0 || last_bits > 32) last_bits = 32;
    if (packer->in_slice) shim_packer_end_slice(packer);
    if (packer->bits == 0) packer->zeros = 0;
    const uint8_t *bytes = (const uint8_t *)(command.words + 2);
    uint32_t end = (command.count - 3) * 32 + last_bits, done = 0;
    for (uint32_t i = first_byte * 8; i < end; i++) {
        put_bit(packer, bytes[i / 8] >> (7 - i % 8) & 1, escapes && done / 8 >= unescaped_bytes);
        done++;
        // What is not escaped is a start code, whose zeros do not count.
        if (escapes && done == unescaped_bytes * 8) packer->zeros = 0;
    }
    if (is_slice_header) packer->in_slice = true;
}

/// The first slice of a picture says where in the buffer writing begins.
static void place(shim_packer *packer, shim_command command, uint32_t index) {
    if (packer->has_place || command.count <= index) return;
    packer->start = shim_word(command, index);
    packer->has_place = true;
}

void shim_packer_take(shim_engine *engine, shim_command command) {
    shim_packer *packer = &engine->packer;
    switch (command.words[0] >> 16) {
        case MFX_PIPE_MODE_SELECT:
            begin(packer);
            packer->is_jpeg = (shim_word(command, 1) & 15) == 3;
            break;
        case HCP_PIPE_MODE_SELECT: begin(packer); break;
        case MFX_IND_OBJ_BASE_ADDR_STATE:
            // Chips with addresses of 32 bits have a shorter command.
            if (command.count > 22) {
                packer->buffer = shim_long(command, 21) & PAGE_ADDRESS;
            } else if (command.count > 9) {
                packer->buffer = shim_word(command, 9) & PAGE_ADDRESS;
            }
            break;
        case HCP_IND_OBJ_BASE_ADDR_STATE:
            if (command.count > 10) packer->buffer = shim_long(command, 9) & PAGE_ADDRESS;
            break;
        case MFX_AVC_SLICE_STATE: place(packer, command, 7); break;
        case MFX_MPEG2_SLICEGROUP_STATE: place(packer, command, 4); break;
        case MFX_INSERT_OBJECT:
            if (packer->has_place || packer->is_jpeg) insert(packer, command);
            break;
        case HCP_PAK_INSERT_OBJECT: insert(packer, command); break;
        default: shim_firmware_take(engine, command); break;
    }
}
