// SPDX-License-Identifier: MIT

#if os(Linux)
    // Who imports CoreVideo has CoreFoundation, as on Apple's systems.
    @_exported public import EKCoreFoundation
#endif
