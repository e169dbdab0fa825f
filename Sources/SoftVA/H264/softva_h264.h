// SPDX-License-Identifier: MIT
// What the files of the H.264 coder share: a picture, a slice and a macroblock while they are being coded.
#ifndef SOFTVA_H264_H
#define SOFTVA_H264_H

#include "softva_bits.h"
#include "softva_cabac.h"
#include "softva_motion.h"
#include "softva_plane.h"

enum { H264_SLICE_P = 0, H264_SLICE_B = 1, H264_SLICE_I = 2 };

/// How a macroblock is coded. `H264_INTER` is one 16x16 partition with a vector in one list or in both.
typedef enum { H264_INTER, H264_SKIP, H264_INTRA_16X16, H264_INTRA_4X4, H264_PCM } sv_h264_kind;

/// Luma blocks count in raster order here, 0...15; their order in the stream is `sv_h264_block_order`.
enum { H264_CB_BLOCKS = 16, H264_CR_BLOCKS = 20, H264_BLOCKS = 24 };
extern const uint8_t sv_h264_block_order[16];

enum { H264_CONTEXTS = 402 };

/// What later macroblocks and the deblocking filter want to know about a macroblock.
typedef struct {
    sv_h264_kind kind;
    int piece;                     // the index in sv_h264_frame.pieces, -1 until the macroblock is coded
    int qp;                        // QPY, which a macroblock without mb_qp_delta takes from its predecessor
    uint8_t luma_mode;             // Intra16x16PredMode
    uint8_t block_modes[16];       // Intra4x4PredMode; 2 where it counts as DC for the neighbours
    uint8_t chroma_mode;           // intra_chroma_pred_mode
    uint8_t luma_pattern;          // CodedBlockPatternLuma
    uint8_t chroma_pattern;        // CodedBlockPatternChroma
    uint8_t dc_coded;              // coded_block_flag of DC blocks: bit 0 luma, 1 Cb, 2 Cr
    uint8_t nonzero[H264_BLOCKS];  // total_coeff of the blocks without the DC levels that are coded apart
    int8_t reference[2];           // ref_idx_l0 and ref_idx_l1, -1: list not used
    VASurfaceID surface[2];        // what they refer to
    sv_vector vector[2];
    sv_vector difference[2];       // mvd_l0 and mvd_l1
} sv_h264_mb;

/// Transform coefficient levels in scan order; AC blocks begin at index 1.
typedef struct {
    int16_t luma_dc[16];
    int16_t luma[16][16];
    int16_t chroma_dc[2][4];
    int16_t chroma[2][4][16];
} sv_h264_levels;

/// The prediction, and then the reconstruction, of a macroblock.
typedef struct {
    sv_sample luma[256];
    sv_sample chroma[2][64];
} sv_h264_block;

/// A surface that lists of the picture name, or the grey that stands for those without pixels.
typedef struct sv_h264_reference {
    VASurfaceID id;
    bool is_grey;
    sv_planes planes;
    struct sv_h264_reference *next;
} sv_h264_reference;

/// Macroblocks of a slice of the application's that are a slice of the stream: all of them, or fewer where slices have
/// a largest size.
typedef struct {
    int slice;       // the index in sv_job.slices
    int first, end;  // the address of the first one, and of the one behind the last
} sv_h264_piece;

/// The picture being coded.
typedef struct {
    const sv_job *job;
    const VAEncSequenceParameterBufferH264 *sequence;
    const VAEncPictureParameterBufferH264 *picture;
    int width, height;  // in macroblocks
    sv_planes source, reconstruction;
    sv_h264_mb *mbs;
    sv_h264_piece *pieces;  // in coding order
    int piece_count, piece_capacity;
    sv_h264_reference *references;  // owned
} sv_h264_frame;

