// SPDX-License-Identifier: MIT
#include "softva_cabac.h"

// rangeTabLPS: the range of the less probable symbol, by state and by bits 6 and 7 of the range.
static const uint8_t range_lps[64][4] = {
    {128, 176, 208, 240}, {128, 167, 197, 227}, {128, 158, 187, 216}, {123, 150, 178, 205}, {116, 142, 169, 195},
    {111, 135, 160, 185}, {105, 128, 152, 175}, {100, 122, 144, 166}, {95, 116, 137, 158},  {90, 110, 130, 150},
    {85, 104, 123, 142},  {81, 99, 117, 135},   {77, 94, 111, 128},   {73, 89, 105, 122},   {69, 85, 100, 116},
    {66, 80, 95, 110},    {62, 76, 90, 104},    {59, 72, 86, 99},     {56, 69, 81, 94},     {53, 65, 77, 89},
    {51, 62, 73, 85},     {48, 59, 69, 80},     {46, 56, 66, 76},     {43, 53, 63, 72},     {41, 50, 59, 69},
    {39, 48, 56, 65},     {37, 45, 54, 62},     {35, 43, 51, 59},     {33, 41, 48, 56},     {32, 39, 46, 53},
    {30, 37, 43, 50},     {29, 35, 41, 48},     {27, 33, 39, 45},     {26, 31, 37, 43},     {24, 30, 35, 41},
    {23, 28, 33, 39},     {22, 27, 32, 37},     {21, 26, 30, 35},     {20, 24, 29, 33},     {19, 23, 27, 31},
    {18, 22, 26, 30},     {17, 21, 25, 28},     {16, 20, 23, 27},     {15, 19, 22, 25},     {14, 18, 21, 24},
    {14, 17, 20, 23},     {13, 16, 19, 22},     {12, 15, 18, 21},     {12, 14, 17, 20},     {11, 14, 16, 19},
    {11, 13, 15, 18},     {10, 12, 15, 17},     {10, 12, 14, 16},     {9, 11, 13, 15},      {9, 11, 12, 14},
    {8, 10, 12, 14},      {8, 9, 11, 13},       {7, 9, 11, 12},       {7, 9, 10, 12},       {7, 8, 10, 11},
    {6, 8, 9, 11},        {6, 7, 9, 10},        {6, 7, 8, 9},         {2, 2, 2, 2},
};

// transIdxLps: the state after a less probable symbol.
static const uint8_t after_lps[64] = {
    0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12,
    13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22, 23, 24,
    24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33,
    33, 33, 34, 34, 35, 35, 35, 36, 36, 36, 37, 37, 37, 38, 38, 63,
};

sv_context sv_cabac_context(int m, int n, int qp) {
    qp = qp < 0 ? 0 : qp > 51 ? 51 : qp;
    int state = ((m * qp) >> 4) + n;
    state = state < 1 ? 1 : state > 126 ? 126 : state;
    return (sv_context)(state < 64 ? (63 - state) << 1 : (state - 64) << 1 | 1);
}

void sv_cabac_begin(sv_cabac *cabac, sv_bits *bits) { *cabac = (sv_cabac){.bits = bits, .range = 510}; }

/// Writes the held byte and the run of 0xff bytes above it, after a carry has passed through them.
static void write_held(sv_cabac *cabac, unsigned carry) {
    if (!cabac->has_held) return;
    sv_bits_u(cabac->bits, 8, (cabac->held + carry) & 255);
    for (; cabac->run; cabac->run--) sv_bits_u(cabac->bits, 8, carry ? 0 : 255);
}

/// Moves whole bytes out of the queue.
static void write_queued(sv_cabac *cabac) {
    while (cabac->queued >= 8) {
        unsigned shift = cabac->queued + 1;
        unsigned byte = cabac->low >> shift;  // bit 8 is the carry
        cabac->low &= (1u << shift) - 1;
        cabac->queued -= 8;
        if (byte == 255 && cabac->has_held) {
            cabac->run++;
            continue;
        }
        write_held(cabac, byte >> 8);
        cabac->held = byte & 255;
        cabac->has_held = true;
    }
}

static inline void shift_left(sv_cabac *cabac, unsigned count) {
    cabac->low <<= count;
    cabac->queued += count;
    if (cabac->queued >= 8) write_queued(cabac);
}

void sv_cabac_encode(sv_cabac *cabac, sv_context *context, unsigned bin) {
    unsigned state = *context >> 1, mps = *context & 1;
    unsigned lps = range_lps[state][cabac->range >> 6 & 3];
    cabac->range -= lps;
    if (bin == mps) {
        if (state < 62) *context += 2;
        if (cabac->range >= 256) return;
        cabac->range <<= 1;
        shift_left(cabac, 1);
        return;
    }
    cabac->low += cabac->range;
    unsigned count = (unsigned)__builtin_clz(lps) - 23;  // brings the range back to 256 or more
    cabac->range = lps << count;
    *context = (sv_context)(after_lps[state] << 1 | (state ? mps : mps ^ 1));
    shift_left(cabac, count);
}

void sv_cabac_bypass(sv_cabac *cabac, unsigned count, uint32_t value) {
    while (count) {
        unsigned part = count < 8 ? count : 8;
        count -= part;
        // With up to 7 bits queued, `low` keeps to 24 bits.
        cabac->low = (cabac->low << part) + cabac->range * (value >> count & ((1u << part) - 1));
        cabac->queued += part;
        if (cabac->queued >= 8) write_queued(cabac);
    }
}

void sv_cabac_exp_golomb(sv_cabac *cabac, unsigned order, uint32_t value) {
    for (; value >= 1u << order; order++) {
        sv_cabac_bypass(cabac, 1, 1);
        value -= 1u << order;
    }
    sv_cabac_bypass(cabac, 1, 0);
    sv_cabac_bypass(cabac, order, value);
}

void sv_cabac_terminate(sv_cabac *cabac, unsigned bin) {
    cabac->range -= 2;
    if (!bin) {
        if (cabac->range < 256) {
            cabac->range <<= 1;
            shift_left(cabac, 1);
        }
        return;
    }
    cabac->low += cabac->range;
    shift_left(cabac, 7);
    unsigned count = cabac->queued + 2;  // all but the lowest 7 bits, the last of them replaced by a one
    uint32_t rest = cabac->low >> 7 | 1;
    write_held(cabac, rest >> count);
    sv_bits_u(cabac->bits, count, rest & ((1u << count) - 1));
}
