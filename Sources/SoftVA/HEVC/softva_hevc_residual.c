// SPDX-License-Identifier: MIT
// residual_coding() of 7.3.8.11, without sign hiding.
#include <stdlib.h>

#include "softva_hevc.h"

enum { DIAGONAL, HORIZONTAL, VERTICAL };

/// A block's positions in scan order: of 4x4 coefficients, or of a block's 4x4 sub-blocks.
typedef struct {
    uint8_t x[64], y[64];
} scan_order;

/// Fills the order of 6.5.3 to 6.5.5 for a square of `size`.
static void scan_create(scan_order *scan, int kind, int size) {
    int count = 0;
    if (kind == DIAGONAL) {
        for (int sum = 0; sum < 2 * size - 1; sum++) {
            for (int y = sv_min(sum, size - 1); y >= 0 && sum - y < size; y--, count++) {
                scan->x[count] = (uint8_t)(sum - y);
                scan->y[count] = (uint8_t)y;
            }
        }
        return;
    }
    for (int slow = 0; slow < size; slow++) {
        for (int fast = 0; fast < size; fast++, count++) {
            scan->x[count] = (uint8_t)(kind == HORIZONTAL ? fast : slow);
            scan->y[count] = (uint8_t)(kind == HORIZONTAL ? slow : fast);
        }
    }
}

/// The block at work.
typedef struct {
    sv_hevc *hevc;
    const int16_t *levels;
    int log2_size, component, kind;
    scan_order inner, outer;
    uint8_t sub_blocks[9][9];  // coded_sub_block_flag, a zero beyond the last row and column
    bool greater1_seen;        // a coeff_abs_level_greater1_flag of the previous sub-block was one
} residual_block;

static int scan_kind(int log2_size, int component, int mode) {
    if (log2_size != 2 && (log2_size != 3 || component)) return DIAGONAL;
    if (mode >= 6 && mode <= 14) return VERTICAL;
    return mode >= 22 && mode <= 30 ? HORIZONTAL : DIAGONAL;
}

/// last_sig_coeff_x_prefix or _y_prefix with context variables from `base` on; returns the suffix's length, and its
/// value in `suffix`.
static int write_last_prefix(const residual_block *block, int base, int position, int *suffix) {
    int log2_size = block->log2_size;
    int offset = block->component ? 15 : 3 * (log2_size - 2) + ((log2_size - 1) >> 2);
    int shift = block->component ? log2_size - 2 : (log2_size + 1) >> 2;
    int prefix = position, length = 0;
    *suffix = 0;
    if (position > 3) {
        int top = 31 - __builtin_clz((unsigned)position);
        length = top - 1;
        prefix = 2 * top + (position >> length & 1);
        *suffix = position & ((1 << length) - 1);
    }
    int maximum = 2 * log2_size - 1;
    for (int i = 0; i < prefix; i++) sv_hevc_bin(block->hevc, base + offset + (i >> shift), 1);
    if (prefix < maximum) sv_hevc_bin(block->hevc, base + offset + (prefix >> shift), 0);
    return length;
}

static void write_last(const residual_block *block, int x, int y) {
    if (block->kind == VERTICAL) {
        int other = x;
        x = y;
        y = other;
    }
    int x_suffix, y_suffix;
    int x_length = write_last_prefix(block, SV_HEVC_LAST_X, x, &x_suffix);
    int y_length = write_last_prefix(block, SV_HEVC_LAST_Y, y, &y_suffix);
    sv_cabac_bypass(&block->hevc->cabac, (unsigned)x_length, (uint32_t)x_suffix);
    sv_cabac_bypass(&block->hevc->cabac, (unsigned)y_length, (uint32_t)y_suffix);
}

/// ctxInc of sig_coeff_flag (9.3.4.2.5); `x` and `y` count within the sub-block at (`xs`, `ys`).
static int significance_context(const residual_block *block, int xs, int ys, int x, int y) {
    static const uint8_t small[15] = {0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8};
    int context;
    if (block->log2_size == 2) {
        context = small[4 * y + x];
    } else if (xs + ys + x + y == 0) {
        context = 0;
    } else {
        int right = block->sub_blocks[ys][xs + 1], below = block->sub_blocks[ys + 1][xs];
        if (right && below) {
            context = 2;
        } else if (right || below) {
            int along = right ? y : x;
            context = along == 0 ? 2 : along == 1;
        } else {
            context = x + y == 0 ? 2 : x + y < 3;
        }
        if (block->component) {
            context += block->log2_size == 3 ? 9 : 12;
        } else {
            if (xs + ys > 0) context += 3;
            context += block->log2_size == 3 ? (block->kind == DIAGONAL ? 9 : 15) : 21;
        }
    }
    return block->component ? 27 + context : context;
}

