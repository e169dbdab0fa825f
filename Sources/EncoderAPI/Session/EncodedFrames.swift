// SPDX-License-Identifier: MIT

/// What a session encodes, in decode order: one element for each frame given, encoded or dropped, but for those that an
/// invalidated or released session had not encoded.
///
/// One task reads it; another that asks while it waits gets `.invalidState`. It ends after
/// ``CompressionSession/finish(until:)`` and after ``CompressionSession/invalidate()``, and throws the error that a
/// session failed with; what was encoded before comes first, and when the encoder failed, the frames that it took down
/// as dropped. Letting go of the iterator ends `encode` calls that wait for room.
public struct EncodedFrames: AsyncSequence, Sendable {
    /// What goes wrong in a session.
    public typealias Failure = EncoderError
    let core: SessionCore

    /// Takes the frames out one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let attachment: Attachment

        fileprivate init(_ core: SessionCore) {
            attachment = Attachment(core)
        }

        /// The next frame, waiting for it; nil after the last.
        ///
        /// - Throws: ``EncoderError`` that ended the session, or `.cancelled` when the reading task is cancelled.
        public mutating func next() async throws(EncoderError) -> EncodedFrame? {
            try await attachment.core.nextFrame()
        }

        /// The next frame, waiting for it on the caller's actor; nil after the last.
        ///
        /// - Throws: ``EncoderError`` that ended the session, or `.cancelled` when the reading task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(EncoderError) -> EncodedFrame? {
            try await attachment.core.nextFrame()
        }
    }

    /// Starts reading; a second reader that asks while the first waits is refused with `.invalidState`.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(core) }

    /// Lives as long as an iterator and its copies.
    private final class Attachment: Sendable {
        let core: SessionCore

        init(_ core: SessionCore) {
            self.core = core
            core.attachReader()
        }

        deinit { core.releaseReader() }
    }
}
