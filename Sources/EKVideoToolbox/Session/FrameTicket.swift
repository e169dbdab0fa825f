// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreMedia

    /// What a call and its callback tell of a frame.
    public struct VTEncodeInfoFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Takes bits as they are.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The frame is encoded on another thread, as all are here.
        public static let asynchronous = VTEncodeInfoFlags(rawValue: 1)
        /// The frame is not in the stream, because rate control had no bits for it.
        public static let frameDropped = VTEncodeInfoFlags(rawValue: 2)
    }

    /// Told of each frame that was taken, once, one frame at a time and in decode order, on the session's thread.
    ///
    /// Of frames that are inside when the session is invalidated it is not told.
    ///
    /// The status is 0 with a sample, 0 with ``VTEncodeInfoFlags/frameDropped`` and without a sample, or what went
    /// wrong. It may make all calls but `VTCompressionSessionCompleteFrames`.
    public typealias VTCompressionOutputCallback = (
        _ outputCallbackRefCon: UnsafeMutableRawPointer?, _ sourceFrameRefCon: UnsafeMutableRawPointer?,
        _ status: OSStatus, _ infoFlags: VTEncodeInfoFlags, _ sampleBuffer: CMSampleBuffer?
    ) -> Void

    /// Told of one frame as a ``VTCompressionOutputCallback`` is of all.
    public typealias VTCompressionOutputHandler = (
        _ status: OSStatus, _ infoFlags: VTEncodeInfoFlags, _ sampleBuffer: CMSampleBuffer?
    ) -> Void

    /// What comes back with a frame: its times bit for bit, and whom to tell.
    final class FrameTicket: @unchecked Sendable {
        // Unchecked: nothing changes after init; the handler is called once, on the session's thread.
        let presentationTime: CMTime
        let duration: CMTime
        let refCon: UnsafeMutableRawPointer?
        let handler: VTCompressionOutputHandler?

        init(
            _ presentationTime: CMTime, _ duration: CMTime, refCon: UnsafeMutableRawPointer?,
            handler: VTCompressionOutputHandler?
        ) {
            (self.presentationTime, self.duration) = (presentationTime, duration)
            (self.refCon, self.handler) = (refCon, handler)
        }
    }
#endif
