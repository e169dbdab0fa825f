// SPDX-License-Identifier: MIT

#if os(Linux)
    @_exported public import EKCoreFoundation
#endif
