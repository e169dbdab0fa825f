// SPDX-License-Identifier: MIT
#include "softva_rate.h"

#include <math.h>
#include <va/va.h>

#define MAX_QP 51

static double frame_rate(const sv_rate_settings *settings) {
    if (settings->rate_numerator == 0) return 30;
    return (double)settings->rate_numerator / (settings->rate_denominator ? settings->rate_denominator : 1);
}

static double target_rate(const sv_rate_settings *settings) {
    bool variable = settings->mode & (VA_RC_VBR | VA_RC_QVBR);
    uint32_t percentage = settings->target_percentage;
    double part = variable && percentage > 0 && percentage < 100 ? percentage / 100.0 : 1;
    return settings->bits_per_second * part;
}

static double buffer_size(const sv_rate_settings *settings) {
    return settings->buffer_size ? settings->buffer_size : settings->bits_per_second;
}

static bool has_rate(const sv_rate_settings *settings) {
    return (settings->mode & ~(uint32_t)(VA_RC_MB | VA_RC_CQP | VA_RC_ICQ)) != 0 && settings->bits_per_second > 0;
}

static int clamp_qp(const sv_rate_settings *settings, double qp) {
    int low = settings->min_qp >= 1 && settings->min_qp <= MAX_QP ? (int)settings->min_qp : 1;
    int high = settings->max_qp >= 1 && settings->max_qp <= MAX_QP ? (int)settings->max_qp : MAX_QP;
    if (settings->mode & VA_RC_QVBR && settings->quality >= 1 && settings->quality <= MAX_QP) {
        low = low > (int)settings->quality ? low : (int)settings->quality;
    }
    if (high < low) high = low;
    return qp < low ? low : qp > high ? high : (int)lround(qp);
}

/// Bits of a picture at `qp` halve with every six steps.
static double scale(int qp) { return exp2(-qp / 6.0); }

static void start(const sv_rate_settings *settings, sv_rate_state *state, double samples) {
    uint32_t rate = (uint32_t)target_rate(settings);
    if (!state->started) {
        double full = buffer_size(settings);
        state->fullness = settings->initial_fullness ? fmin(settings->initial_fullness, full) : full * 3 / 4;
        // A first guess, which the first picture corrects: half a bit a sample at QP 28.
        state->complexity[SV_INTRA] = samples * 0.5 / scale(28);
        state->complexity[SV_INTER] = state->complexity[SV_INTRA] / 5;
        state->complexity[SV_UNREFERENCED] = state->complexity[SV_INTRA] / 8;
        state->started = true;
    }
    if (state->rate != rate) state->debt = 0;
    state->rate = rate;
    state->fullness = fmin(state->fullness, buffer_size(settings));
}

int sv_rate_qp(const sv_rate_settings *settings, sv_rate_state *state, sv_rate_type type, double samples) {
    if (settings->mode & VA_RC_ICQ && settings->quality) return clamp_qp(settings, settings->quality);
    if (!has_rate(settings)) return -1;
    bool first = !state->started;
    start(settings, state, samples);
    if (first && settings->initial_qp >= 1) return clamp_qp(settings, settings->initial_qp);
    static const double weights[3] = {1, 0.6, 4};
    double even = target_rate(settings) / frame_rate(settings);
    double half_second = fmax(frame_rate(settings) / 2, 1);
    double wanted = even * weights[type] - state->debt / half_second;
    wanted = fmax(wanted, even / 8);
    wanted = fmin(wanted, fmax(state->fullness * 0.9, even / 8));
    return clamp_qp(settings, 6 * log2(state->complexity[type] / wanted));
}

bool sv_rate_retry(const sv_rate_settings *settings, const sv_rate_state *state, size_t bits, int *qp) {
    if (!has_rate(settings)) return false;
    double limit = state->fullness;
    if (settings->max_frame_size && settings->max_frame_size < limit) limit = settings->max_frame_size;
    if ((double)bits <= limit) return false;
    int next = clamp_qp(settings, *qp + 1 + 6 * log2((double)bits / fmax(limit, 1)));
    bool higher = next > *qp;
    *qp = next;
    return higher;
}

size_t sv_rate_spent(const sv_rate_settings *settings, sv_rate_state *state, sv_rate_type type, int qp, size_t bits,
                     bool *underflow) {
    *underflow = false;
    if (!has_rate(settings)) return 0;
    state->complexity[type] = (state->complexity[type] + (double)bits / scale(qp)) / 2;
    *underflow = (double)bits > state->fullness;
    state->fullness = fmax(state->fullness - (double)bits, 0) + settings->bits_per_second / frame_rate(settings);
    double over = state->fullness - buffer_size(settings);
    bool constant = settings->mode & VA_RC_CBR && !settings->no_stuffing;
    size_t filler = constant && over > 0 ? (size_t)over : 0;
    if (over > 0) state->fullness -= over;
    state->debt += (double)(bits + filler) - target_rate(settings) / frame_rate(settings);
    return filler;
}
