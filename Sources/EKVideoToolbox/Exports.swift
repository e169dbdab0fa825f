// SPDX-License-Identifier: MIT

#if os(Linux)
    // Who imports VideoToolbox has CoreMedia, as on Apple's systems.
    @_exported public import EKCoreMedia
#endif
