// SPDX-License-Identifier: MIT
// The code tables of CAVLC.
#ifndef SOFTVA_H264_CAVLC_H
#define SOFTVA_H264_CAVLC_H

#include <stdint.h>

typedef struct {
    uint8_t length, bits;
} sv_h264_code;

extern const sv_h264_code sv_h264_coeff_token[3][17][4];
extern const sv_h264_code sv_h264_coeff_token_dc[5][4];
extern const sv_h264_code sv_h264_total_zeros[15][16];
extern const sv_h264_code sv_h264_total_zeros_dc[3][4];
extern const sv_h264_code sv_h264_run_before[7][15];
extern const uint8_t sv_h264_pattern_code[2][48];

#endif
