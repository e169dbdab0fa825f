// SPDX-License-Identifier: MIT
// What libswscale and libyuv do with the same pictures, to be timed by the caller.
#pragma once
#include <stdint.h>

/// How the samples of a picture lie.
typedef enum { peer_bgra, peer_i420, peer_nv12 } peer_format;

/// A picture in memory of the caller's.
typedef struct {
    peer_format format;
    int width, height;
    uint8_t *planes[3];
    int strides[3];
} peer_picture;

/// A libswscale context on one thread.
typedef struct peer_swscale peer_swscale;

/// Opens one for pictures like these, BT.709 in limited range. `filter` is "fast" (SWS_FAST_BILINEAR: two samples each
/// way), "bilinear" or "area". NULL where there is none.
peer_swscale *peer_swscale_open(const peer_picture *from, const peer_picture *to, const char *filter);
void peer_swscale_run(peer_swscale *scaler, const peer_picture *from, const peer_picture *to);
void peer_swscale_close(peer_swscale *scaler);

/// I420Scale or NV12Scale with kFilterBox, or, of BGRA, ARGBToNV12, which knows BT.601 alone.
void peer_libyuv_run(const peer_picture *from, const peer_picture *to);
