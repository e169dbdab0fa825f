// SPDX-License-Identifier: MIT

extension CompressionSession {
    /// Gives every event to a handler, in place of ``encodedFrames``: in decode order, one at a time.
    ///
    /// Set it before the first frame; on a session that ended without one it is let go of at once, without an error. It
    /// may make those of the session's ``synchronous`` calls that do not wait for it, `requestKeyFrame` and
    /// `invalidate`; let it capture the session weakly or unowned, for the session holds it until the last event is
    /// delivered. Events that it has not returned from count as waiting, so that a slow handler holds up whoever gives
    /// frames to this session, and other sessions only where they share its queue. After ``invalidate()`` returned it
    /// is not called any more, also where the session had failed or was finished before.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs.
    ///   - handler: Takes each event.
    /// - Throws: ``EncoderError`` with `.invalidState` once frames were given, or where something reads
    ///   ``encodedFrames`` or another handler is set.
    public func deliver(
        on queue: DeliveryQueue = .sessionThread, to handler: @escaping @Sendable (EncodedFrame) -> Void
    ) throws(EncoderError) {
        try core.attach(OutputHandler(queue: queue, body: handler))
    }
}
