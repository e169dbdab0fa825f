// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreMedia

    /// Keeps the samples of an encoder's passes.
    @available(*, unavailable, message: "sessions here encode once, so that no samples are kept from pass to pass")
    public final class VTFrameSilo {}

    /// Makes a silo.
    @available(*, unavailable, message: "sessions here encode once, so that no samples are kept from pass to pass")
    public func VTFrameSiloCreate(
        allocator: CFAllocator?, fileURL: CFURL?, timeRange: CMTimeRange, options: CFDictionary?,
        frameSiloOut: UnsafeMutablePointer<VTFrameSilo?>
    ) -> OSStatus { kVTPropertyNotSupportedErr }

    /// Keeps a sample.
    @available(*, unavailable, message: "sessions here encode once, so that no samples are kept from pass to pass")
    public func VTFrameSiloAddSampleBuffer(_ silo: VTFrameSilo, sampleBuffer: CMSampleBuffer) -> OSStatus {
        kVTPropertyNotSupportedErr
    }
#endif
