// SPDX-License-Identifier: MIT

#if os(Linux)
    @_exported public import CoreVideo
    @_exported public import EKCoreMedia
#endif
