// SPDX-License-Identifier: MIT
#ifndef ENCODERKIT_CX265_SHIM_H
#define ENCODERKIT_CX265_SHIM_H

#include <stdint.h>
#include <x265.h>

// x265_api_get is a macro that pastes the build number onto the symbol; Swift imports no such macro.
static inline const x265_api *cx265_api_get(int bitDepth) {
    return x265_api_get(bitDepth);
}

#endif
