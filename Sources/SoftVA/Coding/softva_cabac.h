// SPDX-License-Identifier: MIT
// The arithmetic encoder that H.264 (9.3.4) and HEVC (9.3.4.3 onwards, encoding in 9.3.5) share.
#ifndef SOFTVA_CABAC_H
#define SOFTVA_CABAC_H

#include "softva_bits.h"

/// A context variable: pStateIdx in the upper seven bits, valMPS in the lowest.
typedef uint8_t sv_context;

/// An arithmetic encoder that writes to `bits`, which must be byte aligned when it begins.
typedef struct {
    sv_bits *bits;
    uint32_t low;    // the lower 9 + `queued` bits of the interval's lower end
    uint32_t range;  // 256...510 between bins
    unsigned queued;
    unsigned held;   // the last byte below the 0xff bytes that a carry may still change; valid if `has_held`
    unsigned run;    // the number of those 0xff bytes
    bool has_held;
} sv_cabac;

/// The context variable that the values m and n give at a slice's QP, of which 0...51 count.
sv_context sv_cabac_context(int m, int n, int qp);

void sv_cabac_begin(sv_cabac *cabac, sv_bits *bits);

/// Encodes a bin with a context variable, and adapts the variable.
void sv_cabac_encode(sv_cabac *cabac, sv_context *context, unsigned bin);
/// Encodes the lower `count` bits of `value`, 0...32 of them, most significant first, without context.
void sv_cabac_bypass(sv_cabac *cabac, unsigned count, uint32_t value);
/// Encodes the suffix of an exp-Golomb binarization of order `order`, without context.
void sv_cabac_exp_golomb(sv_cabac *cabac, unsigned order, uint32_t value);

/// Encodes the bin that says whether the arithmetic code ends here. At 1 the encoder writes what it holds; the last
/// bit it writes is a one: rbsp_stop_one_bit where the slice ends. The caller aligns, and begins anew if bins follow.
void sv_cabac_terminate(sv_cabac *cabac, unsigned bin);

#endif