/// coeff_abs_level_remaining (9.3.3.11).
static void write_remaining(sv_cabac *cabac, int value, int rice) {
    if (value < 3 << rice) {
        unsigned ones = (unsigned)value >> rice;
        sv_cabac_bypass(cabac, ones + 1, (1u << (ones + 1)) - 2);
        sv_cabac_bypass(cabac, (unsigned)rice, (uint32_t)value & ((1u << rice) - 1));
        return;
    }
    int length = rice;
    value -= 3 << rice;
    while (value >= 1 << length) value -= 1 << length++;
    unsigned ones = (unsigned)(3 + length - rice);
    sv_cabac_bypass(cabac, ones + 1, (1u << (ones + 1)) - 2);
    sv_cabac_bypass(cabac, (unsigned)length, (uint32_t)value);
}

/// The levels of a sub-block's `count` significant coefficients, the last in scan order first.
static void write_levels(residual_block *block, int sub_block, const int *levels, int count) {
    sv_hevc *hevc = block->hevc;
    int set = sub_block == 0 || block->component ? 0 : 2;
    if (block->greater1_seen) set++;
    int greater1 = 1, second = -1;
    for (int i = 0; i < count && i < 8; i++) {
        unsigned larger = abs(levels[i]) > 1;
        sv_hevc_bin(hevc, SV_HEVC_GREATER1 + (block->component ? 16 : 0) + 4 * set + greater1, larger);
        if (larger) {
            if (second < 0) second = i;
            greater1 = 0;
        } else if (greater1 > 0 && greater1 < 3) {
            greater1++;
        }
    }
    block->greater1_seen = greater1 == 0;
    if (second >= 0) {
        sv_hevc_bin(hevc, SV_HEVC_GREATER2 + (block->component ? 4 : 0) + set, abs(levels[second]) > 2);
    }
    uint32_t signs = 0;
    for (int i = 0; i < count; i++) signs = signs << 1 | (levels[i] < 0);
    sv_cabac_bypass(&hevc->cabac, (unsigned)count, signs);
    int rice = 0;
    for (int i = 0; i < count; i++) {
        int level = abs(levels[i]);
        int base = i >= 8 ? 1 : second < 0 || i < second ? 2 : i == second ? 3 : 2;
        if (level < base) continue;
        write_remaining(&hevc->cabac, level - base, rice);
        if (level > 3 << rice) rice = sv_min(rice + 1, 4);
    }
}

/// Everything of sub-block `index`; `last` is the scan position of the block's last coefficient, 16 in all sub-blocks
/// but the one that has it.
static void write_sub_block(residual_block *block, int index, int last) {
    sv_hevc *hevc = block->hevc;
    int xs = block->outer.x[index], ys = block->outer.y[index], size = 1 << block->log2_size;
    const int16_t *corner = block->levels + 4 * (ys * size + xs);
    bool coded = block->sub_blocks[ys][xs], implied = false;
    if (last == 16 && index > 0) {
        int around = block->sub_blocks[ys][xs + 1] | block->sub_blocks[ys + 1][xs];
        sv_hevc_bin(hevc, SV_HEVC_SUB_BLOCK + (block->component ? 2 : 0) + around, coded);
        if (!coded) return;
        implied = true;
    }
    int levels[16], count = 0;
    if (last < 16) levels[count++] = corner[block->inner.y[last] * size + block->inner.x[last]];
    for (int i = last - 1; i >= 0; i--) {
        int x = block->inner.x[i], y = block->inner.y[i], level = corner[y * size + x];
        // A coded sub-block with nothing before its first position has a coefficient there.
        if (i > 0 || !implied || count > 0) {
            int context = significance_context(block, xs, ys, x, y);
            sv_hevc_bin(hevc, SV_HEVC_SIGNIFICANT + context, level != 0);
        }
        if (level) levels[count++] = level;
    }
    if (count > 0) write_levels(block, index, levels, count);
}

void sv_hevc_write_residual(sv_hevc *hevc, const int16_t *levels, int log2_size, int component, int mode) {
    residual_block block = {.hevc = hevc, .levels = levels, .log2_size = log2_size, .component = component};
    block.kind = scan_kind(log2_size, component, mode);
    scan_create(&block.inner, block.kind, 4);
    scan_create(&block.outer, block.kind, 1 << (log2_size - 2));
    int size = 1 << log2_size, last_block = 0, last = 0;
    for (int index = 0; index < 1 << (2 * log2_size - 4); index++) {
        int xs = block.outer.x[index], ys = block.outer.y[index];
        const int16_t *corner = levels + 4 * (ys * size + xs);
        for (int i = 0; i < 16; i++) {
            if (!corner[block.inner.y[i] * size + block.inner.x[i]]) continue;
            block.sub_blocks[ys][xs] = 1;
            last_block = index;
            last = i;
        }
    }
    if (hevc->picture->pic_fields.bits.transform_skip_enabled_flag && log2_size == 2) {
        sv_hevc_bin(hevc, SV_HEVC_TRANSFORM_SKIP + (component ? 1 : 0), 0);
    }
    write_last(&block, 4 * block.outer.x[last_block] + block.inner.x[last],
        4 * block.outer.y[last_block] + block.inner.y[last]);
    write_sub_block(&block, last_block, last);
    for (int index = last_block - 1; index >= 0; index--) write_sub_block(&block, index, 16);
}
