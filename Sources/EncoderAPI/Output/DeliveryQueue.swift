// SPDX-License-Identifier: MIT

/// Where a session's handler runs: a queue or an executor of the caller's, or the session's own thread.
///
/// The session gives it one piece of work at a time, the next one when the one before has made its last call, so that a
/// handler is never called twice at once, whatever the queue.
public struct DeliveryQueue: Sendable {
    /// Runs what it is given.
    let run: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
    /// Events that one piece of work gives to the handler, so that others who use the queue get their turn.
    let eventsInARow: Int

    /// A queue that runs what it is given: `DeliveryQueue { queue.async(execute: $0) }` for a `DispatchQueue`.
    ///
    /// - Parameter run: Called on any thread with work to be done once, now or later, on whatever thread. It must not
    ///   be lost.
    public init(_ run: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void) {
        self.run = run
        eventsInARow = 16
    }

    /// A task executor; each piece of work is a task that prefers it.
    ///
    /// The executor is held as long as the handler is.
    public init(_ executor: any TaskExecutor) {
        self.init { work in Task(executorPreference: executor) { work() } }
    }

    /// The session's own thread: the encoder waits while the handler runs, and no thread is switched.
    public static let sessionThread = DeliveryQueue(direct: ())

    private init(direct: Void) {
        run = { $0() }
        eventsInARow = .max
    }
}

/// A handler, and where it runs.
struct OutputHandler: Sendable {
    let queue: DeliveryQueue
    let body: @Sendable (EncodedFrame) -> Void
}

extension CompressionSession {
    /// Gives every event to a handler, in place of ``encodedFrames``: in decode order, one at a time.
    ///
    /// Set it before the first frame; on a session that ended without one it is let go of at once, without an error. It
    /// may make those of the session's ``synchronous`` calls that do not wait for it, `requestKeyFrame` and
    /// `invalidate`; let it capture the session weakly or unowned, for the session holds it until the last event is
    /// delivered. Events that it has not returned from count as waiting, so that a slow handler holds up whoever gives
    /// frames to this session, and other sessions only where they share its queue. After ``invalidate()`` returned it
    /// is not called any more, unless the handler itself or a `whenDone` made that call.
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