/// The slice being coded, and its current macroblock.
typedef struct {
    sv_h264_frame *frame;
    const VAEncSliceParameterBufferH264 *params;
    int index;  // in sv_h264_frame.pieces
    int type;
    int counts[2];  // num_ref_idx_l0_active_minus1 + 1 and the same of list 1; 0 if the slice has no such list
    const sv_planes *lists[2][32];
    sv_bits *bits;
    sv_cabac cabac;
    sv_context contexts[H264_CONTEXTS];
    int qp;           // QPY,PRED: of the macroblock before, in the beginning of the slice
    int delta;           // mb_qp_delta of the current macroblock, 0 if it has none
    int previous_delta;  // that of the macroblock before
    unsigned skips;   // mb_skip_run so far

    int x, y;  // of the current macroblock, in macroblocks
    sv_h264_mb *mb;
    const sv_h264_mb *left, *top, *top_left, *top_right;  // NULL: not available
    int target_qp;                                      // to be reached through mb_qp_delta
    int usual_qp;                                       // the same outside regions of interest
    sv_h264_levels levels;
} sv_h264_slice;

/// The structure of the slice that a piece is of.
static inline const VAEncSliceParameterBufferH264 *sv_h264_params(const sv_h264_frame *frame, int piece) {
    return frame->job->slices[frame->pieces[piece].slice].params;
}

static inline bool sv_h264_is_intra(const sv_h264_mb *mb) { return mb->kind >= H264_INTRA_16X16; }

/// QPC of plane `component`, 1 Cb or 2 Cr, for a QPY.
int sv_h264_chroma_qp(const sv_h264_frame *frame, int component, int luma_qp);

// softva_h264_refusals.c
/// Returns the VAStatus for what H.264 or this coder does not allow, 0 for what can be coded.
int sv_h264_check(const sv_job *job);

// softva_h264_header.c
/// Writes start code, NAL unit header and slice_header() from the structures.
void sv_h264_write_slice_header(const sv_h264_frame *frame, const VAEncSliceParameterBufferH264 *slice, sv_bits *bits);
/// num_ref_idx_l0_active_minus1 + 1 or that of list 1, as slice header and picture parameters give it.
int sv_h264_active_references(const sv_h264_frame *frame, const VAEncSliceParameterBufferH264 *slice, int list);

// softva_h264_slice.c
/// Codes the macroblocks of piece `index` after its header. Where more than `most` bytes are written before one but
/// the first ends, the piece's end becomes that one, and the slice is not ended; `most` counts from the output's
/// beginning, 0: there is no limit. Returns 0 or a VAStatus.
int sv_h264_encode_slice(sv_h264_frame *frame, int index, size_t most, sv_bits *bits);

// softva_h264_pieces.c
/// Codes slice `index` with its header, as several where it is larger than slices may be. Returns 0 or a VAStatus.
int sv_h264_encode_pieces(sv_h264_frame *frame, int index, sv_bits *bits);

// softva_h264_mb.c
/// Chooses how to code the current macroblock, reconstructs it, and fills `slice->mb` and `slice->levels`.
void sv_h264_decide(sv_h264_slice *slice);

// softva_h264_intra.c
/// Predicts the luma of an Intra_16x16 macroblock as each available mode does, keeps the best; returns its cost.
unsigned sv_h264_intra_16x16(const sv_h264_slice *slice, unsigned lambda, sv_sample *prediction, uint8_t *mode);
/// Chooses intra_chroma_pred_mode and predicts both planes.
void sv_h264_intra_chroma(const sv_h264_slice *slice, sv_sample prediction[2][64], uint8_t *mode);

// softva_h264_intra4.c
/// Codes the luma as Intra_4x4: modes, levels and reconstruction of `block`, `qp` being QPY. Returns its cost, or a
/// number above `limit` as soon as that is exceeded.
unsigned sv_h264_intra_4x4(
    sv_h264_slice *slice, int qp, unsigned lambda, unsigned limit, sv_h264_mb *mb, sv_h264_levels *levels, sv_h264_block *block);
/// predIntra4x4PredMode of a luma block.
int sv_h264_predicted_mode(const sv_h264_slice *slice, const sv_h264_mb *mb, int block);

// softva_h264_inter.c
/// Searches both lists for the current macroblock; fills its references and vectors, and the prediction. Returns the
/// cost.
unsigned sv_h264_inter(sv_h264_slice *slice, unsigned lambda, sv_h264_mb *mb, sv_h264_block *prediction);

