// SPDX-License-Identifier: MIT
// The driver's objects. Functions that take a driver and an object or an id are called with `lock` held.
#ifndef SOFTVA_DRIVER_H
#define SOFTVA_DRIVER_H

#include <pthread.h>
#include <va/va_backend.h>

#include "softva_coder.h"
#include "softva_fault.h"
#include "softva_personality.h"
#include "softva_rate.h"
#include "softva_report.h"

typedef enum { SV_FREE, SV_CONFIG, SV_CONTEXT, SV_SURFACE, SV_BUFFER, SV_IMAGE, SV_KINDS } sv_kind;
typedef enum { SV_H264, SV_HEVC } sv_codec;

/// A place for an object; its id is kind, generation and index. Places are taken in turn, so that the id of a destroyed
/// object stays unknown until 2^28 others were made.
typedef struct {
    void *object;
    sv_kind kind;
    unsigned generation;
} sv_slot;

#define SV_MAX_SLOTS (1u << 14)

typedef struct sv_work sv_work;

typedef struct sv_driver {
    pthread_mutex_t lock;
    pthread_cond_t done;  // `completed` has grown
    pthread_cond_t more;  // there is work, or `stopping`
    pthread_t worker;
    bool stopping, lost;
    pid_t process;  // that opened the driver: the worker is a thread of it
    const sv_personality *personality;
    sv_slot *slots;  // SV_MAX_SLOTS of them
    unsigned next_slot, used_slots;  // `used_slots`: those behind were never taken
    int alive[SV_KINDS];             // objects of each kind
    unsigned char inside[SV_MAX_SLOTS];  // threads in Begin, Render or End, by the index in the context's id
    sv_work *first, *last;  // pictures to encode, in the order they were ended
    uint64_t submitted, completed;  // serial numbers of pictures: one worker completes them in order
    uint32_t seed;  // of what surfaces hold at first
    sv_fault_action struck;  // what struck the call last counted
} sv_driver;

typedef struct {
    VAProfile profile;
    VAEntrypoint entrypoint;
    sv_codec codec;
    uint32_t rt_format, rate_control, packed_headers;
    const sv_caps *caps;
} sv_config;

/// The last picture that reads or writes an object; its serial number is 0 if there was none.
typedef struct {
    uint64_t serial;
    VAContextID context;
} sv_use;

typedef struct {
    sv_picture picture;
    uint32_t fourcc;
    uint8_t *memory;  // the mapping that the planes are in
    size_t size, offsets[2];
    int file;         // of the memory, owned
    bool imported, written;
    bool reconstructed;  // a picture has been encoded to it, or is about to be
    int32_t poc;         // and this is its order count and, in H.264, its frame number
    uint32_t frame_num;
    bool used_for_reference;
    sv_motion *motion;   // of the picture that was encoded to it last, NULL before; the worker's
    sv_use use, writing;  // `writing`: the last picture that was reconstructed in it
    int mapped;       // derived images of it that are mapped
    int tiled;        // those of them that show tiles
} sv_surface;

/// What the coding of a picture leaves in its coded buffer.
typedef struct {
    size_t count;
    uint32_t status;
    VAStatus error;         // what the map of the buffer returns
    size_t ends[3];         // of the segments, `segment_count` of them
    unsigned segment_count;
} sv_coded;

typedef struct {
    VABufferType type;
    unsigned element_size, elements;
    uint8_t *data;
    VAContextID context;
    VASurfaceID derived;  // of a derived image's buffer: whose memory `data` is
    int mapped;
    bool tiled;       // mapping a derived image shows tiles
    sv_use use;  // of a coded buffer
    sv_coded coded;
    VACodedBufferSegment segments[3];
} sv_buffer;

typedef struct {
    VAImage image;
} sv_image;

/// One entry of a context's memory of reconstructions.
typedef struct {
    VASurfaceID id;
    int missing;  // pictures in a row that do not list it
} sv_kept;

typedef struct {
    const sv_config *config;
    sv_config config_copy;
    VAContextID id;
    int width, height;
    sv_work *building;  // between Begin and End
    bool poisoned, render_failed, has_sequence;
    union {
        VAEncSequenceParameterBufferH264 h264;
        VAEncSequenceParameterBufferHEVC hevc;
    } sequence;
    sv_rate_settings rate;
    bool fast;  // the quality level is one of the faster half
    sv_rate_state rate_state;  // the worker's
    struct sv_header_state *headers;  // see softva_headers.h
    sv_kept kept[32];
    VACodedBufferSegment shared_segment;
    VABufferID segment_owner;
    uint64_t serial, synced;  // of the last picture, and of the last that the application knows to be complete
    uint32_t last_status;  // the segment status of the picture before, for SV_REORDER
    unsigned idr_count;
    int coded_width, coded_height;    // of the last picture
    uint32_t reference_frame_num;     // H.264's frame_num of the last reference picture
} sv_context;

/// Adds an object and gives its id; false: out of memory, `object` is the caller's still.
bool sv_object_add(sv_driver *driver, sv_kind kind, void *object, VAGenericID *id);
/// The object, or NULL: unknown. The use of a destroyed object's id is counted as a misuse.
void *sv_object(sv_driver *driver, sv_kind kind, VAGenericID id);
/// Takes the object out; the caller frees it.
void *sv_object_remove(sv_driver *driver, sv_kind kind, VAGenericID id);
/// The id of the object in a place, VA_INVALID_ID if none is there.
VAGenericID sv_object_id(const sv_driver *driver, unsigned place);
/// Whether a list can be read that the application says has `count` ids of objects of one kind: there is a list, and
/// there are so many objects. A list that cannot is counted as a misuse of `call`.
bool sv_can_list(const sv_driver *driver, sv_kind kind, const VAGenericID *ids, int count, const char *call);
/// Whether a list of attributes can be read, of which no caller has more than SV_MAX_ATTRIBUTES.
bool sv_can_list_attributes(const void *list, int64_t count, const char *call);
#define SV_MAX_ATTRIBUTES 64
/// Whether this is a child of the process that opened the driver. Counted as a misuse.
bool sv_is_inherited(const sv_driver *driver);

/// Like sv_object(), for what the application has not named: nothing is counted.
void *sv_object_if_alive(const sv_driver *driver, sv_kind kind, VAGenericID id);
/// Whether the application does not know yet that the picture is complete. With a lost device nothing is in flight.
bool sv_in_flight(const sv_driver *driver, sv_use use);
/// Notes that the application knows it.
void sv_note_synced(sv_driver *driver, sv_use use);
/// Waits until the picture is complete; `timeout` in nanoseconds, VA_TIMEOUT_INFINITE for ever. It lets the lock go, so
/// that objects found before may be gone after it.
VAStatus sv_wait(sv_driver *driver, uint64_t serial, uint64_t timeout);
/// Counts a call at `point` and carries out delays and losses; what it returns, if not 0, the call returns. It lets the
/// lock go, and is called before any object is looked for.
VAStatus sv_strike(sv_driver *driver, sv_fault_point point);

void sv_sleep(unsigned milliseconds);

/// Whether the driver was built with a coder for `codec`.
bool sv_codec_is_linked(sv_codec codec);
bool sv_worker_start(sv_driver *driver);
void sv_worker_stop(sv_driver *driver);

#endif
