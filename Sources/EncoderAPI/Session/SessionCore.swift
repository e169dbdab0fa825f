// SPDX-License-Identifier: MIT

import DequeModule
import Glibc

/// The shell around ``SessionState``: its lock, its thread, and the tasks and threads that wait.
///
/// The session, its reader and its thread each hold it; none of them holds another.
final class SessionCore: Sendable {
    typealias State = SessionState<Job, Caller, Reader>
    typealias Caller = Waiter<FrameAdmission?>
    // Unsafe continuations in both: the state machine gives each back exactly once, on every path.
    //
    // Nothing that a user can see the end of is let go of under the lock: what a handler, a token, an answer or a pool
    // holds may call the session when it goes.

    enum Reader: Sendable {
        /// Goes on with false where another reader waits already.
        case task(UnsafeContinuation<Bool, Never>)
        case handler(OutputHandler)
    }

    enum Job: Sendable {
        case frame(PixelBuffer, SubmittedFrame)
        /// Runs on the session's thread after the frames before it; `abandon` runs instead when the session ends first.
        case control(
            perform: @Sendable (inout EncodePipeline, EncodePipeline.Emit) -> Void,
            abandon: @Sendable (EncoderError) -> Void)

        /// Makes the next frame a key frame.
        static let keyFrameRequest = Job.control(
            perform: { pipeline, _ in pipeline.keyFrames.forceNext() }, abandon: { _ in })
    }

    struct Guarded {
        var state: State
        /// Makes pictures as they are taken.
        var pool: PixelBufferPool
        /// Frames that may wait, where the configuration says so.
        let capacity: Int?
        var adjustments: [Adjustment]
        /// What the session's thread has come to.
        var inForce: SettingsInForce
        /// Whether the open encoder codes pictures in another order than they are shown; nil before one is open.
        var isReordering: Bool?
        var asked: SettingRequests
        /// What became of frames so far.
        var statistics = SessionStatistics()
        /// Answers whoever waits for the job that is being done.
        var abandonCurrent: (@Sendable (EncoderError) -> Void)?
        var isThreadStarted = false
        var hasWaitedUnread = false
        var sessionThread: pthread_t?
        /// The thread that gives events to the handler now.
        var handlerThread: pthread_t?
        /// Threads that answer callers who waited for a delivery; one may do so more than once at a time.
        var answeringThreads: [pthread_t] = []

        /// All that was asked for last.
        var configuration: SessionConfiguration {
            var configuration = asked.configuration
            configuration.source = pool.source
            return configuration
        }

        /// Takes pictures as those of another pool; returns the one before, which is let go of without the lock.
        mutating func take(from pool: PixelBufferPool) -> PixelBufferPool {
            state.capacity = capacity ?? pool.source.pipelineCapacity
            return exchange(&self.pool, with: pool)
        }

        /// Queues a job behind the frames given so far; who can go on, and whether the thread must be started.
        mutating func enqueue(_ job: Job, isLast: Bool = false) -> Result<(State.Released, Bool), EncoderError> {
            state.enqueue(job, finishing: isLast).map { ($0, mustStartThread()) }
        }

        /// Whether the thread must be started; true once.
        mutating func mustStartThread() -> Bool {
            defer { isThreadStarted = true }
            return !isThreadStarted
        }
    }

    let guarded: SessionLock<Guarded>
    /// Refuses what the encoder could not be opened with.
    let check: @Sendable (ResolvedSettings) throws(EncoderError) -> Void
    let makePipeline: @Sendable () -> EncodePipeline
    /// Makes other pictures into those that are taken; nil where they are refused.
    let transfer: GivenTransfer?

