// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Foundation
    import Logging

    /// The session behind: opened once, and told of changed keys before the next frame.
    extension VTCompressionSession {
        /// The session, open, with all keys that were set before the call.
        ///
        /// - Parameter buffer: The first frame, whose format and color the session takes; nil where there is none yet.
        /// - Returns: The session that was opened before, or one that is now.
        /// - Throws: `EncoderError` of the last encoder that did not open, or of keys that cannot be.
        func opened(for buffer: CVBuffer?) throws(EncoderError) -> CompressionSession {
            try withState { (state) throws(EncoderError) in
                if state.isInvalid || state.hasFailed {
                    throw EncoderError(.invalidated, reason: "the session was invalidated, or failed before")
                }
                if let session = state.session {
                    if pending.isAny { try apply(&state, to: session) }
                    return session
                }
                return try open(&state, for: buffer)
            }
        }

        /// The format of pictures that come without a transfer: a frame's, else the attributes', else NV12.
        private func format(_ state: State, _ buffer: CVBuffer?) -> PixelFormat {
            guard let buffer else { return Self.preferredFormat(state, imageBufferAttributes) }
            let format = PixelFormat(cvPixelFormatType: CVPixelBufferGetPixelFormatType(buffer))
            return format.flatMap { $0.isFourTwoZero ? $0 : nil } ?? .nv12
        }

        private func open(_ state: inout State, for buffer: CVBuffer?) throws(EncoderError) -> CompressionSession {
            var failure = EncoderError(.noEncoder, reason: "no encoder")
            let told = told(buffer, before: nil)
            for (index, listed) in encoders.enumerated() {
                var asked = state.settings.resolved
                asked.pixelFormat = format(state, buffer)
                asked.color = color(state.settings, told, listed)
                // Frames that wait are lost where a client ends without completing: few wait in real time.
                if asked.realTime { asked.pipelineCapacity = 3 }
                do throws(EncoderError) {
                    let (configuration, adjustments) = try asked.conceding(to: listed.encoder, of: listed.backend)
                    for adjustment in adjustments { logger.warning("\(adjustment)") }
                    let session = try CompressionSession(
                        configuration, encoder: listed.encoder, of: listed.backend, transfer: transfer,
                        unitMemory: .block, logger: logger)
                    try session.deliver(to: events.take)
                    try session.synchronous.prepare()
                    (state.session, state.encoder, state.configuration) = (session, index, configuration)
                    state.adjustments = adjustments
                    (state.toldColor, state.isRealTime) = (told, asked.realTime)
                    pending.settle(through: pending.tell())
                    takeScalingMode(&state)
                    return session
                } catch {
                    logger.error("\(listed.encoder.id) did not open: \(error)")
                    failure = error
                }
            }
            throw failure
        }

        /// Has the session follow all keys that were set since: one change.
        private func apply(_ state: inout State, to session: CompressionSession) throws(EncoderError) {
            let number = pending.tell()
            var isSettled = true
            defer { if isSettled { pending.settle(through: number) } }
            takeScalingMode(&state)
            guard let before = state.configuration else { return }
            let listed = encoders[state.encoder]
            var asked = state.settings.resolved
            state.isRealTime = asked.realTime
            asked.pipelineCapacity = before.pipelineCapacity
            // A hint about the whole stream, which the encoder plans with from its first frame: no restart for it.
            asked.sourceFrameCount = before.sourceFrameCount
            (asked.pixelFormat, asked.color) = (session.pixelBufferPool.format, before.color)
            let (configuration, adjustments) = try asked.conceding(to: listed.encoder, of: listed.backend)
            // What gives way may leave the configuration as it was.
            for adjustment in adjustments where !state.adjustments.contains(adjustment) {
                logger.warning("\(adjustment)")
            }
            state.adjustments = adjustments
            if configuration != before {
                try session.synchronous.reconfigure({ next in
                    let pictures = (next.pixelFormat, next.color)
                    next = configuration
                    (next.pixelFormat, next.color) = pictures
                }) { [pending, logger] result in
                    pending.settle(through: number)
                    guard case .failure(let error) = result, !error.endsSession else { return }
                    logger.warning("keys stay as they were: \(error)")
                }
                isSettled = false
                state.configuration = configuration
            }
            try follow(state.toldColor, &state, session)
        }

        private func takeScalingMode(_ state: inout State) {
            guard state.settings.scalingMode != state.scalingMode else { return }
            state.scalingMode = state.settings.scalingMode
            transfer.set(state.scalingMode)
        }

        // MARK: - Pictures

        /// The picture of a frame, where the session takes it, and how the session takes pictures then; has it take
        /// another format or color before.
        func picture(
            _ buffer: CVBuffer, for session: CompressionSession
        ) throws(EncoderError) -> (PixelBuffer, PixelBufferPool) {
            try withState { (state) throws(EncoderError) in
                let picture = try buffer.pixelBuffer(part: state.scalingMode == .crop ? buffer.cleanAperture : nil)
                let told = told(buffer, before: state.toldColor)
                if told != state.toldColor { try follow(told, &state, session) }
                var source = session.pixelBufferPool
                let isSameSize = picture.width == source.width && picture.height == source.height
                if picture.format != source.format || !isSameSize {
                    try take(picture, isSameSize: isSameSize, &state, session)
                    source = session.pixelBufferPool
                }
                state.hasFrames = true
                return (picture, source)
            }
        }

        /// Finds a way for a picture of another format or size.
        private func take(
            _ picture: PixelBuffer, isSameSize: Bool, _ state: inout State, _ session: CompressionSession
        ) throws(EncoderError) {
            let source = session.pixelBufferPool
            let mayChange = isSameSize && picture.format.isFourTwoZero
            if !mayChange || state.hasFrames {
                do throws(EncoderError) {
                    let color = signalled(state.configuration?.color, source.format)
                    return try transfer.check(
                        picture, format: source.format, width: width, height: height, color: color)
                } catch {
                    guard mayChange else { throw error }
                }
            }
            try session.synchronous.changePictures(
                width: width, height: height, pixelFormat: picture.format, color: state.configuration?.color)
        }

        // MARK: - Color

        /// What is known of samples once a buffer came: each part as it is attached to it, else as it was known.
        ///
        /// RGB needs a matrix, and gets the one of BT.709 where none is known, or all of BT.709 where nothing is.
        private func told(_ buffer: CVBuffer?, before: ColorDescription?) -> ColorDescription? {
            guard let buffer else { return before }
            let known = buffer.color?.completed(by: before) ?? before
            guard buffer.isRGB else { return known }
            return known?.completed(by: ColorDescription(matrix: ColorDescription.bt709.matrix)) ?? .bt709
        }

        private func color(
            _ settings: SessionSettings, _ told: ColorDescription?, _ listed: ListedEncoder
        ) -> ColorDescription? {
            guard listed.encoder.capabilities.settings.contains(.color) else { return nil }
            return settings.color(told: told)?.legal(with: listed.encoder.capabilities)
        }

        private func signalled(_ color: ColorDescription?, _ format: PixelFormat) -> ColorDescription? {
            var configuration = SessionConfiguration(codec: codec, width: width, height: height, pixelFormat: format)
            configuration.color = color
            return configuration.signalledColor
        }

        /// Has the session signal what was told, where keys do not say otherwise.
        private func follow(
            _ told: ColorDescription?, _ state: inout State, _ session: CompressionSession
        ) throws(EncoderError) {
            state.toldColor = told
            let color = color(state.settings, told, encoders[state.encoder])
            guard let color, color != state.configuration?.color else { return }
            try session.synchronous.changePictures(width: width, height: height, color: color)
            state.configuration?.color = color
        }
    }
#endif
