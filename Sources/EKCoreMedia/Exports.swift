// SPDX-License-Identifier: MIT

#if os(Linux)
    // Who imports CoreMedia has CoreVideo, as on Apple's systems.
    @_exported public import EKCoreVideo
#endif
