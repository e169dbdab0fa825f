// SPDX-License-Identifier: MIT
#include "peers.h"

#include <libswscale/swscale.h>
#include <libyuv/convert_from_argb.h>
#include <libyuv/scale.h>
#include <string.h>

static enum AVPixelFormat sws_format(peer_format format) {
    return format == peer_bgra ? AV_PIX_FMT_BGRA : format == peer_i420 ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_NV12;
}

peer_swscale *peer_swscale_open(const peer_picture *from, const peer_picture *to, const char *filter) {
    int flags = strcmp(filter, "fast") == 0 ? SWS_FAST_BILINEAR : strcmp(filter, "area") == 0 ? SWS_AREA : SWS_BILINEAR;
    struct SwsContext *context = sws_getContext(
        from->width, from->height, sws_format(from->format), to->width, to->height, sws_format(to->format), flags, NULL,
        NULL, NULL);
    if (context && from->format == peer_bgra) {
        const int *coefficients = sws_getCoefficients(SWS_CS_ITU709);
        sws_setColorspaceDetails(context, coefficients, 1, coefficients, 0, 0, 1 << 16, 1 << 16);
    }
    return (peer_swscale *)context;
}

void peer_swscale_run(peer_swscale *scaler, const peer_picture *from, const peer_picture *to) {
    const uint8_t *sources[4] = {from->planes[0], from->planes[1], from->planes[2], NULL};
    int source_strides[4] = {from->strides[0], from->strides[1], from->strides[2], 0};
    uint8_t *targets[4] = {to->planes[0], to->planes[1], to->planes[2], NULL};
    int target_strides[4] = {to->strides[0], to->strides[1], to->strides[2], 0};
    sws_scale((struct SwsContext *)scaler, sources, source_strides, 0, from->height, targets, target_strides);
}

void peer_swscale_close(peer_swscale *scaler) { sws_freeContext((struct SwsContext *)scaler); }

void peer_libyuv_run(const peer_picture *from, const peer_picture *to) {
    if (from->format == peer_bgra)
        ARGBToNV12(from->planes[0], from->strides[0], to->planes[0], to->strides[0], to->planes[1], to->strides[1],
                   from->width, from->height);
    else if (from->format == peer_i420)
        I420Scale(from->planes[0], from->strides[0], from->planes[1], from->strides[1], from->planes[2],
                  from->strides[2], from->width, from->height, to->planes[0], to->strides[0], to->planes[1],
                  to->strides[1], to->planes[2], to->strides[2], to->width, to->height, kFilterBox);
    else
        NV12Scale(from->planes[0], from->strides[0], from->planes[1], from->strides[1], from->width, from->height,
                  to->planes[0], to->strides[0], to->planes[1], to->strides[1], to->width, to->height, kFilterBox);
}
