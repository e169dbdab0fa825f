// SPDX-License-Identifier: MIT
// What the readers of both codecs' headers share.
#ifndef SOFTVA_NAL_H
#define SOFTVA_NAL_H

#include "softva_reader.h"
#include "softva_report.h"
#include "softva_work.h"

/// What H.264's parameter sets said, beyond what was compared at once.
typedef struct {
    bool seen_sequence, seen_picture;
    unsigned constraints, level, id, log2_frame_num, poc_type, log2_poc_lsb, references, width, height, direct_8x8, profile;
    unsigned cropping, crop[4], vui, aspect, aspect_idc, sar[2], timing, tick, scale;
    unsigned restriction, log2_mv[2];
    unsigned pps_id, pps_sps_id, cabac, bottom_order, references_active[2], weighted, bipred, deblocking_control;
    unsigned constrained, redundant, transform_8x8;
    int init_qp, chroma_offset[2];
} sv_h264_sets;

/// A short-term reference picture set: picture order counts relative to the picture.
typedef struct {
    int count, delta[16];
    bool used[16];
} sv_hevc_set;

/// What HEVC's parameter sets said, beyond what was compared at once.
typedef struct {
    bool seen_sequence, seen_picture;
    uint64_t vps_buffering;
    unsigned profile, tier, level, id, width, height, crop[4], depth[2], log2_poc_lsb;
    unsigned min_coding, diff_coding, min_transform, diff_transform, depth_inter, depth_intra;
    unsigned amp, sao, temporal, strong, long_term, long_term_count, set_count;
    sv_hevc_set sets[64];
    unsigned vui, timing, tick, scale;
    unsigned pps_id, pps_sps_id, output_flag, extra_bits, cabac_init, references_active[2], transform_skip;
    unsigned cu_qp_delta, qp_depth, slice_chroma, across_slices, override, disabled, modification, merge_level, extension;
    int init_qp, chroma_offset[2], beta, tc;
} sv_hevc_sets;

struct sv_header_state {
    union {
        sv_h264_sets h264;
        sv_hevc_sets hevc;
    };
};

/// Reports a violation if the header and the structure differ; `field` names the structure's.
static inline void sv_expect(const char *field, int64_t header, int64_t structure) {
    if (header == structure) return;
    sv_violation(field, "the header says %lld, the structure %lld", (long long)header, (long long)structure);
}

/// Checks that a value without a place in the structures is the only one that is coded.
static inline void sv_expect_only(const char *syntax, int64_t header, int64_t only) {
    if (header != only) sv_violation(syntax, "%lld, only %lld is coded", (long long)header, (long long)only);
}

/// Checks that rbsp_trailing_bits() follow, up to the end.
void sv_expect_trailing(sv_reader *reader, const char *unit);

/// The part of vui_parameters() that both codecs begin with.
typedef struct {
    unsigned aspect, aspect_idc, sar[2];
} sv_vui_start;
sv_vui_start sv_read_vui_start(sv_reader *reader);

/// Each reads one NAL unit that is no slice, from behind its start code; false: not a unit that may stand here.
bool sv_h264_read_unit(sv_work *work, sv_reader *reader);
bool sv_hevc_read_unit(sv_work *work, sv_reader *reader);
/// Each compares what the parameter sets say with the picture's structures.
void sv_h264_compare_sets(sv_work *work);
void sv_hevc_compare_sets(sv_work *work);
/// Reports optional syntax of slice headers that the parameter sets announce and the driver does not write.
void sv_hevc_expect_plain_sets(const sv_hevc_sets *sets);
/// Each compares a packed slice header, from behind its start code, with the structures.
void sv_h264_compare_slice(sv_work *work, int index, sv_reader *reader);
void sv_hevc_compare_slice(sv_work *work, int index, sv_reader *reader);

bool sv_hevc_read_set(sv_reader *reader, const sv_hevc_sets *sets, unsigned index, unsigned count, sv_hevc_set *set);

#endif
