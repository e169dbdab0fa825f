// SPDX-License-Identifier: MIT
// Faults to inject: which call fails, and how.
#ifndef SOFTVA_FAULT_H
#define SOFTVA_FAULT_H

#include <stdbool.h>
#include <va/va.h>

/// Where a fault strikes; the calls of each are counted from 1.
typedef enum {
    SV_AT_CREATE_CONFIG,
    SV_AT_CREATE_CONTEXT,
    SV_AT_CREATE_SURFACES,
    SV_AT_CREATE_BUFFER,
    SV_AT_BEGIN,
    SV_AT_RENDER,
    SV_AT_END,
    SV_AT_CODE,  // the encoding of a picture, after EndPicture has returned
    SV_AT_SYNC,
    SV_AT_MAP,
    SV_AT_DERIVE,
    SV_AT_CAPS,
    SV_AT_COUNT
} sv_fault_point;

typedef enum {
    SV_NO_FAULT,
    SV_STATUS,         // the call returns `status`
    SV_LOST,           // the device is gone: this and every later call fails
    SV_ABORT,          // the process aborts
    SV_POISON,         // this and every later picture of the context fails
    SV_SIZE_ZERO,      // the coded buffer holds nothing and says that the stream is bad
    SV_OVERFLOW,       // the coded buffer is too small
    SV_SPLIT,          // the coded bytes come in three segments, one of them empty
    SV_REORDER,        // the coded buffer says the status of the picture before
    SV_TILED,          // the derived image is not linear
    SV_LIE_CREATE,     // rate control is advertised and refused by CreateConfig
    SV_LIE_CODE,       // rate control is advertised and accepted, and every coded buffer stays empty
} sv_fault_action;

typedef struct {
    sv_fault_action action;
    VAStatus status;
    unsigned milliseconds;  // that the call takes longer
} sv_fault;

/// Counts a call at `point` and returns what strikes it: the first rule's action, and the delays of all. SV_AT_CAPS is
/// asked and not counted.
sv_fault sv_fault_at(sv_fault_point point);
/// Notes that what SV_AT_CAPS says has struck.
void sv_fault_note_lie(sv_fault_action lie);

/// Takes the faults from SOFTVA_FAULT unless softva_set_fault() has been called. False: the grammar does not know one,
/// and standard error says which.
bool sv_fault_read_environment(void);

#endif
