// SPDX-License-Identifier: MIT
// Motion vector prediction where every partition is a whole macroblock, 8.4.1.
#include "softva_h264.h"

/// Reference and vector of a neighbour in a list; reference -1 and vector 0 where it has none.
typedef struct {
    int reference;
    sv_vector vector;
} motion;

static motion motion_of(const sv_h264_mb *mb, int list) {
    if (!mb || sv_h264_is_intra(mb) || mb->reference[list] < 0) return (motion){.reference = -1};
    return (motion){mb->reference[list], mb->vector[list]};
}

static int16_t median(int a, int b, int c) { return (int16_t)sv_max(sv_min(a, b), sv_min(sv_max(a, b), c)); }

sv_vector sv_h264_predict_vector(const sv_h264_slice *slice, int list, int reference) {
    const sv_h264_mb *corner = slice->top_right ? slice->top_right : slice->top_left;
    motion a = motion_of(slice->left, list), b = motion_of(slice->top, list), c = motion_of(corner, list);
    if (!slice->top && !corner && slice->left) b = c = a;
    bool from_a = a.reference == reference, from_b = b.reference == reference, from_c = c.reference == reference;
    if (from_a + from_b + from_c == 1) return from_a ? a.vector : from_b ? b.vector : c.vector;
    return (sv_vector){
        median(a.vector.x, b.vector.x, c.vector.x), median(a.vector.y, b.vector.y, c.vector.y)};
}

sv_vector sv_h264_skip_vector(const sv_h264_slice *slice) {
    static const sv_vector zero;
    if (!slice->left || !slice->top) return zero;
    motion a = motion_of(slice->left, 0), b = motion_of(slice->top, 0);
    if (a.reference == 0 && sv_vector_equal(a.vector, zero)) return zero;
    if (b.reference == 0 && sv_vector_equal(b.vector, zero)) return zero;
    return sv_h264_predict_vector(slice, 0, 0);
}
