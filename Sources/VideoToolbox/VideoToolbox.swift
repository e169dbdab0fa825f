// SPDX-License-Identifier: MIT

#if os(Linux)
    @_exported public import CoreMedia
    @_exported public import EKVideoToolbox
#endif
