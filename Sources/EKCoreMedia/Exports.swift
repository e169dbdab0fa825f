// SPDX-License-Identifier: MIT

#if os(Linux)
    // Who imports CoreMedia has CoreVideo and Foundation, as on Apple's systems.
    @_exported public import EKCoreVideo
    @_exported public import Foundation
#endif
