// SPDX-License-Identifier: MIT
// Encodes random streams, or a clip, with the H.264 coder of softva.
#ifndef H264_RUN_H
#define H264_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What an application can get wrong: its packed headers and its structures say different things.
typedef enum {
    H264_NO_FAULT,
    H264_FAULT_REFERENCE,
    H264_FAULT_REFERENCE_COUNT,
    H264_FAULT_SLICE_TYPE,
    H264_FAULT_SLICE_QP,
    H264_FAULT_CABAC_INIT,
    H264_FAULT_DEBLOCKING,
    H264_FAULT_DEBLOCKING_OFFSET,
    H264_FAULT_ENTROPY_CODING,
    H264_FAULT_CHROMA_QP,
    H264_FAULT_CONSTRAINED_INTRA,
    H264_FAULT_TRANSFORM_SIZE,
    H264_FAULT_FRAME_NUM,
    H264_FAULT_ORDER_COUNT,
    H264_FAULT_UNWRITTEN,  // the first entry of list 0 names a surface that holds nothing
    H264_ASK_422,          // what the coder does not have, from here on
    H264_ASK_10_BITS,
    H264_ASK_FIELDS,
    H264_ASK_WEIGHTS,
    H264_ASK_SCALING_MATRIX,
} h264_fault;

/// What a stream has to decode to.
typedef struct {
    uint8_t *stream, *reconstruction;  // malloc'ed; the reconstruction is I420 in output order, cropped
    size_t stream_size, reconstruction_size;
    int frames, violations, status;
    /// Without what openh264 2.3.1 decodes otherwise than the standard says: B slices, pictures out of order, an offset
    /// of the chroma QP next to I_PCM, slices of one picture with different lists, lists that name a picture twice.
    bool is_plain;
    size_t later_bytes;                // of all pictures but the first
    double lowest_psnr, milliseconds;  // luma in dB; CPU time for each picture
    char field[64];                    // the first one that the coder found fault with
    char description[256];
} h264_result;

/// Encodes the stream of `seed`, with a fault in it or none.
h264_result h264_run(uint64_t seed, h264_fault fault);
/// Encodes a file of NV12 pictures at QP 28 after a first IDR picture as intra ('I'), as P ('P'), or as one P and two B
/// before it in turn ('B', with `cabac`).
h264_result h264_run_clip(const char *path, int width, int height, int frames, char gop, bool cabac);
void h264_result_free(h264_result *result);

/// Hands the coder one picture with random structures and random packed headers, but for the sizes that the driver
/// around it checks. Returns the coder's status; -1 if it wrote beyond its output.
int h264_run_hostile(uint64_t seed);

#endif
