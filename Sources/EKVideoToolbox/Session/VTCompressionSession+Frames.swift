// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EncoderAPI
    import Foundation
    import Logging

    extension VTCompressionSession {
        /// Makes calls of EncoderAPI, and says what their error means.
        func status(_ body: () throws(EncoderError) -> Void) -> OSStatus {
            do throws(EncoderError) {
                try body()
                return noErr
            } catch {
                if error.endsSession {
                    // The first call says what happened, those after it that the session is gone.
                    _ = try? withState { (state) throws(EncoderError) in state.hasFailed = true }
                }
                logger.debug("\(error)")
                return error.status
            }
        }

        /// Says in the log why a call is refused.
        func refuse(_ reason: String) -> OSStatus {
            logger.debug("\(reason): \(kVTParameterErr)")
            return kVTParameterErr
        }

        /// Gives the session a frame.
        func encode(
            _ buffer: CVImageBuffer, _ ticket: FrameTicket, _ properties: CFDictionary?,
            _ flags: UnsafeMutablePointer<VTEncodeInfoFlags>?
        ) -> OSStatus {
            var options = FrameOptions(token: ticket)
            if let properties, let refusal = Self.read(properties, into: &options) {
                logger.debug("a frame with the options \(properties) was refused: \(refusal)")
                return refusal
            }
            guard let time = MediaTime(ticket.presentationTime) else {
                return refuse("a frame of \(ticket.presentationTime), expected a number of epoch 0")
            }
            // A session refuses others; here they come back with the frame and say nothing.
            let duration = MediaTime(ticket.duration).flatMap {
                $0 > .zero && $0.seconds < Double(Int32.max) ? $0 : nil
            }
            return status { () throws(EncoderError) in
                var isTaken = false
                // Again where another thread's frame had the session take other pictures meanwhile.
                while !isTaken {
                    let session = try opened(for: buffer)
                    let (picture, pool) = try picture(buffer, for: session)
                    isTaken = try session.synchronous.encode(
                        picture, at: time, duration: duration, options: options, takenAs: pool)
                }
                flags?.pointee = .asynchronous
            }
        }

        /// Reads what goes with a frame; the status that refuses it.
        private static func read(_ properties: CFDictionary, into options: inout FrameOptions) -> OSStatus? {
            let force = properties.object("\(kVTEncodeFrameOptionKey_ForceKeyFrame)")
            // Nearly always there is nothing else.
            if properties.count > (force == nil ? 0 : 1) {
                let refused = [
                    kVTEncodeFrameOptionKey_BaseFrameQP, kVTEncodeFrameOptionKey_AcknowledgedLTRTokens,
                    kVTEncodeFrameOptionKey_ForceLTRRefresh,
                ]
                if refused.contains(where: { properties.object("\($0)") != nil }) { return kVTPropertyNotSupportedErr }
            }
            guard let force else { return nil }
            guard let isForced = PropertyValue.boolean(force) else { return kVTParameterErr }
            options.forceKeyFrame = isForced
            return nil
        }

        /// Waits for callbacks.
        func complete(until time: CMTime) -> OSStatus {
            if time.isNumeric, time.epoch != 0 || time.timescale < 1 {
                return refuse("frames up to \(time), expected a time of epoch 0")
            }
            return status { () throws(EncoderError) in
                let session = try withState { (state) throws(EncoderError) in
                    guard !state.isInvalid, !state.hasFailed else {
                        throw EncoderError(.invalidated, reason: "the session was invalidated, or failed before")
                    }
                    return state.session
                }
                do throws(EncoderError) {
                    try session?.synchronous.complete(through: MediaTime(time), until: .delivered)
                } catch  where error.code == .invalidState {
                    throw EncoderError(.invalidValue, reason: error.reason)
                }
            }
        }

        /// What buffers best look like.
        var pixelBufferAttributes: NSDictionary {
            let format = try? withState { (state) throws(EncoderError) in
                state.session?.pixelBufferPool.format ?? Self.preferredFormat(state, imageBufferAttributes)
            }
            let code = format?.cvPixelFormatType ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            return [
                kCVPixelBufferPixelFormatTypeKey: NSNumber(value: code), kCVPixelBufferWidthKey: width as NSNumber,
                kCVPixelBufferHeightKey: height as NSNumber,
            ] as NSDictionary
        }

        /// A pool of such buffers: the same one while they stay as they are.
        var pixelBufferPool: CVPixelBufferPool? {
            let attributes = pixelBufferAttributes
            let held = HeldPool()
            let isValid = try? withState { (state) throws(EncoderError) in
                guard !state.isInvalid else { return false }
                if let pool = state.pool, CVPixelBufferPoolGetPixelBufferAttributes(pool) == attributes {
                    held.pool = pool
                    return true
                }
                var pool: CVPixelBufferPool?
                CVPixelBufferPoolCreate(nil, nil, attributes, &pool)
                (state.pool, held.pool) = (pool, pool)
                return true
            }
            return isValid == true ? held.pool : nil
        }

        private final class HeldPool {
            var pool: CVPixelBufferPool?
        }

        /// The format of pictures before the first came.
        static func preferredFormat(_ state: State, _ attributes: NSDictionary) -> PixelFormat {
            let formats = attributes.pixelFormatTypes.lazy.compactMap { PixelFormat(cvPixelFormatType: $0) }
            if let format = formats.first(where: \.isFourTwoZero) { return format }
            let depth = state.settings.configuration.profileLevel.profile?.maxBitDepth ?? 8
            return depth > 8 ? .p010 : .nv12
        }
    }

    extension MediaTime {
        /// The time of a number of epoch 0; nil for others.
        init?(_ time: CMTime) {
            guard time.isNumeric, time.epoch == 0, time.timescale > 0 else { return nil }
            self.init(value: time.value, timescale: time.timescale)
        }
    }
#endif
