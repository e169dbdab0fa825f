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
