// SPDX-License-Identifier: MIT
// The drivers that softva imitates: what they advertise and how they behave.
#ifndef SOFTVA_PERSONALITY_H
#define SOFTVA_PERSONALITY_H

#include <stdbool.h>
#include <stdint.h>
#include <va/va.h>

/// What a driver says of one codec; `entrypoint` 0: it does not encode it. The words are attribute values.
typedef struct {
    VAEntrypoint entrypoint;
    uint32_t rate_control, packed_headers, references, slices, slice_structure, quality, roi, direction;
    uint32_t hevc_features, hevc_blocks;
    bool ten_bit;
} sv_caps;

typedef struct {
    const char *name, *vendor;
    sv_caps h264, hevc;
    int min_side, max_side;
    unsigned align_width, align_height;  // what surfaces are allocated to, luma samples
    bool strict;               // refuses at EndPicture what breaks a rule, and does not only count it
    bool poisoned_by_failure;  // after a failed EndPicture every later one of the context fails
    bool one_segment;          // a context has one segment structure, the next map of a coded buffer reuses it
    bool split_segments;       // two segments a picture
    bool render_says_buffer;   // RenderPicture fails with INVALID_BUFFER whatever the cause
    bool evicts;               // a surface missing from two pictures' references is forgotten
    bool wants_hrd;            // refuses an HRD without a buffer size
    bool limits_frames;        // takes VAEncMiscParameterTypeMaxFrameSize
    bool writes_headers;       // writes all headers itself, from the structures, and a delimiter before each picture
    bool leaves_unknown;       // takes miscellaneous parameters that it does not know, and leaves them alone
    bool refuses_flags;        // says FLAG_NOT_SUPPORTED to regions without differences, or to too many
    bool tells_no_quantizer;   // the status of a segment has no mean quantizer
    bool flags_overflow;       // a full coded buffer is flagged in the segment, the map succeeds
    bool derives;              // vaDeriveImage works
    bool deepest_deltas;       // HEVC's quantizer deltas have the smallest blocks as groups, or there are none
    uint64_t own_modifier;     // what an exported surface is said to be; its memory is rows whatever is said
    bool quality_bits;         // levels of quality are bits, the second and third a preset; 0 and none are for speed
    bool no_sync_buffer;       // vaSyncBuffer is not implemented
    bool no_deadlines;         // vaSyncBuffer knows no deadline but 0 and infinity, and a surface is rendering until it was
                               // synchronized
} sv_personality;

/// The personality of that name, NULL if there is none.
const sv_personality *sv_personality_named(const char *name);
/// The one that displays opened now take; NULL if SOFTVA_PERSONALITY names none that is known.
const sv_personality *sv_personality_current(void);

#endif
