// SPDX-License-Identifier: MIT

#if canImport(CoreFoundation)
    import CoreFoundation

    /// Whose CoreFoundation this target has: the toolchain's has other numbers of types.
    public var coreFoundation: String { CFArrayGetTypeID() == 19 ? "toolchain" : "other" }
#else
    /// There is none.
    public var coreFoundation: String { "none" }
#endif

#if canImport(VideoToolbox)
    /// Whether this target sees a VideoToolbox.
    public let seesVideoToolbox = true
#else
    /// Whether this target sees a VideoToolbox.
    public let seesVideoToolbox = false
#endif
