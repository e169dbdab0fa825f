// SPDX-License-Identifier: MIT
#include "softva_personality.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <va/va_enc_hevc.h>

#include <softva.h>

#define REFERENCES(l0, l1) ((l1) << 16 | (l0))
#define ROI(count) ((count) | 1u << 9)  // with QP differences
#define ROWS (VA_ENC_SLICE_STRUCTURE_EQUAL_ROWS | VA_ENC_SLICE_STRUCTURE_ARBITRARY_ROWS)
#define EVEN_ROWS                                                                  \
    (VA_ENC_SLICE_STRUCTURE_POWER_OF_TWO_ROWS | VA_ENC_SLICE_STRUCTURE_EQUAL_ROWS | \
     VA_ENC_SLICE_STRUCTURE_EQUAL_MULTI_ROWS)
#define ANY_BLOCKS (VA_ENC_SLICE_STRUCTURE_ARBITRARY_MACROBLOCKS | ROWS)
#define ALL_PACKED 0x1f
// The kernel's I915_FORMAT_MOD_Y_TILED and I915_FORMAT_MOD_4_TILED.
#define Y_TILED (1ull << 56 | 2)
#define FOUR_TILED (1ull << 56 | 9)
#define BOTH (VA_PREDICTION_DIRECTION_PREVIOUS | VA_PREDICTION_DIRECTION_FUTURE)
#define GPB (BOTH | VA_PREDICTION_DIRECTION_BI_NOT_EMPTY)

// VAConfigAttribValEncHEVCFeatures: two bits a tool, only tools that the coder codes.
#define FEATURE(shift, value) ((uint32_t)(value) << (shift))
#define FEATURES(amp, temporal, transform_skip, cu_qp_delta)                                            \
    (FEATURE(4, amp) | FEATURE(6, VA_FEATURE_SUPPORTED) | FEATURE(10, temporal) | FEATURE(20, transform_skip) | \
     FEATURE(22, cu_qp_delta) | FEATURE(28, VA_FEATURE_SUPPORTED))
// VAConfigAttribValEncHEVCBlockSizes: log2 of the largest and smallest tree block, smallest coding block, transform
// blocks 4...32, and the largest and smallest hierarchy depth.
#define BLOCKS(max_tree, min_tree, min_coding, max_depth)                                                         \
    (((max_tree) - 3u) | ((min_tree) - 3u) << 2 | ((min_coding) - 3u) << 4 | 3u << 6 | 0u << 8 | (max_depth) << 10 | \
     0u << 12 | (max_depth) << 14 | 0u << 16)

// EncMaxRefFrames, rates and packed headers are those that the drivers advertise: Intel's media driver 23.1.1 and
// i965 2.4.1 were asked, radeonsi's source was read.
#define IHD_H264(entry, rates)                                                                                   \
    {entry, rates, ALL_PACKED, REFERENCES(3u, 0u), 256, ROWS | VA_ENC_SLICE_STRUCTURE_MAX_SLICE_SIZE, 7, ROI(16), \
     VA_PREDICTION_DIRECTION_PREVIOUS, 0, 0, false}
#define IHD_HEVC(entry, rates)                                                                               \
    {entry, rates, ALL_PACKED, REFERENCES(3u, 3u), 70,                                                        \
     ROWS | VA_ENC_SLICE_STRUCTURE_POWER_OF_TWO_ROWS | VA_ENC_SLICE_STRUCTURE_MAX_SLICE_SIZE, 7, ROI(16), GPB, \
     FEATURES(VA_FEATURE_REQUIRED, VA_FEATURE_SUPPORTED, VA_FEATURE_SUPPORTED, VA_FEATURE_REQUIRED),          \
     BLOCKS(6, 6, 3, 2u), true}
#define RADEON_RATES (VA_RC_CQP | VA_RC_CBR | VA_RC_VBR)
#define RADEON_FEATURES(quantizers) \
    FEATURES(VA_FEATURE_SUPPORTED, VA_FEATURE_NOT_SUPPORTED, VA_FEATURE_NOT_SUPPORTED, quantizers)