    /// Makes the core of a session that takes pictures as `inForce` has them.
    init(
        _ inForce: SettingsInForce, transfer: GivenTransfer? = nil,
        check: @escaping @Sendable (ResolvedSettings) throws(EncoderError) -> Void,
        makePipeline: @escaping @Sendable () -> EncodePipeline
    ) throws(EncoderError) {
        let configuration = inForce.configuration
        let capacity = configuration.pipelineCapacity
        var state = State(capacity: capacity ?? configuration.source.pipelineCapacity) { job in
            if case .frame(_, let frame) = job { frame.noteTaken() }
        }
        state.hold(as: configuration)
        guarded = SessionLock(
            Guarded(
                state: state, pool: try PixelBufferPool(configuration.source), capacity: capacity,
                adjustments: inForce.adjustments, inForce: inForce, asked: SettingRequests(configuration)))
        (self.transfer, self.check, self.makePipeline) = (transfer, check, makePipeline)
    }

    /// Makes pictures as the session takes them.
    var pixelBufferPool: PixelBufferPool { guarded.withLock { $0.pool } }
    var adjustments: [Adjustment] { guarded.withLock { $0.adjustments } }
    var settings: ResolvedSettings { guarded.withLock { $0.inForce.settings } }
    /// Whether the open encoder codes pictures in another order than they are shown; nil before one is open.
    var isReordering: Bool? { guarded.withLock { $0.isReordering } }
    /// The configuration with what was asked last, which the session's thread may have yet to come to.
    var asked: SessionConfiguration { guarded.withLock { $0.configuration } }
    /// What became of frames so far.
    var statistics: SessionStatistics {
        guarded.withLock { guarded in
            var statistics = guarded.statistics
            statistics.taken = guarded.state.submitted
            return statistics
        }
    }
    /// Why nothing but frames is taken any more; nil while it is.
    var refusal: EncoderError? { guarded.withLock { $0.state.refusal(ignoringReader: true) } }
    var pendingCount: Int { guarded.withLock { $0.state.pending } }
    /// Events of frames that came out so far.
    var emittedCount: Int { guarded.withLock { $0.state.emitted } }

    /// Whether nobody ever asked for frames.
    var isUnread: Bool { guarded.withLock { !$0.state.wasRead } }

    /// Whether a caller waits for the first time while nobody ever asked for frames; true once.
    func isFirstUnreadWait() -> Bool {
        guarded.withLock { guarded in
            defer { guarded.hasWaitedUnread = true }
            return !guarded.hasWaitedUnread && !guarded.state.wasRead
        }
    }

    /// Whether the caller is the handler, a `whenDone`, or on the session's thread, none of which may wait for the
    /// session.
    var isOwnThread: Bool {
        guarded.withLock { guarded in
            let own = pthread_self()
            return guarded.sessionThread == own || guarded.handlerThread == own
                || guarded.answeringThreads.contains(own)
        }
    }

    // MARK: - Ending

    /// Ends the session: with an error for failures and invalidation, without after the last frame.
    ///
    /// Frames that wait for the encoder come out as dropped for that error, unless it `discardsFrames`.
    func end(_ error: EncoderError?, discardsFrames: Bool = false) {
        let error = error?.endingSession
        let (ended, abandonCurrent) = guarded.withLock { guarded in
            let phase: State.Phase =
                switch error {
                case let error?: discardsFrames ? .invalidated(error) : .failed(error)
                case nil: .finished
                }
            let ended = guarded.state.end(phase) { job in
                guard let error, !discardsFrames, case .frame(_, let frame) = job else { return nil }
                return frame.dropped(.failed(error))
            }
            return (ended, exchange(&guarded.abandonCurrent, with: nil))
        }
        guarded.wake()
        resume(ended.released)
        let reason = error ?? EncoderError(.invalidState, reason: "the session was finished", endsSession: true)
        abandonCurrent?(reason)
        for case .control(_, let abandon) in ended.abandoned { abandon(reason) }
    }

    /// Lets everybody go on who can.
    func resume(_ released: State.Released) {
        if released.wakesThread { guarded.wake() }
        switch released.reader {
        case .task(let reader): reader.resume(returning: true)
        case .handler(let handler): handler.queue.run { [self] in give(to: handler) }
        case nil: break
        }
        for (caller, admission) in released.callers { caller.resume(returning: admission) }
    }
}
