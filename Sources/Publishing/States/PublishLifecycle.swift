// SPDX-License-Identifier: MIT

/// How one output comes from one ``PublishState`` to the next: a pure value that is told what happens and says what to
/// do.
package struct PublishLifecycle: Sendable {
    /// What happened to the output.
    package enum Event: Sendable {
        /// Its owner wants packets to go out.
        case start
        /// The file or connection is open and takes packets.
        case opened
        /// Opening or sending failed; `random`, 0 to 1, decides how much longer than necessary to wait.
        case failed(PublishingError, random: Double)
        /// The time to wait for may have come.
        case timePassed
        /// The format changed, or times run out, so that another connection or file has to begin.
        case beganAnew
        /// No packets follow; those that wait are still to be sent.
        case finish
        /// All is sent and closed.
        case drained
        /// Nothing more is to be sent, which leaves something out for this reason; nil where nothing is missing.
        case cancel(PublishingError?)
    }

    /// What to do.
    package enum Action: Sendable, Hashable {
        /// Open the file or connection.
        case open
        /// Begin with the next key frame, and ask the encoder for one.
        case beginAtKeyFrame
        /// Tell ``Event/timePassed`` at this time.
        case wait(until: ContinuousClock.Instant)
        /// Send what waits, complete the file, close; then tell ``Event/drained``.
        case drain
        /// Close without sending what waits.
        case close
    }

    private let policy: RetryPolicy
    private var openedAt: ContinuousClock.Instant?
    private var isFinishing = false
    /// Where the output stands.
    package private(set) var state = PublishState.idle
    /// Tries that failed since the output last published steadily.
    package private(set) var failures = 0
    /// Times that the output was opened.
    package private(set) var openings = 0

    /// Makes an output that is idle.
    package init(policy: RetryPolicy = RetryPolicy()) { self.policy = policy }

    /// Takes notice of an event.
    ///
    /// - Parameters:
    ///   - event: What happened; one that does not fit the state changes nothing.
    ///   - now: When.
    /// - Returns: What to do, in order.
    package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
        switch (event, state) {
        case (_, .failed), (_, .ended):
            return []
        case (.start, .idle):
            return open()
        case (.opened, .connecting):
            state = .publishing
            openedAt = now
            openings += 1
            return [.beginAtKeyFrame] + (isFinishing ? [.drain] : [])
        case (.failed(let error, let random), .connecting), (.failed(let error, let random), .publishing):
            return fail(error, random: random, at: now)
        case (.timePassed, .backingOff(let time)):
            return now >= time ? open() : [.wait(until: time)]
        case (.beganAnew, .publishing):
            return [.close] + open()
        case (.finish, .publishing):
            guard !isFinishing else { return [] }
            isFinishing = true
            return [.drain]
        case (.finish, .connecting):
            // What waits may still be wanted; the connection's own deadline bounds it.
            isFinishing = true
            return []
        case (.finish, .idle), (.finish, .backingOff):
            state = .ended
            return [.close]
        case (.drained, .publishing) where isFinishing:
            state = .ended
            return []
        case (.cancel(let error), _):
            state = error.map(PublishState.failed) ?? .ended
            return [.close]
        default:
            return []
        }
    }

    private mutating func open() -> [Action] {
        state = .connecting
        return [.open]
    }

    private mutating func fail(
        _ error: PublishingError, random: Double, at now: ContinuousClock.Instant
    ) -> [Action] {
        if let openedAt, now - openedAt >= policy.steadyTime { failures = 0 }
        openedAt = nil
        failures += 1
        // An output that was to end anyway does not come back for it.
        guard !error.code.isPermanent, !isFinishing, failures < policy.maximumFailures ?? .max else {
            state = .failed(error)
            return [.close]
        }
        let time = now + policy.delay(afterFailures: failures, random: random)
        state = .backingOff(until: time)
        return [.close, .wait(until: time)]
    }
}
