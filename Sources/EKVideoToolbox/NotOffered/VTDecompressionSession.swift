// SPDX-License-Identifier: MIT

#if os(Linux)
    public import Foundation
    public import EKCoreFoundation
    public import EKCoreMedia
    public import EKCoreVideo

    /// A decoder; none can be made, so that files with both directions compile.
    public final class VTDecompressionSession: Hashable {
        private init() {}

        /// Whether both are the same object.
        public static func == (left: VTDecompressionSession, right: VTDecompressionSession) -> Bool { left === right }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// What a decoder would tell of a frame.
    public struct VTDecodeInfoFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Takes bits as they are.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Decoded on another thread.
        public static let asynchronous = VTDecodeInfoFlags(rawValue: 1)
        /// Not decoded.
        public static let frameDropped = VTDecodeInfoFlags(rawValue: 2)
        /// The buffer may be written to.
        public static let imageBufferModifiable = VTDecodeInfoFlags(rawValue: 4)
    }

    /// How a decoder would decode a frame.
    public struct VTDecodeFrameFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Takes bits as they are.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// On another thread.
        public static let _EnableAsynchronousDecompression = VTDecodeFrameFlags(rawValue: 1)
        /// Without giving it out.
        public static let _DoNotOutputFrame = VTDecodeFrameFlags(rawValue: 2)
        /// As fast as it is shown.
        public static let _1xRealTimePlayback = VTDecodeFrameFlags(rawValue: 4)
        /// In the order in which frames are shown.
        public static let _EnableTemporalProcessing = VTDecodeFrameFlags(rawValue: 8)
    }

    /// Would be told of each frame.
    public typealias VTDecompressionOutputCallback = (
        _ decompressionOutputRefCon: UnsafeMutableRawPointer?, _ sourceFrameRefCon: UnsafeMutableRawPointer?,
        _ status: OSStatus, _ infoFlags: VTDecodeInfoFlags, _ imageBuffer: CVImageBuffer?,
        _ presentationTimeStamp: CMTime, _ presentationDuration: CMTime
    ) -> Void

    /// Would be told of one frame.
    public typealias VTDecompressionOutputHandler = (
        _ status: OSStatus, _ infoFlags: VTDecodeInfoFlags, _ imageBuffer: CVImageBuffer?,
        _ presentationTimeStamp: CMTime, _ presentationDuration: CMTime
    ) -> Void

    /// A callback with its context.
    public struct VTDecompressionOutputCallbackRecord {
        /// The callback.
        public var decompressionOutputCallback: VTDecompressionOutputCallback?
        /// Its context.
        public var decompressionOutputRefCon: UnsafeMutableRawPointer?

        /// Makes a record without a callback.
        public init() {}

        /// Makes a record.
        public init(
            decompressionOutputCallback: VTDecompressionOutputCallback?,
            decompressionOutputRefCon: UnsafeMutableRawPointer?
        ) {
            self.decompressionOutputCallback = decompressionOutputCallback
            self.decompressionOutputRefCon = decompressionOutputRefCon
        }
    }

    /// Refused with -12906: nothing here decodes.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - videoFormatDescription: Ignored.
    ///   - videoDecoderSpecification: Ignored.
    ///   - destinationImageBufferAttributes: Ignored.
    ///   - outputCallback: Ignored.
    ///   - decompressionSessionOut: Takes nil.
    /// - Returns: -12906.
    @discardableResult
    public func VTDecompressionSessionCreate(
        allocator: CFAllocator?, formatDescription videoFormatDescription: CMVideoFormatDescription,
        decoderSpecification videoDecoderSpecification: CFDictionary?,
        imageBufferAttributes destinationImageBufferAttributes: CFDictionary?,
        outputCallback: UnsafePointer<VTDecompressionOutputCallbackRecord>?,
        decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
    ) -> OSStatus {
        decompressionSessionOut.pointee = nil
        return kVTCouldNotFindVideoDecoderErr
    }

    /// Refused with -12906: nothing here decodes.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - videoFormatDescription: Ignored.
    ///   - videoDecoderSpecification: Ignored.
    ///   - destinationImageBufferAttributes: Ignored.
    ///   - decompressionSessionOut: Takes nil.
    /// - Returns: -12906.
    @discardableResult
    public func VTDecompressionSessionCreate(
        allocator: CFAllocator?, formatDescription videoFormatDescription: CMVideoFormatDescription,
        decoderSpecification videoDecoderSpecification: CFDictionary?,
        imageBufferAttributes destinationImageBufferAttributes: CFDictionary?,
        decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
    ) -> OSStatus {
        decompressionSessionOut.pointee = nil
        return kVTCouldNotFindVideoDecoderErr
    }

    /// Refused with -12903: there is no decoder.
    ///
    /// - Parameters:
    ///   - session: Cannot be.
    ///   - sampleBuffer: Ignored.
    ///   - decodeFlags: Ignored.
    ///   - sourceFrameRefCon: Ignored.
    ///   - infoFlagsOut: Not written.
    /// - Returns: -12903.
    @discardableResult
    public func VTDecompressionSessionDecodeFrame(
        _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer, flags decodeFlags: VTDecodeFrameFlags,
        frameRefcon sourceFrameRefCon: UnsafeMutableRawPointer?, infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?
    ) -> OSStatus { kVTInvalidSessionErr }

    /// Refused with -12903: there is no decoder.
    ///
    /// - Parameters:
    ///   - session: Cannot be.
    ///   - sampleBuffer: Ignored.
    ///   - decodeFlags: Ignored.
    ///   - infoFlagsOut: Not written.
    ///   - outputHandler: Not called.
    /// - Returns: -12903.
    @discardableResult
    public func VTDecompressionSessionDecodeFrame(
        _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer, flags decodeFlags: VTDecodeFrameFlags,
        infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?, outputHandler: @escaping VTDecompressionOutputHandler
    ) -> OSStatus { kVTInvalidSessionErr }

    /// Refused with -12903: there is no decoder.
    ///
    /// - Parameter session: Cannot be.
    /// - Returns: -12903.
    @discardableResult
    public func VTDecompressionSessionWaitForAsynchronousFrames(_ session: VTDecompressionSession) -> OSStatus {
        kVTInvalidSessionErr
    }

    /// Refused with -12903: there is no decoder.
    ///
    /// - Parameter session: Cannot be.
    /// - Returns: -12903.
    @discardableResult
    public func VTDecompressionSessionFinishDelayedFrames(_ session: VTDecompressionSession) -> OSStatus {
        kVTInvalidSessionErr
    }

    /// Whether a decoder takes samples of another description: false.
    public func VTDecompressionSessionCanAcceptFormatDescription(
        _ session: VTDecompressionSession, formatDescription newFormatDesc: CMFormatDescription
    ) -> Bool { false }

    /// Does nothing: there is no decoder.
    public func VTDecompressionSessionInvalidate(_ session: VTDecompressionSession) {}

    /// The number of the type of decoders.
    public func VTDecompressionSessionGetTypeID() -> CFTypeID { 121 }

    /// Whether a device decodes a codec: false.
    public func VTIsHardwareDecodeSupported(_ codecType: CMVideoCodecType) -> Bool { false }
#endif
