// SPDX-License-Identifier: MIT
// Coding quadtree and coding units (7.3.8.4, 7.3.8.5).
#include "softva_hevc.h"

/// How many of the left and upper neighbours of (x, y) are available and satisfy `test` with `value`.
static int count_neighbours(
    const sv_hevc *hevc, int x, int y, bool (*test)(const sv_hevc_cell *cell, int value), int value) {
    int left = sv_hevc_available(hevc, x - 1, y) && test(sv_hevc_cell_at(hevc, x - 1, y), value);
    int above = sv_hevc_available(hevc, x, y - 1) && test(sv_hevc_cell_at(hevc, x, y - 1), value);
    return left + above;
}

static bool is_skipped(const sv_hevc_cell *cell, int value) {
    (void)value;
    return cell->skip;
}

static bool is_deeper(const sv_hevc_cell *cell, int value) { return cell->depth > value; }

/// Begins a quantisation group: derives qPY_PRED (8.6.1).
static void begin_group(sv_hevc *hevc, int x, int y) {
    int mask = (1 << hevc->log2_ctb) - 1;
    int left = x & mask ? sv_hevc_cell_at(hevc, x - 1, y)->qp : hevc->qp_last;
    int above = y & mask ? sv_hevc_cell_at(hevc, x, y - 1)->qp : hevc->qp_last;
    hevc->qp_predicted = (left + above + 1) >> 1;
    hevc->qp_delta_coded = false;
}

int sv_hevc_wanted_qp(const sv_hevc *hevc) {
    bool is_free = hevc->picture->pic_fields.bits.cu_qp_delta_enabled_flag && hevc->job->qp >= 0;
    return is_free ? sv_min(hevc->job->qp, 51) : hevc->slice->qp;
}

int sv_hevc_unit_qp(const sv_hevc *hevc, int x, int y, int log2_size) {
    int qp = sv_hevc_wanted_qp(hevc);
    const sv_job *job = hevc->job;
    if (job->region_count == 0 || !hevc->picture->pic_fields.bits.cu_qp_delta_enabled_flag) return qp;
    // All units of a group have one quantizer.
    int size = 1 << sv_max(log2_size, hevc->log2_group);
    int delta = sv_region_delta(job->regions, job->region_count, x & -size, y & -size, size);
    return sv_clip(sv_min(qp, 0), 51, qp + delta);
}

/// candModeList of 8.4.2.
static void likely_modes(const sv_hevc *hevc, int x, int y, int modes[3]) {
    int left = SV_HEVC_DC, above = SV_HEVC_DC;
    if (sv_hevc_available(hevc, x - 1, y)) {
        const sv_hevc_cell *cell = sv_hevc_cell_at(hevc, x - 1, y);
        if (cell->intra) left = cell->mode;
    }
    // The mode above is not kept beyond the coding tree block.
    if ((y & ((1 << hevc->log2_ctb) - 1)) && sv_hevc_available(hevc, x, y - 1)) {
        const sv_hevc_cell *cell = sv_hevc_cell_at(hevc, x, y - 1);
        if (cell->intra) above = cell->mode;
    }
    modes[0] = left;
    modes[1] = above;
    if (left != above) {
        bool planar = left != SV_HEVC_PLANAR && above != SV_HEVC_PLANAR;
        bool dc = left != SV_HEVC_DC && above != SV_HEVC_DC;
        modes[2] = planar ? SV_HEVC_PLANAR : dc ? SV_HEVC_DC : SV_HEVC_VERTICAL;
    } else if (left < 2) {
        modes[0] = SV_HEVC_PLANAR;
        modes[1] = SV_HEVC_DC;
        modes[2] = SV_HEVC_VERTICAL;
    } else {
        modes[1] = 2 + (left + 29) % 32;
        modes[2] = 2 + (left - 2 + 1) % 32;
    }
}

static void write_intra_mode(sv_hevc *hevc, const sv_hevc_unit *unit) {
    int modes[3], index = -1;
    likely_modes(hevc, unit->x, unit->y, modes);
    for (int i = 0; i < 3; i++) {
        if (modes[i] == unit->mode) index = i;
    }
    sv_hevc_bin(hevc, SV_HEVC_PREV_INTRA, index >= 0);
    if (index >= 0) {
        sv_cabac_bypass(&hevc->cabac, index ? 2 : 1, (uint32_t)(index ? index + 1 : 0));
    } else {
        int rest = unit->mode;
        for (int i = 0; i < 3; i++) rest -= modes[i] < unit->mode;
        sv_cabac_bypass(&hevc->cabac, 5, (uint32_t)rest);
    }
    sv_hevc_bin(hevc, SV_HEVC_CHROMA_MODE, 0);  // chroma has luma's mode
}