static const sv_personality personalities[] = {
    {
        .name = "strict",
        .vendor = "softva: strict",
        .h264 = {VAEntrypointEncSlice, VA_RC_CQP | VA_RC_CBR | VA_RC_VBR | VA_RC_ICQ | VA_RC_QVBR, ALL_PACKED,
                 REFERENCES(4u, 1u), 256, ANY_BLOCKS | VA_ENC_SLICE_STRUCTURE_MAX_SLICE_SIZE, 7, ROI(16), BOTH, 0, 0,
                 false},
        .hevc = {VAEntrypointEncSlice, VA_RC_CQP | VA_RC_CBR | VA_RC_VBR | VA_RC_ICQ | VA_RC_QVBR, ALL_PACKED,
                 REFERENCES(4u, 2u), 256, ANY_BLOCKS, 7, ROI(16), BOTH,
                 FEATURES(VA_FEATURE_SUPPORTED, VA_FEATURE_SUPPORTED, VA_FEATURE_SUPPORTED, VA_FEATURE_SUPPORTED),
                 BLOCKS(6, 4, 3, 3u), true},
        .min_side = 16,
        .max_side = 4096,
        .align_width = 16,
        .align_height = 16,
        .strict = true,
        .limits_frames = true,
        .derives = true,
    },
    {
        .name = "ihd-tgl",
        .vendor = "softva: as Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()",
        .h264 = IHD_H264(VAEntrypointEncSliceLP, 0x1496),
        .hevc = IHD_HEVC(VAEntrypointEncSliceLP, 0x149e),
        .min_side = 32,
        .max_side = 4096,
        .align_width = 64,
        .align_height = 32,
        .poisoned_by_failure = true,
        .limits_frames = true,
        .one_segment = true,
        .render_says_buffer = true,
        .derives = true,
        .deepest_deltas = true,
        .own_modifier = Y_TILED,
    },
    {
        .name = "ihd-kbl-nohuc",
        .vendor = "softva: as Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()",
        .h264 = IHD_H264(VAEntrypointEncSliceLP, VA_RC_CQP),
        .min_side = 32,
        .max_side = 4096,
        .align_width = 64,
        .align_height = 32,
        .poisoned_by_failure = true,
        .limits_frames = true,
        .one_segment = true,
        .render_says_buffer = true,
        .derives = true,
        .deepest_deltas = true,
        .own_modifier = Y_TILED,
    },
    {
        .name = "ihd-mtl",
        .vendor = "softva: as Intel iHD driver for Intel(R) Gen Graphics - 24.1.0 ()",
        .h264 = IHD_H264(VAEntrypointEncSlice, 0x1496),
        .hevc = IHD_HEVC(VAEntrypointEncSlice, 0x149e),
        .min_side = 32,
        .max_side = 4096,
        .align_width = 64,
        .align_height = 32,
        .poisoned_by_failure = true,
        .limits_frames = true,
        .one_segment = true,
        .render_says_buffer = true,
        .derives = true,
        .deepest_deltas = true,
        .own_modifier = FOUR_TILED,
    },
    {
        .name = "radeonsi-old",
        .vendor = "softva: as Mesa Gallium driver 22.3.6 for AMD Radeon Graphics",
        // As with chips from Renoir on. Packed headers came to H.264 later than to HEVC.
        .h264 = {VAEntrypointEncSlice, RADEON_RATES, 0, REFERENCES(1u, 0u), 128, EVEN_ROWS, 32, 0, 0, 0, 0, false},
        .hevc = {VAEntrypointEncSlice, RADEON_RATES, VA_ENC_PACKED_HEADER_SEQUENCE, REFERENCES(1u, 0u), 128, EVEN_ROWS,
                 32, 0, 0, RADEON_FEATURES(VA_FEATURE_NOT_SUPPORTED), BLOCKS(6, 6, 3, 3u), true},
        .min_side = 64,
        .max_side = 4096,
        .align_width = 64,
        .align_height = 16,
        .limits_frames = true,
        .leaves_unknown = true,
        .quality_bits = true,
        .tells_no_quantizer = true,
        .writes_headers = true,
        .derives = false,
        .no_deadlines = true,
    },
    {
        .name = "radeonsi-new",
        .vendor = "softva: as Mesa Gallium driver 24.2.0 for AMD Radeon Graphics (radeonsi)",
        .h264 = {VAEntrypointEncSlice, RADEON_RATES | VA_RC_QVBR, ALL_PACKED, REFERENCES(1u, 1u), 128, EVEN_ROWS, 32,
                 ROI(32), BOTH, 0, 0, false},
        .hevc = {VAEntrypointEncSlice, RADEON_RATES | VA_RC_QVBR, ALL_PACKED, REFERENCES(1u, 0u), 128, EVEN_ROWS, 32,
                 ROI(32), VA_PREDICTION_DIRECTION_PREVIOUS, RADEON_FEATURES(VA_FEATURE_SUPPORTED), BLOCKS(6, 6, 3, 3u),
                 true},
        .min_side = 64,
        .max_side = 4096,
        .align_width = 64,
        .align_height = 16,
        .split_segments = true,
        .evicts = true,
        .wants_hrd = true,
        .limits_frames = true,
        .leaves_unknown = true,
        .refuses_flags = true,
        .quality_bits = true,
        .tells_no_quantizer = true,
        .derives = true,
    },
    {
        .name = "i965",
        .vendor = "softva: as Intel i965 driver for Intel(R) Broadwell - 2.4.1",
        // The regions' word is what the driver's own uninitialised memory makes it.
        .h264 = {VAEntrypointEncSlice, 0x96, ALL_PACKED, REFERENCES(4u, 1u), 32, ANY_BLOCKS, 2, 0x80000208u, BOTH, 0, 0,
                 false},
        .min_side = 32,
        .max_side = 4096,
        .align_width = 128,
        .align_height = 32,
        .flags_overflow = true,
        .derives = true,
        .no_sync_buffer = true,
    },
};

static const sv_personality *chosen;  // NULL: the environment decides

const sv_personality *sv_personality_named(const char *name) {
    for (size_t i = 0; i < sizeof personalities / sizeof *personalities; i++) {
        if (strcmp(personalities[i].name, name) == 0) return &personalities[i];
    }
    return NULL;
}

int softva_set_personality(const char *name) {
    const sv_personality *found = name ? sv_personality_named(name) : NULL;
    if (name && !found) return -1;
    __atomic_store_n(&chosen, found, __ATOMIC_RELEASE);
    return 0;
}

const sv_personality *sv_personality_current(void) {
    const sv_personality *set = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);
    if (set) return set;
    const char *name = getenv("SOFTVA_PERSONALITY");
    const sv_personality *named = sv_personality_named(name && *name ? name : "strict");
    if (named) return named;
    fprintf(stderr, "softva: SOFTVA_PERSONALITY: \"%s\" is none of", name);
    for (size_t i = 0; i < sizeof personalities / sizeof *personalities; i++) fprintf(stderr, " %s", personalities[i].name);
    fprintf(stderr, "\n");
    return NULL;
}
