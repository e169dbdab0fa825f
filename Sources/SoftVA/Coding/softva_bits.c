// SPDX-License-Identifier: MIT
#include "softva_bits.h"

static void put_plain(sv_bits *bits, uint8_t byte) {
    sv_output *out = bits->out;
    if (out->count >= out->capacity) {
        out->overflow = true;
        return;
    }
    out->bytes[out->count++] = byte;
    bits->zeros = byte == 0 ? bits->zeros + 1 : 0;
}

static void put_escaped(sv_bits *bits, uint8_t byte) {
    if (bits->zeros >= 2 && byte <= 3) put_plain(bits, 3);
    put_plain(bits, byte);
}

void sv_bits_begin(sv_bits *bits, sv_output *out) { *bits = (sv_bits){.out = out}; }

void sv_bits_start_code(sv_bits *bits) {
    static const uint8_t code[4] = {0, 0, 0, 1};
    for (int i = 0; i < 4; i++) put_plain(bits, code[i]);
}

void sv_bits_u(sv_bits *bits, unsigned count, uint32_t value) {
    while (count > 0) {
        unsigned room = 8 - bits->pending;
        unsigned now = count < room ? count : room;
        unsigned chunk = (value >> (count - now)) & ((1u << now) - 1);
        bits->partial = bits->partial << now | chunk;
        bits->pending += now;
        count -= now;
        if (bits->pending == 8) {
            put_escaped(bits, (uint8_t)bits->partial);
            bits->pending = 0;
            bits->partial = 0;
        }
    }
}

void sv_bits_ue(sv_bits *bits, uint32_t value) {
    uint64_t code = (uint64_t)value + 1;
    unsigned length = 64 - (unsigned)__builtin_clzll(code);
    sv_bits_u(bits, length - 1, 0);
    sv_bits_u(bits, 1, 1);
    sv_bits_u(bits, length - 1, (uint32_t)code);
}

void sv_bits_se(sv_bits *bits, int32_t value) {
    sv_bits_ue(bits, value > 0 ? 2 * (uint32_t)value - 1 : 2 * (0u - (uint32_t)value));
}

void sv_bits_align(sv_bits *bits, unsigned bit) {
    while (!sv_bits_aligned(bits)) sv_bits_u(bits, 1, bit);
}

void sv_bits_trailing(sv_bits *bits) {
    sv_bits_u(bits, 1, 1);
    sv_bits_align(bits, 0);
}

size_t sv_start_code_length(const uint8_t *data, size_t count) {
    size_t zeros = 0;
    while (zeros < count && data[zeros] == 0) zeros++;
    return zeros >= 2 && zeros < count && data[zeros] == 1 ? zeros + 1 : 0;
}

void sv_bits_packed(sv_bits *bits, const sv_packed *header) {
    size_t whole = header->bits / 8;
    unsigned rest = header->bits % 8;
    size_t plain = header->has_emulation ? whole : sv_start_code_length(header->data, whole);
    if (sv_bits_aligned(bits)) {
        for (size_t i = 0; i < plain; i++) put_plain(bits, header->data[i]);
    } else {
        plain = 0;
    }
    for (size_t i = plain; i < whole; i++) sv_bits_u(bits, 8, header->data[i]);
    if (rest > 0) sv_bits_u(bits, rest, header->data[whole] >> (8 - rest));
}
