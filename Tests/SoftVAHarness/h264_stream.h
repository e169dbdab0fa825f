// SPDX-License-Identifier: MIT
// Random, valid H.264 streams through softva's coder, and what the files that make them share.
#ifndef H264_STREAM_H
#define H264_STREAM_H

#include <softva_bits.h>

#include "h264_run.h"

enum { SLICE_P, SLICE_B, SLICE_I };
enum { H264_SLICES = 4, H264_SURFACES = 20 };

/// What a seed decides for a whole stream.
typedef struct {
    int input_width, input_height;      // of the surfaces that hold the source
    int cropped_width, cropped_height;  // what a decoder shows
    int profile;                        // profile_idc: 66, 77 or 100
    int reference_frames, frame_count;
    bool uses_b, mixes_slices, packs_headers, reorders, uses_order_type_2;
    bool is_plain;                      // see h264_result
    int qp;                             // of all pictures; -1: random for each
    int most_slice_bytes;               // 0: slices are as large as they become
    int noise;                          // added to the source, 0...255
    const char *source;                 // an NV12 file in place of synthetic pictures, or NULL
    int gop;                            // 'I', 'P' or 'B' as in h264_run_clip(), 0: random
    h264_fault fault;
} h264_options;

h264_options h264_options_random(uint64_t seed);

/// A picture that the coder promises: I420 of the cropped size.
typedef struct {
    int period, order;  // IDR period and picture order count
    uint8_t *samples;
    size_t bytes;       // that the coded picture took
    double psnr;        // of luma
} h264_picture;

typedef struct {
    sv_picture picture;
    uint8_t *memory;
    bool is_used;  // a reference
    int frame_num, order;
} h264_surface;

/// A stream while it is being encoded.
typedef struct {
    h264_options options;
    uint64_t random;
    VAEncSequenceParameterBufferH264 sequence;
    VAEncPictureParameterBufferH264 picture;
    h264_surface surfaces[H264_SURFACES], input;
    int references[H264_SURFACES], reference_count;  // in decoding order
    int period, frame_num;
    int rotation;  // of all lists of a picture, if the stream is plain
    sv_output bytes;
    h264_picture *pictures;
    int count, violations;
    char field[64];  // of the first violation
    bool has_b;
    double seconds;  // spent in the coder
} h264_encoder;

/// Encodes the pictures; returns the coder's VAStatus.
int h264_encode_pictures(h264_encoder *encoder);

/// A generator that repeats with its seed.
static inline uint32_t h264_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}
static inline int h264_random_below(uint64_t *state, int limit) { return (int)(h264_random(state) % (uint32_t)limit); }

// h264_pictures.c
/// Allocates a surface with noise in it, also where no sample is.
void h264_surface_create(h264_surface *surface, int width, int height, uint64_t *random);
/// Fills the input with the picture shown at `time`.
void h264_draw(h264_encoder *encoder, int time);
/// Keeps what a decoder will show of a surface, and how far it is from the source.
void h264_promise(h264_encoder *encoder, const h264_surface *surface, int order, size_t bytes);

// h264_lists.c
VAPictureH264 h264_entry(const h264_encoder *encoder, int index);
/// The initial lists of a slice at `order`, 8.2.4.2.
void h264_initial_lists(const h264_encoder *encoder, int type, int order, VAPictureH264 lists[2][16]);
/// Gives the slice lists of its own.
void h264_fill_lists(h264_encoder *encoder, VAEncSliceParameterBufferH264 *slice, VAPictureH264 initial[2][16]);

// h264_faults.c
/// Makes a packed slice header's parameters say something else than the structures, if the fault is of that kind.
void h264_spoil_header(const h264_encoder *encoder, VAEncPictureParameterBufferH264 *picture,
    VAEncSliceParameterBufferH264 *slice);
/// Makes the structures say something else than the packed headers, or something that cannot be coded.
void h264_spoil_structures(const h264_encoder *encoder, VAEncSequenceParameterBufferH264 *sequence,
    VAEncPictureParameterBufferH264 *picture, VAEncSliceParameterBufferH264 *slice);

// h264_headers.c
void h264_write_parameter_sets(const VAEncSequenceParameterBufferH264 *sequence,
    const VAEncPictureParameterBufferH264 *picture, const h264_options *options, sv_bits *bits);
/// Writes a slice header. `initial` are the initial lists, against which the slice's own are written.
void h264_write_packed_slice_header(const VAEncSequenceParameterBufferH264 *sequence,
    const VAEncPictureParameterBufferH264 *picture, const VAEncSliceParameterBufferH264 *slice,
    VAPictureH264 initial[2][16], sv_bits *bits);

#endif
