// SPDX-License-Identifier: MIT
// What the files of the HEVC coder share. Clause numbers are those of ITU-T H.265.
#ifndef SOFTVA_HEVC_H
#define SOFTVA_HEVC_H

#include "softva_bits.h"
#include "softva_cabac.h"
#include "softva_coder.h"
#include "softva_hevc_contexts.h"
#include "softva_motion.h"
#include "softva_plane.h"

#define SV_HEVC_MAX_REFERENCES 16
#define SV_HEVC_MAX_SLICES 600

enum { SV_HEVC_B = 0, SV_HEVC_P = 1, SV_HEVC_I = 2 };  // slice_type
enum { SV_HEVC_PLANAR = 0, SV_HEVC_DC = 1, SV_HEVC_HORIZONTAL = 10, SV_HEVC_VERTICAL = 26 };
enum { SV_HEVC_LEFT_EDGE = 1, SV_HEVC_TOP_EDGE = 2 };

/// Motion of a prediction block; `reference[X]` is an index into list X, -1 where the list is not used.
typedef struct {
    sv_vector vector[2];
    int8_t reference[2];
} sv_hevc_motion;

/// What later blocks and the deblocking filter need of 8x8 luma samples, the smallest coding block.
typedef struct {
    sv_hevc_motion motion;
    bool intra, skip;
    uint8_t depth, mode, edges;  // edges: which sides are edges of a transform block
    int8_t qp;
} sv_hevc_cell;

/// What the search proposes for the coding block that covers a cell.
typedef struct {
    uint8_t log2_size, mode;
    bool intra;
    unsigned cost, list_cost[2];
    sv_hevc_motion motion;  // the best vector of each list, in whole samples
} sv_hevc_choice;

typedef struct {
    const VAEncSliceParameterBufferHEVC *params;
    int type, qp, counts[2];
    const sv_planes *planes[2][15];
    int order[2][15];  // PicOrderCnt of each list entry
    bool long_term[2][15];
    const sv_motion *collocated;  // of the picture that vectors are predicted from; NULL without
    bool collocated_list;         // collocated_from_l0_flag
    bool looks_back;              // NoBackwardPredFlag: no reference is shown later
} sv_hevc_slice;

/// A node of a transform tree, in the order of the syntax.
typedef struct {
    bool split, coded[3];
    int levels[3];  // where the block's levels begin
} sv_hevc_node;

/// The coding unit at work.
typedef struct {
    int x, y, log2_size, depth;
    bool intra, skip, merge, root_coded;
    int mode, qp, merge_index, predictor[2];  // predictor: mvp_lX_flag
    sv_hevc_motion motion;
    sv_vector difference[2];
    unsigned cost;  // sum of absolute differences of the prediction's estimate
    sv_hevc_node nodes[1 + 4 + 16 + 64 + 256];
    int node_count, level_count;
    int16_t levels[64 * 64 * 3 / 2];
} sv_hevc_unit;

/// The basis functions of the transforms of 4, 8, 16 and 32 samples and, last, of the sine transform of 4: values of
/// each function; and, for the way back, each sample's values of the even functions and then of the odd ones, for the
/// sine transform of all in order.
typedef struct {
    int16_t forward[5][32 * 32], inverse[5][32 * 32];
} sv_hevc_transforms;

/// All of one picture being encoded.
typedef struct {
    const sv_job *job;
    const VAEncSequenceParameterBufferHEVC *sequence;
    const VAEncPictureParameterBufferHEVC *picture;
    int width, height, bit_depth;
    int log2_ctb, log2_min_cb, log2_min_tb, log2_max_tb, log2_group;
    int columns, rows;  // in coding tree blocks

    sv_planes source, decoded, references[SV_HEVC_MAX_REFERENCES];
    VASurfaceID reference_ids[SV_HEVC_MAX_REFERENCES];
    int reference_count;
    sv_hevc_slice *slices;
    const sv_hevc_slice *slice;

    int cell_stride, unit_stride;
    sv_hevc_cell *cells;
    sv_hevc_choice *choices;
    uint16_t *owners;  // per 4x4 luma samples: 1 + index of the slice, 0 while not decoded
    uint8_t *coded;    // per 4x4 luma samples: cbf_luma of the transform block

    sv_hevc_transforms transforms;
    sv_bits bits;
    sv_cabac cabac;
    sv_context contexts[SV_HEVC_CONTEXTS];
    int qp_last, qp_predicted;
    bool qp_delta_coded;
    unsigned lambda;  // of a bit against absolute differences, in 1/16
    sv_hevc_unit unit;
} sv_hevc;

static inline sv_hevc_cell *sv_hevc_cell_at(const sv_hevc *hevc, int x, int y) {
    return &hevc->cells[(y >> 3) * hevc->cell_stride + (x >> 3)];
}

static inline sv_hevc_choice *sv_hevc_choice_at(const sv_hevc *hevc, int x, int y) {
    return &hevc->choices[(y >> 3) * hevc->cell_stride + (x >> 3)];
}

/// Index of the slice that luma sample (x, y) was decoded in, -1 outside the picture and where nothing is decoded yet.
static inline int sv_hevc_owner(const sv_hevc *hevc, int x, int y) {
    if (x < 0 || y < 0 || x >= hevc->width || y >= hevc->height) return -1;
    return hevc->owners[(y >> 2) * hevc->unit_stride + (x >> 2)] - 1;
}