static void write_unit(sv_hevc *hevc, const sv_hevc_unit *unit) {
    bool inter_slice = hevc->slice->type != SV_HEVC_I;
    if (inter_slice) {
        sv_hevc_bin(hevc, SV_HEVC_SKIP + count_neighbours(hevc, unit->x, unit->y, is_skipped, 0), unit->skip);
    }
    if (unit->skip) {
        sv_hevc_write_merge_index(hevc, unit->merge_index);
        return;
    }
    if (inter_slice) sv_hevc_bin(hevc, SV_HEVC_PRED_MODE, unit->intra);
    // part_mode: 2Nx2N begins with a one in every binarization, whatever amp_enabled_flag says.
    if (!unit->intra || unit->log2_size == hevc->log2_min_cb) sv_hevc_bin(hevc, SV_HEVC_PART_MODE, 1);
    if (unit->intra) {
        write_intra_mode(hevc, unit);
    } else {
        sv_hevc_write_prediction(hevc, unit);
        if (!unit->merge) sv_hevc_bin(hevc, SV_HEVC_ROOT_CBF, unit->root_coded);
        if (!unit->root_coded) return;
    }
    sv_hevc_write_tree(hevc, unit);
}

/// Remembers the unit for its successors and for deblocking.
static void keep_unit(sv_hevc *hevc, const sv_hevc_unit *unit) {
    int size = 1 << unit->log2_size;
    int qp = hevc->qp_delta_coded ? unit->qp : hevc->qp_predicted;
    hevc->qp_last = qp;
    for (int y = unit->y; y < unit->y + size; y += 8) {
        for (int x = unit->x; x < unit->x + size; x += 8) {
            sv_hevc_cell *cell = sv_hevc_cell_at(hevc, x, y);
            cell->motion = unit->motion;
            cell->intra = unit->intra;
            cell->skip = unit->skip;
            cell->depth = (uint8_t)unit->depth;
            cell->mode = (uint8_t)unit->mode;
            cell->qp = (int8_t)qp;
        }
    }
}

static void code_unit(sv_hevc *hevc, int x, int y, int log2_size, int depth, const sv_hevc_choice *choice) {
    sv_hevc_unit *unit = &hevc->unit;
    unit->x = x;
    unit->y = y;
    unit->log2_size = log2_size;
    unit->depth = depth;
    unit->intra = choice->intra;
    unit->mode = choice->intra ? choice->mode : SV_HEVC_DC;
    unit->cost = choice->cost;
    unit->skip = unit->merge = false;
    unit->qp = sv_hevc_unit_qp(hevc, x, y, log2_size);
    unit->motion = (sv_hevc_motion){.reference = {-1, -1}};
    if (!unit->intra) sv_hevc_choose_inter(hevc, unit, choice);
    sv_hevc_build_tree(hevc, unit);
    unit->skip = unit->merge && !unit->root_coded;
    write_unit(hevc, unit);
    keep_unit(hevc, unit);
}

void sv_hevc_code_quadtree(sv_hevc *hevc, int x, int y, int log2_size, int depth) {
    if (x >= hevc->width || y >= hevc->height) return;
    int size = 1 << log2_size, half = size / 2;
    const sv_hevc_choice *choice = sv_hevc_choice_at(hevc, x, y);
    bool whole = x + size <= hevc->width && y + size <= hevc->height;
    bool split = log2_size > hevc->log2_min_cb && (!whole || choice->log2_size < log2_size);
    if (whole && log2_size > hevc->log2_min_cb) {
        sv_hevc_bin(hevc, SV_HEVC_SPLIT_CU + count_neighbours(hevc, x, y, is_deeper, depth), split);
    }
    if (log2_size >= hevc->log2_group) begin_group(hevc, x, y);
    if (!split) code_unit(hevc, x, y, log2_size, depth, choice);
    for (int i = 0; i < 4 && split; i++) {
        sv_hevc_code_quadtree(hevc, x + (i & 1) * half, y + (i >> 1) * half, log2_size - 1, depth + 1);
    }
}
