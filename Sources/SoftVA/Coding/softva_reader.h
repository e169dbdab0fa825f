// SPDX-License-Identifier: MIT
// Reads the bits of packed headers.
#ifndef SOFTVA_READER_H
#define SOFTVA_READER_H

#include "softva_coder.h"

/// A reader, most significant bit first. Past the end it reads zeros and sets `overrun`.
typedef struct {
    const uint8_t *data;
    size_t bits, position;
    bool escaped;  // whether emulation prevention bytes are to be skipped
    bool overrun;
} sv_reader;

void sv_reader_begin(sv_reader *reader, const uint8_t *data, size_t bits, bool escaped);

/// Reads `count` bits, 0...32.
uint32_t sv_read_u(sv_reader *reader, unsigned count);
/// Reads ue(v); a code of more than 32 leading zeros sets `overrun`.
uint32_t sv_read_ue(sv_reader *reader);
/// Reads se(v).
int32_t sv_read_se(sv_reader *reader);

/// Whether anything but rbsp_trailing_bits() follows; `bits` must end with the NAL unit.
bool sv_more_rbsp_data(const sv_reader *reader);

#endif