/// Availability in z-scan order (6.4.1): decoded before, and in the current slice.
static inline bool sv_hevc_available(const sv_hevc *hevc, int x, int y) {
    return sv_hevc_owner(hevc, x, y) == (int)(hevc->slice - hevc->slices);
}

static inline void sv_hevc_bin(sv_hevc *hevc, int context, unsigned bin) {
    sv_cabac_encode(&hevc->cabac, &hevc->contexts[context], bin);
}

/// Notes the first thing the structures ask for that this coder, as the hardware it stands for, does not do; returns
/// 0 or a VAStatus.
int sv_hevc_check(const sv_job *job);

/// Writes slice_segment_header() from the structures, the NAL unit's start included.
void sv_hevc_write_header(sv_hevc *hevc);

/// Chooses sizes, intra modes and motion for the coding tree block at (x, y).
void sv_hevc_decide(sv_hevc *hevc, int x, int y);

/// Encodes coding_quadtree() of the coding tree block at (x, y) as its choices say.
void sv_hevc_code_quadtree(sv_hevc *hevc, int x, int y, int log2_size, int depth);

/// The QP of coded blocks in the current slice.
int sv_hevc_wanted_qp(const sv_hevc *hevc);
/// The same of a unit: with what regions of interest add to its quantisation group.
int sv_hevc_unit_qp(const sv_hevc *hevc, int x, int y, int log2_size);

/// Settles how the coding unit predicts from other pictures, and leaves the prediction in the decoded planes.
void sv_hevc_choose_inter(sv_hevc *hevc, sv_hevc_unit *unit, const sv_hevc_choice *choice);
/// Encodes prediction_unit() of a coding unit that is not skipped.
void sv_hevc_write_prediction(sv_hevc *hevc, const sv_hevc_unit *unit);
void sv_hevc_write_merge_index(sv_hevc *hevc, int index);

/// Predicts a component of the block of `size` luma samples at luma position (x, y) into `out`.
void sv_hevc_predict(const sv_hevc *hevc, int component, int x, int y, int size, const sv_hevc_motion *motion,
    sv_sample *out, ptrdiff_t stride);

/// Fills `list`, of five, with MaxNumMergeCand candidates (8.5.3.2.2).
void sv_hevc_merge_candidates(const sv_hevc *hevc, int x, int y, int size, sv_hevc_motion *list);
/// The two candidates of the vector predictor (8.5.3.2.6).
void sv_hevc_vector_candidates(
    const sv_hevc *hevc, int x, int y, int size, int list, int reference, sv_vector candidates[2]);
/// The temporal candidate of a block for entry `reference` of `list` (8.5.3.2.8); false: there is none.
bool sv_hevc_temporal_vector(
    const sv_hevc *hevc, int x, int y, int size, int list, int reference, sv_vector *vector);
/// Scales a vector over `from` pictures to one over `to` of them.
void sv_hevc_scale_vector(sv_vector *vector, int from, int to);
/// Leaves the picture's motion to those that follow.
void sv_hevc_keep_motion(const sv_hevc *hevc);
/// The neighbour at (x, y) if it is available and predicted from other pictures, else NULL.
const sv_hevc_cell *sv_hevc_inter_neighbour(const sv_hevc *hevc, int x, int y);

/// The border of a block of `size` samples: left samples from below upwards, the corner, top samples to the right, 4 *
/// size + 1 of them. Eight zeros follow, as samples are read by eights.
typedef sv_sample sv_hevc_border[4 * 32 + 1 + 8];
void sv_hevc_intra_border(const sv_hevc *hevc, int component, int x, int y, int size, sv_hevc_border border);
/// The border in the source picture, for estimates.
void sv_hevc_intra_source_border(const sv_hevc *hevc, int x, int y, int size, sv_hevc_border border);
/// Predicts from a border, which is filtered first where 8.4.4.2.3 says so.
void sv_hevc_intra_predict(const sv_hevc *hevc, int component, int log2_size, int mode, const sv_hevc_border border,
    sv_sample *out, ptrdiff_t stride);

/// Transforms, quantises and reconstructs the unit; for intra also predicts, block after block.
void sv_hevc_build_tree(sv_hevc *hevc, sv_hevc_unit *unit);
/// Encodes transform_tree().
void sv_hevc_write_tree(sv_hevc *hevc, const sv_hevc_unit *unit);

void sv_hevc_transforms_create(sv_hevc_transforms *transforms);
/// Samples between the rows of a residual.
enum { SV_HEVC_RESIDUAL_STRIDE = 32 };
/// Quantised levels of a residual, and whether any is not zero. `sine`: the 4x4 sine transform; `qp` is Qp'.
bool sv_hevc_quantise(const sv_hevc *hevc, const int16_t *residual, int log2_size, bool sine, int qp, bool intra,
    int16_t *levels);
/// Adds what `levels` stand for to the samples at `out`.
void sv_hevc_reconstruct(const sv_hevc *hevc, const int16_t *levels, int log2_size, bool sine, int qp,
    sv_sample *out, ptrdiff_t stride);
/// QpC of Table 8-10 for 4:2:0.
int sv_hevc_chroma_qp(int index);

/// Encodes residual_coding(); `mode` is the intra mode that chooses the scan, -1 for inter.
void sv_hevc_write_residual(sv_hevc *hevc, const int16_t *levels, int log2_size, int component, int mode);

/// Deblocks the decoded picture.
void sv_hevc_deblock(sv_hevc *hevc);

#endif
