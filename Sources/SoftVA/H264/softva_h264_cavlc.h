// SPDX-License-Identifier: MIT
// The code tables of CAVLC.
#ifndef SOFTVA_H264_CAVLC_H
#define SOFTVA_H264_CAVLC_H

#include <stdint.h>

typedef struct {
    uint8_t length, bits;
} h264_code;

extern const h264_code h264_coeff_token[3][17][4];
extern const h264_code h264_coeff_token_dc[5][4];
extern const h264_code h264_total_zeros[15][16];
extern const h264_code h264_total_zeros_dc[3][4];
extern const h264_code h264_run_before[7][15];
extern const uint8_t h264_pattern_code[2][48];

#endif
