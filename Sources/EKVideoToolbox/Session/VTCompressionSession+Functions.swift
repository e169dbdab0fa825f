// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreMedia
    public import EKCoreVideo
    import EncoderAPI
    public import Foundation
    import Logging

    /// Makes a session.
    ///
    /// Blocks while back ends list their encoders. Which encoder it is: the first that the specification leaves, of
    /// devices before the CPU. It opens later, so that all keys can be set before.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - width: Columns of the coded pictures, 1 to 65535.
    ///   - height: Rows, likewise.
    ///   - codecType: `kCMVideoCodecType_H264` or `kCMVideoCodecType_HEVC`.
    ///   - encoderSpecification: kVTVideoEncoderSpecification keys; others are not looked at.
    ///   - imageBufferAttributes: What buffers the client has; the first known format counts, anything else is
    ///     tolerated.
    ///   - compressedDataAllocator: Ignored.
    ///   - outputCallback: Told of each frame; nil where frames come with handlers.
    ///   - outputCallbackRefCon: Given to the callback, never looked at or retained.
    ///   - compressionSessionOut: Takes the session, which the caller owns; nil where the call fails.
    /// - Returns: -12908 for another codec and without an encoder, -12902 for another size.
    @discardableResult
    public func VTCompressionSessionCreate(
        allocator: CFAllocator?, width: Int32, height: Int32, codecType: CMVideoCodecType,
        encoderSpecification: CFDictionary?, imageBufferAttributes: CFDictionary?,
        compressedDataAllocator: CFAllocator?, outputCallback: VTCompressionOutputCallback?,
        refcon outputCallbackRefCon: UnsafeMutableRawPointer?,
        compressionSessionOut: UnsafeMutablePointer<VTCompressionSession?>
    ) -> OSStatus {
        compressionSessionOut.pointee = nil
        guard let codec = VideoCodec(cmVideoCodecType: codecType) else { return kVTCouldNotFindVideoEncoderErr }
        guard 1...65535 ~= width, 1...65535 ~= height else { return kVTParameterErr }
        let specification = EncoderSpecification(encoderSpecification)
        let encoders = ListedEncoder.list(codec, specification)
        guard !encoders.isEmpty else {
            if EncoderRegistry.backends.isEmpty {
                Logger(label: "EncoderKit.VideoToolbox").error("\(EncoderRegistry.howToLink)")
            }
            return kVTCouldNotFindVideoEncoderErr
        }
        let settings = SessionSettings(
            codec: codec, width: Int(width), height: Int(height), isLowLatency: specification.isLowLatency)
        compressionSessionOut.pointee = VTCompressionSession(
            settings, encoders: encoders, imageBufferAttributes: imageBufferAttributes, callback: outputCallback,
            refCon: outputCallbackRefCon)
        return noErr
    }

    /// Opens the encoder now rather than with the first frame, and blocks until it is open.
    ///
    /// Calling it again has keys that were set since take effect before the next frame, and does nothing else.
    ///
    /// - Parameter session: The session.
    /// - Returns: -12903 after the session was invalidated, or what the encoder's failure means.
    @discardableResult
    public func VTCompressionSessionPrepareToEncodeFrames(_ session: VTCompressionSession) -> OSStatus {
        session.status { () throws(EncoderError) in _ = try session.opened(for: nil) }
    }

    /// Gives the session a picture to encode; what becomes of it, the callback is told.
    ///
    /// Returns when the frame is taken, and blocks while too many wait for the encoder; in a callback it never blocks.
    ///
    /// - Parameters:
    ///   - session: One that was made with a callback; else the call is refused with -12902.
    ///   - imageBuffer: Retained until the encoder has read it, and with DataRateLimits until its frame is out, without
    ///     a copy: do not write to it meanwhile. Another size, or format of eight bits, than the session's is
    ///     transferred.
    ///   - presentationTimeStamp: A number of epoch 0, above the last one's; comes back bit for bit.
    ///   - duration: May be invalid; comes back as it is.
    ///   - frameProperties: ``kVTEncodeFrameOptionKey_ForceKeyFrame`` as boolean; unknown keys are not looked at.
    ///   - sourceFrameRefcon: Given to the callback, never looked at or retained.
    ///   - infoFlagsOut: Takes ``VTEncodeInfoFlags/asynchronous``; nil asks for nothing.
    /// - Returns: -12902 for times, pictures or values of properties that cannot be, -12905 for a format that cannot be
    ///   made into the session's, -12900 for a quantizer or long-term references, -12903 after the session was
    ///   invalidated or failed, or what the encoder's failure means. The frame is not taken then, and no callback tells
    ///   of it.
    @discardableResult
    public func VTCompressionSessionEncodeFrame(
        _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime, duration: CMTime,
        frameProperties: CFDictionary?, sourceFrameRefcon: UnsafeMutableRawPointer?,
        infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?
    ) -> OSStatus {
        guard session.events.hasCallback else {
            return session.refuse("the session has no callback, and the call no handler")
        }
        let ticket = FrameTicket(presentationTimeStamp, duration, refCon: sourceFrameRefcon, handler: nil)
        return session.encode(imageBuffer, ticket, frameProperties, infoFlagsOut)
    }

    /// Gives the session a picture to encode; what becomes of it, the handler is told.
    ///
    /// - Parameters:
    ///   - session: One that was made without a callback; else the call is refused with -12902.
    ///   - imageBuffer: As for the call with a callback, as are the others.
    ///   - presentationTimeStamp: As there.
    ///   - duration: As there.
    ///   - frameProperties: As there.
    ///   - infoFlagsOut: As there.
    ///   - outputHandler: Called once, or never where the session is invalidated before the frame is out.
    /// - Returns: As there.
    @discardableResult
    public func VTCompressionSessionEncodeFrame(
        _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime, duration: CMTime,
        frameProperties: CFDictionary?, infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?,
        outputHandler: @escaping VTCompressionOutputHandler
    ) -> OSStatus {
        guard !session.events.hasCallback else {
            return session.refuse("the session has a callback, and the call a handler")
        }
        let ticket = FrameTicket(presentationTimeStamp, duration, refCon: nil, handler: outputHandler)
        return session.encode(imageBuffer, ticket, frameProperties, infoFlagsOut)
    }

    /// Waits until the callback of each frame returned that was given before, or of those up to a time.
    ///
    /// Where the encoder holds frames for later ones all come out, and the next frame is a key frame; else nothing
    /// changes in the stream.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - completeUntilPresentationTimeStamp: The last frame's; not numeric for all.
    /// - Returns: -12902 in a callback, which it would wait for, and for a number of another epoch or without a
    ///   timescale; -12903 after the session was invalidated, or what the encoder's failure means.
    @discardableResult
    public func VTCompressionSessionCompleteFrames(
        _ session: VTCompressionSession, untilPresentationTimeStamp completeUntilPresentationTimeStamp: CMTime
    ) -> OSStatus {
        session.complete(until: completeUntilPresentationTimeStamp)
    }

    /// Ends the session: frames that are not encoded yet never will be, and no callback tells of them.
    ///
    /// When it returns no callback runs, but for the one that makes the call. With RealTime, frames that were taken
    /// come out before, unless a callback makes the call. Calling it again does nothing.
    public func VTCompressionSessionInvalidate(_ session: VTCompressionSession) { session.invalidate() }

    /// A pool of buffers as the session best takes them; nil after it was invalidated.
    public func VTCompressionSessionGetPixelBufferPool(_ session: VTCompressionSession) -> CVPixelBufferPool? {
        session.pixelBufferPool
    }

    /// The number of the type of sessions.
    public func VTCompressionSessionGetTypeID() -> CFTypeID { VTCompressionSession.cfTypeID }
#endif
