// SPDX-License-Identifier: MIT

// Values that mean the same to an encoder and in the headers of its stream have one type, which users of a session need
// not import another module for.

@_exported public import struct ParameterSets.ColorDescription
@_exported public import struct ParameterSets.PixelAspectRatio
@_exported public import enum ParameterSets.VideoCodec
