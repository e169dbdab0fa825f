// SPDX-License-Identifier: MIT

#if os(Linux)
    package import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EncoderAPI
    import Foundation
    import Logging
    import Synchronization

    /// Encodes pictures to H.264 or HEVC; see `VTCompressionSessionCreate`.
    ///
    /// Any thread may call it. The encoder opens with `VTCompressionSessionPrepareToEncodeFrames` or with the first
    /// frame. Releasing the session ends it as `VTCompressionSessionInvalidate` does. Equal to itself alone.
    public final class VTCompressionSession {
        let codec: VideoCodec
        let width: Int
        let height: Int
        /// What buffers the client has, as it says.
        let imageBufferAttributes: NSDictionary
        /// Encoders in the order in which they are tried; one or more.
        let encoders: [ListedEncoder]
        let events: OutputEvents
        let transfer = FrameTransfer(.trim)
        let logger = Logger(label: "EncoderKit.VideoToolbox")
        let pending = PendingKeys()
        private let guarded: Mutex<State>

        /// What threads share.
        struct State: @unchecked Sendable {
            // Unchecked: the pool is reached inside the mutex alone, or retained for whoever asks.
            var settings: SessionSettings
            /// What the session was asked for last.
            var configuration: SessionConfiguration?
            /// What gave way in it.
            var adjustments: [Adjustment] = []
            var scalingMode = ScalingMode.trim
            /// Whether the frames so far were given in real time: as it was asked for, since some encoders have no
            /// such setting.
            var isRealTime = false
            var session: CompressionSession?
            /// Index of the encoder that opened, or of the first.
            var encoder = 0
            /// What a frame told of its samples.
            var toldColor: ColorDescription?
            var hasFrames = false
            var isInvalid = false
            var hasFailed = false
            var pool: CVPixelBufferPool?
        }

        init(
            _ settings: SessionSettings, encoders: [ListedEncoder], imageBufferAttributes: NSDictionary?,
            callback: VTCompressionOutputCallback?, refCon: UnsafeMutableRawPointer?
        ) {
            codec = settings.configuration.codec
            (width, height) = (settings.configuration.width, settings.configuration.height)
            self.encoders = encoders
            self.imageBufferAttributes = imageBufferAttributes?.copied() ?? NSDictionary()
            events = OutputEvents(callback, refCon: refCon, logger: logger)
            guarded = Mutex(State(settings: settings))
        }

        deinit { invalidate() }

        /// Reads or changes what threads share; `body` must not wait for a callback.
        func withState<Value: Sendable>(
            _ body: (inout State) throws(EncoderError) -> Value
        ) throws(EncoderError) -> Value {
            let result = guarded.withLock { state -> Result<Value, EncoderError> in
                do throws(EncoderError) { return .success(try body(&state)) } catch { return .failure(error) }
            }
            return try result.get()
        }

        /// The encoder that opened, or the one that would.
        var encoder: EncoderDescription { encoders[guarded.withLock { $0.encoder }].encoder }
    }

    extension VTCompressionSession: Hashable {
        /// Whether both are the same object.
        public static func == (left: VTCompressionSession, right: VTCompressionSession) -> Bool { left === right }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    extension VTCompressionSession: CFTyped {
        package static var cfTypeID: CFTypeID { 120 }
    }

    // MARK: - Ending

    extension VTCompressionSession {
        /// Ends the session; no callback runs any more when it returns.
        ///
        /// In real time nothing waits for later frames, so that those that were taken come out before; where a
        /// callback makes the call, they do not.
        func invalidate() {
            let (session, isRealTime) = guarded.withLock { state in
                state.isInvalid = true
                return (state.session, state.isRealTime)
            }
            guard let session else { return }
            // Refused where a callback makes the call, and where the session failed: there is nothing to wait for then.
            if isRealTime { try? session.synchronous.complete(until: .delivered) }
            // The session stays until this one goes: another thread that invalidates waits for the callback, too.
            session.invalidate()
        }
    }
#endif
