// SPDX-License-Identifier: MIT

import Logging

/// How far frames are, and the calls that wait for it.
extension CompressionSession {
    /// How far along frames are.
    @nonexhaustive
    public enum Milestone: Sendable, Hashable {
        /// They came out of the encoder, or will not be in the stream.
        case encoded
        /// Besides, the reader of ``encodedFrames`` took them, or the handler returned from them.
        case delivered
    }

    /// Waits until all frames given before the call, or those of them up to `time`, are encoded, or with whoever takes
    /// them; the session goes on.
    ///
    /// Frames given after the call are not waited for, whoever gives them: they are encoded after it. Until
    /// ``Milestone/delivered``, whoever takes frames is woken for what came out before the next one is encoded. Where
    /// none of the frames asked for is held back nothing else happens. An encoder that holds some for its lookahead is
    /// flushed, for it gives them out no other way: with libx264 and libx265 all that is inside comes out, also what is
    /// later than `time`, and the next frame is a key frame.
    ///
    /// - Parameters:
    ///   - time: Presentation time of the last frame to wait for; nil for all.
    ///   - milestone: What is waited for; of the synchronous call the default is ``Milestone/delivered``. For that, all
    ///     that came out is waited for, also what is later than `time`.
    /// - Throws: ``EncoderError`` that ended the session; `.cancelled` when the waiting task is cancelled, while the
    ///   frames still come out; `.readerReleased` where nobody is left to deliver to; `.invalidState` after
    ///   ``finish(until:)``.
    public func complete(
        through time: MediaTime? = nil, until milestone: Milestone = .encoded
    ) async throws(EncoderError) {
        let reply = Reply<Void>()
        core.bringOut(by: .complete(through: time, of: core), until: milestone, onWait: warnIfUnread) {
            reply.answer($0)
        }
        try await reply.valueUnlessCancelled
    }

    /// Encodes all frames given and ends the session; ``encodedFrames`` ends after the last.
    ///
    /// Returns, until ``Milestone/encoded``, even if nobody reads. Calling it twice throws `.invalidState`.
    ///
    /// - Parameter milestone: What is waited for; of the synchronous call the default is ``Milestone/delivered``.
    /// - Throws: ``EncoderError`` that ended the session; `.cancelled` when the waiting task is cancelled, while the
    ///   frames still come out; `.readerReleased` where nobody is left to deliver to.
    public func finish(until milestone: Milestone = .encoded) async throws(EncoderError) {
        let reply = Reply<Void>()
        core.bringOut(by: .finish(core), until: milestone, onWait: warnIfUnread) { reply.answer($0) }
        do throws(EncoderError) {
            try await reply.valueUnlessCancelled
        } catch {
            // Cancelled or not, the session finishes.
            throw error.endingSession
        }
    }

    /// Warns once of a call that waits for frames to be taken where nobody does for a second.
    var warnIfUnread: @Sendable () -> Void {
        { [core, logger] in
            guard core.isFirstUnreadWait() else { return }
            Task {
                // A reader that starts together with whoever gives frames may come a little later.
                try? await Task.sleep(for: .seconds(1))
                guard core.isUnread else { return }
                logger.warning(
                    "a call waits for frames to be taken, but nobody reads encodedFrames: read them in another task")
            }
        }
    }
}
