// SPDX-License-Identifier: MIT
// Writes the bits of NAL units, with emulation prevention.
#ifndef SOFTVA_BITS_H
#define SOFTVA_BITS_H

#include "softva_coder.h"

/// A writer, most significant bit first. It escapes every byte but those of start codes and of headers that say they
/// are escaped already; the escape state runs on from a header into what follows it.
typedef struct {
    sv_output *out;
    unsigned pending;  // bits of `partial` in use, 0...7
    unsigned partial;  // the bits that do not fill a byte yet, in the lower bits
    unsigned zeros;    // zero bytes at the end of what was written
} sv_bits;

void sv_bits_begin(sv_bits *bits, sv_output *out);

/// Writes 00 00 00 01; the writer must be byte aligned.
void sv_bits_start_code(sv_bits *bits);

/// Writes the lower `count` bits of `value`, 0...32 of them.
void sv_bits_u(sv_bits *bits, unsigned count, uint32_t value);
/// Writes ue(v), of 2^32 - 1 too, which no stream has and which contradicting structures lead to.
void sv_bits_ue(sv_bits *bits, uint32_t value);
/// Writes se(v).
void sv_bits_se(sv_bits *bits, int32_t value);

/// Whether the next bit begins a byte.
static inline bool sv_bits_aligned(const sv_bits *bits) { return bits->pending == 0; }
/// Writes copies of `bit` up to the next byte boundary; nothing at a boundary.
void sv_bits_align(sv_bits *bits, unsigned bit);
/// Writes rbsp_trailing_bits(): a one, then zeros to the boundary.
void sv_bits_trailing(sv_bits *bits);

/// Appends a packed header bit for bit, its start code included. Without `has_emulation` everything after the first
/// start code is escaped; with it the whole bytes are copied. What is written next continues after the last bit.
void sv_bits_packed(sv_bits *bits, const sv_packed *header);

/// The number of bytes of the start code that `data` begins with, leading zero bytes included; 0 if it has none.
size_t sv_start_code_length(const uint8_t *data, size_t count);

#endif
