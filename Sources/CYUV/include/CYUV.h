// SPDX-License-Identifier: MIT
// libyuv, opened when it is first asked for: its headers are needed to build, the library itself only to transfer.
#ifndef ENCODERKIT_CYUV_H
#define ENCODERKIT_CYUV_H

#include <libyuv/convert.h>
#include <libyuv/convert_argb.h>
#include <libyuv/planar_functions.h>
#include <libyuv/rotate.h>
#include <libyuv/rotate_argb.h>
#include <libyuv/scale.h>
#include <stddef.h>

/// The functions used here.
#define CYUV_FUNCTIONS(X) \
    X(ARGBRotate)         \
    X(CopyPlane)          \
    X(InterpolatePlane)   \
    X(MergeUVPlane)       \
    X(RAWToARGB)          \
    X(RotatePlane)        \
    X(ScalePlane)         \
    X(ScalePlane_16)      \
    X(SplitRGBPlane)      \
    X(SplitUVPlane)       \
    X(UYVYToI420)         \
    X(YUY2ToI420)

/// The functions of libyuv that `cyuv_load` found.
typedef struct CYUV {
#define CYUV_MEMBER(name) __typeof__(name) *_Nonnull name;
    CYUV_FUNCTIONS(CYUV_MEMBER)
#undef CYUV_MEMBER
} CYUV;

/// Loads the library on the first call; later calls, on any thread, return what the first one found.
///
/// Returns NULL when the library or one of the functions is missing; `reason`, of `size` bytes, then says which, and
/// which Debian package has it.
const CYUV *_Nullable cyuv_load(char *_Nonnull reason, size_t size);

#endif
