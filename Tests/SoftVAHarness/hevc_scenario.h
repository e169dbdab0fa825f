// SPDX-License-Identifier: MIT
// Random, valid sequences of HEVC parameters, and what the files that encode them share.
#ifndef HEVC_SCENARIO_H
#define HEVC_SCENARIO_H

#include <softva_coder.h>

enum { MAX_REFERENCES = 4, MAX_FRAMES = 12, MAX_SLICES = 6 };
enum { TYPES_INTRA, TYPES_P, TYPES_GPB, TYPES_B };
enum { HEADERS_ESCAPED, HEADERS_ALIGNED, HEADERS_UNALIGNED, HEADERS_NONE };
enum { CONTENT_MOVING, CONTENT_NOISE, CONTENT_FLAT, CONTENT_HARSH };

/// A seeded generator of numbers (SplitMix64).
typedef struct {
    uint64_t state;
} random_numbers;

uint32_t random_below(random_numbers *numbers, uint32_t bound);

/// Everything about a stream; the names are those of the syntax where it has one.
typedef struct {
    int width, height, coded_width, coded_height, bit_depth;  // luma samples; the decoder crops to width x height
    int log2_ctb, log2_min_cb, log2_min_tb, log2_max_tb, depth_intra, depth_inter;
    int init_qp, slice_qp_delta, rate_control_qp, cu_qp_delta, diff_cu_qp_delta_depth;
    int cb_offset, cr_offset, slice_cb_offset, slice_cr_offset;
    int sao, sao_luma, sao_chroma, amp, temporal, strong, transform_skip;
    int filter_disabled, beta_offset, tc_offset, pps_across, slice_across;
    int types, references, active[2], modify_lists, mvd_l1_zero, cabac_init, merge_candidates, merge_level;
    int slices, frames, headers, content;
    random_numbers numbers;  // for what is drawn per picture
} hevc_scenario;

hevc_scenario hevc_scenario_create(uint64_t seed);

/// A frame at its place in coding order.
typedef struct {
    int order;       // PicOrderCnt, also its place in output order
    bool idr, kept;  // kept: later frames may refer to it
    int type;        // slice_type
} hevc_frame;

/// Fills `frames` in coding order; returns their number.
int hevc_scenario_frames(const hevc_scenario *scenario, hevc_frame *frames);

/// The pictures a frame may refer to, and its lists as indices into them.
typedef struct {
    int orders[MAX_REFERENCES], count;
    int lists[2][15], counts[2];
    bool modified[2];
    bool temporal, from_list0;  // whether vectors are predicted from another picture, and from which list it is
    int collocated;             // its place there
} hevc_references;

/// Draws the lists of a frame: initial ones, or permuted ones.
void hevc_references_draw(hevc_scenario *scenario, const hevc_frame *frame, hevc_references *references);

/// Bits without emulation prevention.
typedef struct {
    uint8_t bytes[512];
    size_t bits;
} raw_bits;

void raw_u(raw_bits *bits, unsigned count, uint32_t value);
void raw_ue(raw_bits *bits, uint32_t value);
void raw_se(raw_bits *bits, int32_t value);
void raw_trailing(raw_bits *bits);

/// VPS, SPS and PPS, each a NAL unit with its start code.
void hevc_write_parameter_sets(const hevc_scenario *scenario, raw_bits units[3]);
/// A slice header with its start code, without byte_alignment().
void hevc_write_slice_header(const hevc_scenario *scenario, const hevc_frame *frame,
    const hevc_references *references, int address, raw_bits *bits);

/// Applies the change of this name to what the last slice of a picture is encoded from; false if there is none.
bool hevc_change(const char *name, VAEncSequenceParameterBufferHEVC *sequence,
    VAEncPictureParameterBufferHEVC *picture, VAEncSliceParameterBufferHEVC *slice);

/// Samples of frame `order` of the scenario's content, in NV12 or P010.
void scenario_picture(const hevc_scenario *scenario, uint64_t seed, int order, sv_picture *picture);

#endif
