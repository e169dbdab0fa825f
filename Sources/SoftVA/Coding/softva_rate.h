// SPDX-License-Identifier: MIT
// Rate control: chooses a picture's QP so that a virtual buffer neither runs dry nor over.
#ifndef SOFTVA_RATE_H
#define SOFTVA_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the application asked for; all rates in bits a second, all sizes in bits; 0: not said.
typedef struct {
    uint32_t mode;  // VA_RC_...
    uint32_t bits_per_second, target_percentage;
    uint32_t initial_qp, min_qp, max_qp, quality;
    bool no_stuffing;
    uint32_t buffer_size, initial_fullness;
    uint32_t rate_numerator, rate_denominator;
    uint32_t max_frame_size;
} sv_rate_settings;

typedef enum { SV_INTER, SV_UNREFERENCED, SV_INTRA } sv_rate_type;

typedef struct {
    bool started;
    double fullness;       // bits that a decoder's buffer holds
    double debt;           // bits spent beyond the target so far
    double complexity[3];  // bits of a picture of the type at QP 0
    uint32_t rate;         // that `debt` counts from
} sv_rate_state;

/// The QP to code a picture of so many luma samples with; -1: that of the structures.
int sv_rate_qp(const sv_rate_settings *settings, sv_rate_state *state, sv_rate_type type, double samples);

/// Whether a picture of `bits` at `qp` is too big for the buffer or for its largest size; if so `*qp` is the next to
/// try.
bool sv_rate_retry(const sv_rate_settings *settings, const sv_rate_state *state, size_t bits, int *qp);

/// Takes in a picture that was coded. Returns the bits of filler that CBR needs behind it; `*underflow`: the buffer ran
/// dry.
size_t sv_rate_spent(const sv_rate_settings *settings, sv_rate_state *state, sv_rate_type type, int qp, size_t bits,
                     bool *underflow);

#endif
