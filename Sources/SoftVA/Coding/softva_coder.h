// SPDX-License-Identifier: MIT
// What the driver's core hands to a coder, and what a coder hands back. A coder keeps no state between two calls.
#ifndef SOFTVA_CODER_H
#define SOFTVA_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <va/va.h>
#include <va/va_enc_h264.h>
#include <va/va_enc_hevc.h>

/// Both directions of a plane are allocated up to a multiple of this many luma samples, so that whole blocks fit.
#define SV_PLANE_ALIGNMENT 64

/// One picture in memory: NV12 at `bit_depth` 8, P010 at 10 (the value in the upper ten bits of a little-endian
/// word). Width and height are luma samples of the surface; pitches are bytes.
typedef struct {
    int width, height, bit_depth;
    uint8_t *luma, *chroma;
    size_t luma_pitch, chroma_pitch;
} sv_picture;

/// A packed header as the application gave it. `bits` counts from the first bit of `data`, start code and, if
/// `has_emulation`, emulation prevention bytes included. `type` is a VAEncPackedHeaderType.
typedef struct {
    const uint8_t *data;
    size_t bits;
    bool has_emulation;
    uint32_t type;
} sv_packed;

/// Motion of 16x16 luma samples of an HEVC picture, as later pictures predict theirs from it: a vector of each list in
/// quarter samples, and the difference of the picture's order count and that of the picture it points to.
typedef struct {
    int16_t vector[2][2];
    int32_t distance[2];
    bool used[2], long_term[2];
} sv_motion;

/// Finds the pixels of a surface. NULL: the surface is unknown or nothing has ever been written to it; the coder then
/// reports a violation that names the list entry, and predicts from mid-grey (1 << (bit_depth - 1) in all planes).
typedef struct sv_surfaces {
    const sv_picture *(*find)(void *context, VASurfaceID id);
    /// The motion of the picture that was last encoded to a surface, by rows; NULL: it has none.
    const sv_motion *(*find_motion)(void *context, VASurfaceID id);
    void *context;
} sv_surfaces;

/// Coded bytes. `bytes` belongs to the caller; at `capacity` writing stops and `overflow` is set.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
    bool overflow;
    bool large_slice;  // a slice of one block is larger than slices may be
} sv_output;

/// A slice, the packed units that go before it in the order rendered, and its packed slice header, whose `data` is
/// NULL if the coder has to write NAL unit and slice header from the structures. `params` is a
/// VAEncSliceParameterBufferH264 or VAEncSliceParameterBufferHEVC.
typedef struct {
    const void *params;
    const sv_packed *before;
    int before_count;
    sv_packed header;
} sv_slice;

/// A region of interest: where it is, luma samples, and what is added to the quantizers of blocks that it touches.
typedef struct {
    int x, y, width, height, delta;
} sv_region;

#define SV_MAX_REGIONS 32

/// What regions add to the quantizer of a square block; where they overlap the first counts.
static inline int sv_region_delta(const sv_region *regions, int count, int x, int y, int size) {
    for (int i = 0; i < count; i++) {
        const sv_region *region = &regions[i];
        bool across = x < region->x + region->width && region->x < x + size;
        if (across && y < region->y + region->height && region->y < y + size) return region->delta;
    }
    return 0;
}

/// One picture to encode.
///
/// - `sequence`, `picture`: VAEncSequenceParameterBuffer... and VAEncPictureParameterBuffer... of the codec.
/// - `input`, `reconstruction`: both cover the coded size; samples of `input` beyond the surface's own size repeat
///   its last column and row. The coder writes the deblocked picture to `reconstruction`.
/// - `qp`: the picture's QP chosen by rate control, reached through mb_qp_delta or cu_qp_delta so that the slice
///   headers stay true; -1: the structures' own QP.
/// - `regions`: the first `region_count` add to that QP, as far as 0...51, by mb_qp_delta, or by cu_qp_delta where the
///   picture has it.
/// - `max_slice_bytes`: H.264's slices with more, their start codes included, become several as far as macroblocks
///   allow; 0: none does.
/// - `fast`: vectors are of whole samples.
/// - `motion`: gets the picture's, (width + 15) / 16 in a row; NULL: nobody asks for it. HEVC.
/// - `order_bits`: the bits of HEVC's slice_pic_order_cnt_lsb in the application's packed SPS; 0 if it packed none.
/// - `violation`: notes what the structures say wrong; `field` is the structure's field name, such as
///   "slice.RefPicList0[1]".
///
/// The core has checked the following, so that no structure can make a coder leave its memory: sizes are within the
/// surfaces and 16...SV_MAX_SIDE; slices are in order, do not overlap, and cover the picture (what does not is refused
/// before); `bit_depth` of all pictures found is that of the sequence, and their size is the coded size;
/// num_ref_idx_lX_active_minus1 is within 0...15 in H.264 and 0...14 in HEVC; log2 sizes are within the ranges of the
/// standard.
typedef struct {
    const void *sequence, *picture;
    const sv_slice *slices;
    int slice_count;
    sv_surfaces surfaces;
    const sv_picture *input;
    sv_picture *reconstruction;
    sv_motion *motion;
    const sv_region *regions;
    int qp, order_bits, region_count;
    size_t max_slice_bytes;
    bool fast;
    void (*violation)(void *context, const char *field, const char *message);
    void *violation_context;
} sv_job;

#define SV_MAX_SIDE 4096

/// collocated_ref_idx: where an HEVC slice's list has the picture that vectors are predicted from, -1 if it has not.
static inline int sv_collocated_place(
    const VAEncPictureParameterBufferHEVC *picture, const VAEncSliceParameterBufferHEVC *slice) {
    if (picture->collocated_ref_pic_index > 14) return -1;
    VASurfaceID id = picture->reference_frames[picture->collocated_ref_pic_index].picture_id;
    bool second = slice->slice_type == 0 && !slice->slice_fields.bits.collocated_from_l0_flag;
    const VAPictureHEVC *list = second ? slice->ref_pic_list1 : slice->ref_pic_list0;
    int last = second ? slice->num_ref_idx_l1_active_minus1 : slice->num_ref_idx_l0_active_minus1;
    for (int i = 0; i <= last && i < 15; i++) {
        if (id != VA_INVALID_SURFACE && list[i].picture_id == id) return i;
    }
    return -1;
}

/// Each encodes one picture, slices and the packed units before them, to `out`. Returns 0 or a VAStatus; overflow of
/// `out` is not an error here, the core tells the application.
int softva_h264_encode(const sv_job *job, sv_output *out);
int softva_hevc_encode(const sv_job *job, sv_output *out);

#endif
