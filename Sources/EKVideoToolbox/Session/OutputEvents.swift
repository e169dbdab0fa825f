// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EncoderAPI
    import Logging

    /// Tells the client of each frame.
    final class OutputEvents: @unchecked Sendable {
        // Unchecked: `maker` is used where frames are delivered alone, one at a time; callback and refcon stay as they
        // were given.
        private let callback: VTCompressionOutputCallback?
        private let refCon: UnsafeMutableRawPointer?
        private let logger: Logger
        private var maker = SampleMaker()

        /// Whether one callback is told of all frames, which come without handlers of their own then.
        var hasCallback: Bool { callback != nil }

        init(_ callback: VTCompressionOutputCallback?, refCon: UnsafeMutableRawPointer?, logger: Logger) {
            (self.callback, self.refCon, self.logger) = (callback, refCon, logger)
        }

        /// Takes one event of the session.
        func take(_ frame: EncodedFrame) {
            // Frames are given with a ticket alone.
            guard let ticket = frame.token as? FrameTicket else { return }
            switch frame.outcome {
            case .encoded(let unit):
                tell(ticket, noErr, .asynchronous, maker.sample(of: unit, frame, ticket))
            case .dropped(.failed(let error)):
                logger.warning("a frame was not encoded: \(error)")
                tell(ticket, error.status, .asynchronous, nil)
            case .dropped: tell(ticket, noErr, [.asynchronous, .frameDropped], nil)
            }
        }

        private func tell(
            _ ticket: FrameTicket, _ status: OSStatus, _ flags: VTEncodeInfoFlags, _ sample: CMSampleBuffer?
        ) {
            if let handler = ticket.handler {
                handler(status, flags, sample)
            } else {
                callback?(refCon, ticket.refCon, status, flags, sample)
            }
        }
    }
#endif
