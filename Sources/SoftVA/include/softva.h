// SPDX-License-Identifier: MIT
// softva is a VA-API driver that encodes on the CPU, for tests. Every function here may be called from any thread, and
// may be found by dlsym(); what they set and count belongs to the process.
#ifndef SOFTVA_H
#define SOFTVA_H

#include <stddef.h>
#include <va/va.h>
#include <va/va_backend.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOFTVA_EXPORT __attribute__((visibility("default")))

/// The entry points libva looks for; any 1.x libva takes the first.
SOFTVA_EXPORT VAStatus __vaDriverInit_1_0(VADriverContextP context);
#define SOFTVA_INIT_JOIN(minor) __vaDriverInit_1_##minor
#define SOFTVA_INIT(minor) SOFTVA_INIT_JOIN(minor)
SOFTVA_EXPORT VAStatus SOFTVA_INIT(VA_MINOR_VERSION)(VADriverContextP context);

/// Opens a display on softva in this process, with no server, device or search path; use it with every va...() function
/// but vaInitialize() and vaTerminate(). NULL: out of memory, or an unknown personality or fault.
SOFTVA_EXPORT VADisplay softva_display_open(void);
/// Closes what softva_display_open() returned: what vaTerminate() does for other displays.
SOFTVA_EXPORT void softva_display_close(VADisplay display);

/// Chooses the driver that displays opened from now on imitate; NULL: what SOFTVA_PERSONALITY says, else "strict".
/// Returns 0, or -1 for a name that is not known.
SOFTVA_EXPORT int softva_set_personality(const char *name);

/// Replaces the faults to inject, and starts their counts again; NULL: none. The README has the grammar. Returns 0, or
/// -1 for what the grammar does not know.
SOFTVA_EXPORT int softva_set_fault(const char *faults);

/// What was counted, for all displays together, since the start or the last softva_reset().
typedef enum {
    SOFTVA_VIOLATIONS,  // parameters or headers that are wrong or disagree
    SOFTVA_MISUSES,     // calls that break the API's contract, such as reading before a sync
    SOFTVA_LEAKS,       // objects that were alive when their display was closed
    SOFTVA_PICTURES,    // pictures encoded, or whose encoding failed
    SOFTVA_FAULTS,      // times that a fault struck
    SOFTVA_OBJECTS,     // objects that are alive now, whenever they were made
} softva_count_kind;
SOFTVA_EXPORT size_t softva_count(softva_count_kind kind);

/// Copies the report into `text`, at most `capacity` bytes with the final zero: a line for each violation
/// ("violation seq.level_idc: ..."), misuse, leak and fault, with how often it came in brackets. Lines that differ only
/// in their numbers are one line, but for faults, with the numbers of the first; behind 256 lines one more counts all
/// others. Returns the length of the whole.
SOFTVA_EXPORT size_t softva_report(char *text, size_t capacity);

/// Forgets what was counted.
SOFTVA_EXPORT void softva_reset(void);

#ifdef __cplusplus
}
#endif
#endif
