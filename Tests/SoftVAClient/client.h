// SPDX-License-Identifier: MIT
// A small VA-API encoder client for tests of softva: it uses the public functions of libva and nothing of the driver's.
#ifndef CLIENT_H
#define CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <va/va.h>

#define MAX_PICTURES 8
#define MAX_STREAM (1 << 20)

typedef struct {
    bool hevc, ten_bit;
    int width, height;  // shown; the coded size is rounded up to 16
    int slices;
    bool b_pictures;    // else I and P
    bool gpb;           // P as B slices with two equal lists
    unsigned tree;      // log2 of HEVC's tree blocks
    bool single;        // one reference
    uint32_t max_slice_bytes;  // H.264: sent with each picture; 0: not sent
    bool no_deltas;     // HEVC's quantizers do not change inside pictures
    bool escaped;       // packed headers come with their emulation prevention bytes
    uint32_t rate_control, bits_per_second;
    uint32_t packed;    // packed headers to send, masked by what the driver takes
    bool optional_syntax;  // HEVC's PPS announces it for slice headers, even for those of the driver
    uint32_t far_set;   // abs_delta_rps_minus1 of a reference picture set of HEVC's SPS that nobody uses; 0: no sets
    VAProfile profile;
    int pictures;
    int qp;                 // of I and P slices; B slices have three more
    const uint8_t *frames;  // what to encode: planar, of eight bits, in display order; NULL: a texture that moves
} client_settings;

/// A picture of the plan: where it is shown, what it is and what it refers to, as places in coding order.
typedef struct {
    int shown;
    char type;
    int list0[2], count0, list1, kept[2], kept_count;
    bool reference;
    int frame_num;
} client_picture;

typedef struct client client;
struct client {
    client_settings settings;
    VADisplay display;
    VAConfigID config;
    VAContextID context;
    VAEntrypoint entrypoint;
    VASurfaceID inputs[MAX_PICTURES], reconstructions[MAX_PICTURES];
    VABufferID coded;
    int coded_width, coded_height;
    client_picture plan[MAX_PICTURES];
    int picture;  // the one being encoded, in coding order
    VABufferID buffers[64];
    int buffer_count;
    bool repeats_sequence;  // the structure comes with every picture; the packed headers do not
    /// Changes what is about to become a buffer.
    void (*change)(client *c, VABufferType type, void *data, unsigned size);
    void *change_context;
    int change_count;
    // What came of it.
    VAStatus status;      // of the first call that failed
    const char *failed;   // that call
    uint32_t segment_status;
    int segments;
    uint8_t *stream;
    size_t stream_size, picture_sizes[MAX_PICTURES];
    double seconds[MAX_PICTURES];  // the process's CPU time from vaBeginPicture() to the end of the sync
    uint8_t *shown[MAX_PICTURES];  // reconstructions, cropped, planar, in display order
};

client_settings client_defaults(bool hevc);
/// Opens a display, configuration, context, surfaces and a coded buffer. False: `status` and `failed` say why.
bool client_open(client *c, const client_settings *settings);
/// Encodes the next picture of the plan, and reads its bytes and its reconstruction.
bool client_encode(client *c);
/// Encodes the next picture of the plan, and reads its bytes alone.
bool client_code(client *c);
/// Begins the next picture and renders all of its parameters.
bool client_render(client *c);
/// Encodes the whole plan.
bool client_encode_all(client *c);
void client_close(client *c);
/// Bytes of a shown picture.
size_t client_picture_size(const client *c);

/// Adds a buffer to the picture being rendered.
bool client_add(client *c, VABufferType type, const void *data, unsigned size);
/// Adds a packed header of so many bits, which begins with a start code and is not escaped.
bool client_add_packed(client *c, uint32_t type, const uint8_t *data, unsigned bits);
/// Each renders all of a picture's parameters.
bool client_render_h264(client *c);
bool client_render_hevc(client *c);

/// Bits without emulation prevention.
typedef struct {
    uint8_t bytes[256];
    unsigned count;
} client_bits;
void put_u(client_bits *bits, unsigned count, uint32_t value);
void put_ue(client_bits *bits, uint32_t value);
void put_se(client_bits *bits, int32_t value);
void put_trailing(client_bits *bits);

/// Whether a stream decodes without a word and every frame equals what the client has as shown: by libavcodec, and by
/// libde265 or, without B pictures, openh264. On failure `why` says more.
bool client_matches(const client *c, char why[160]);

#endif