// softva_h264_vectors.c
/// The predicted motion vector of a 16x16 partition, 8.4.1.3.
sv_vector sv_h264_predict_vector(const sv_h264_slice *slice, int list, int reference);
/// The vector of a P_Skip macroblock, 8.4.1.1.
sv_vector sv_h264_skip_vector(const sv_h264_slice *slice);

// softva_h264_interpolate.c
/// The half sample positions around a luma block of 16x16, for a search by fractions of a sample: rows and columns from
/// sample (-1, -1) of the block on, 18 of each. Rows have room for a multiple of eight.
enum { H264_WINDOW_ROWS = 18, H264_WINDOW_STRIDE = 24 };
typedef sv_sample sv_h264_window_samples[H264_WINDOW_ROWS * H264_WINDOW_STRIDE];
typedef struct {
    const sv_sample *whole;
    ptrdiff_t stride;
    sv_sample scratch[32 * 24];
    sv_h264_window_samples horizontal, vertical, both;
} sv_h264_window;
/// Computes a window around whole-sample position (x, y) of a luma plane.
void sv_h264_window_open(sv_h264_window *window, const sv_plane *plane, int x, int y);
/// The prediction `dx`, `dy` quarter samples, -3...3, beside the window's position.
void sv_h264_window_predict(const sv_h264_window *window, int dx, int dy, sv_sample *prediction);
/// The prediction of a whole macroblock at sample position (x, y).
void sv_h264_predict_inter(const sv_planes *reference, int x, int y, sv_vector vector, sv_h264_block *prediction);

// softva_h264_transform.c
/// Transforms and quantises what `prediction` leaves of the current macroblock's luma, and adds the result to it.
/// Sets the luma patterns and counts of `mb`.
void sv_h264_code_luma(const sv_h264_slice *slice, int qp, sv_h264_mb *mb, sv_h264_levels *levels, sv_sample *luma);
/// Codes a luma block of an Intra_4x4 macroblock, whose samples are `stride` apart. Returns total_coeff.
int sv_h264_code_block(const sv_sample *source, ptrdiff_t stride, int qp, int16_t levels[16], sv_sample *samples,
    ptrdiff_t samples_stride);
/// Transforms, quantises and adds both chroma planes of the current macroblock.
void sv_h264_code_chroma(const sv_h264_slice *slice, int qp, sv_h264_mb *mb, sv_h264_levels *levels, sv_sample chroma[2][64]);
/// An upper estimate of the bits that the levels of a macroblock take; above any limit if a level is too large to code.
unsigned sv_h264_estimated_bits(const sv_h264_mb *mb, const sv_h264_levels *levels);

// softva_h264_syntax.c
/// The total_coeff of the block left of block `block`, an index of sv_h264_mb.nonzero, or above it; -1: not available.
int sv_h264_count_beside(const sv_h264_slice *slice, int block, bool above);
/// mb_type of an intra macroblock as in an I slice.
unsigned sv_h264_intra_type(const sv_h264_mb *mb);
/// Writes the samples of an I_PCM macroblock from the reconstruction, aligned.
void sv_h264_write_pcm(const sv_h264_slice *slice);
/// Whether the current macroblock carries mb_qp_delta and a residual.
static inline bool sv_h264_has_residual(const sv_h264_mb *mb) {
    return mb->kind == H264_INTRA_16X16 || mb->luma_pattern || mb->chroma_pattern;
}

// softva_h264_cavlc.c
/// Writes the current macroblock; `last` says whether it ends the slice, whose trailing bits then follow.
void sv_h264_cavlc_write(sv_h264_slice *slice, bool last);

// softva_h264_cabac.c
/// Aligns and sets the contexts at the beginning of a slice.
void sv_h264_cabac_begin(sv_h264_slice *slice);
void sv_h264_cabac_write(sv_h264_slice *slice, bool last);

// softva_h264_cabac_tables.c
/// The values m and n of context `index`; `table` is cabac_init_idc, or 3 for I slices.
void sv_h264_context_values(int table, int index, int *m, int *n);

// softva_h264_deblock.c
/// Filters the reconstruction of the whole picture in place, 8.7.
void sv_h264_deblock(sv_h264_frame *frame);

#endif
