// SPDX-License-Identifier: MIT

#if os(Linux)
    public import Foundation
    public import EKCoreFoundation
    public import EKCoreMedia

    /// Where passes would keep what they found; none can be made.
    public final class VTMultiPassStorage {
        private init() {}
    }

    /// What a pass would be.
    public struct VTCompressionSessionOptionFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Takes bits as they are.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The last one.
        public static let beginFinalPass = VTCompressionSessionOptionFlags(rawValue: 1)
    }

    /// Refused with -12900: sessions here encode once.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - fileURL: Ignored.
    ///   - timeRange: Ignored.
    ///   - options: Ignored.
    ///   - multiPassStorageOut: Takes nil.
    /// - Returns: -12900.
    @discardableResult
    public func VTMultiPassStorageCreate(
        allocator: CFAllocator?, fileURL: CFURL?, timeRange: CMTimeRange, options: CFDictionary?,
        multiPassStorageOut: UnsafeMutablePointer<VTMultiPassStorage?>
    ) -> OSStatus {
        multiPassStorageOut.pointee = nil
        return kVTPropertyNotSupportedErr
    }

    /// Refused with -12900; there is no storage to close.
    ///
    /// - Parameter multiPassStorage: Cannot be.
    /// - Returns: -12900.
    @discardableResult
    public func VTMultiPassStorageClose(_ multiPassStorage: VTMultiPassStorage) -> OSStatus {
        kVTPropertyNotSupportedErr
    }

    /// Refused with -12900: sessions here encode once.
    ///
    /// - Parameters:
    ///   - session: Not changed.
    ///   - beginPassFlags: Ignored.
    ///   - reserved: Ignored.
    /// - Returns: -12900.
    @discardableResult
    public func VTCompressionSessionBeginPass(
        _ session: VTCompressionSession, flags beginPassFlags: VTCompressionSessionOptionFlags,
        _ reserved: UnsafeMutablePointer<UInt32>?
    ) -> OSStatus { kVTPropertyNotSupportedErr }

    /// Refused with -12900: sessions here encode once.
    ///
    /// - Parameters:
    ///   - session: Not changed.
    ///   - furtherPassesRequestedOut: Takes false.
    ///   - reserved: Ignored.
    /// - Returns: -12900.
    @discardableResult
    public func VTCompressionSessionEndPass(
        _ session: VTCompressionSession, furtherPassesRequestedOut: UnsafeMutablePointer<Bool>?,
        _ reserved: UnsafeMutablePointer<UInt32>?
    ) -> OSStatus {
        furtherPassesRequestedOut?.pointee = false
        return kVTPropertyNotSupportedErr
    }

    /// Refused with -12900: sessions here encode once.
    ///
    /// - Parameters:
    ///   - session: Not changed.
    ///   - timeRangeCountOut: Takes 0.
    ///   - timeRangeArrayOut: Takes nil.
    /// - Returns: -12900.
    @discardableResult
    public func VTCompressionSessionGetTimeRangesForNextPass(
        _ session: VTCompressionSession, timeRangeCountOut: UnsafeMutablePointer<Int>,
        timeRangeArrayOut: UnsafeMutablePointer<UnsafePointer<CMTimeRange>?>
    ) -> OSStatus {
        (timeRangeCountOut.pointee, timeRangeArrayOut.pointee) = (0, nil)
        return kVTPropertyNotSupportedErr
    }

    /// Whether stereo is encoded: false.
    public func VTIsStereoMVHEVCEncodeSupported() -> Bool { false }
#endif
