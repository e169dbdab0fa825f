// SPDX-License-Identifier: MIT

/// How one output comes from one ``PublishState`` to the next: a pure value that is told what happens.
///
/// An output that is over has ended where it was open and nothing that it was given is missing at its end. It has ended
/// too where it was given nothing and is cancelled before its first try succeeds or fails. It has failed everywhere
/// else, whichever protocol it speaks.
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
        /// All is sent and closed, and the end of what was given is missing for this reason; nil where it is there.
        case drained(PublishingError?)
        /// Nothing more is to be sent, which leaves something out for this reason; nil where nothing is missing.
        case cancel(PublishingError?)
    }

    private let policy: RetryPolicy
    private var openedAt: ContinuousClock.Instant?
    private var isFinishing = false
    /// Why the output is not open; nil where it is, or has not failed to be.
    private var lastFailure: PublishingError?
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
    package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) {
        switch (event, state) {
        case (_, .failed), (_, .ended): break
        case (.start, .idle), (.beganAnew, .publishing): state = .connecting
        case (.opened, .connecting):
            state = .publishing
            (openedAt, lastFailure) = (now, nil)
            openings += 1
        case (.failed(let error, let random), .connecting), (.failed(let error, let random), .publishing):
            fail(error, random: random, at: now)
        case (.timePassed, .backingOff(let time, _)): if now >= time { state = .connecting }
        // What waits may still be wanted; the connection's own deadline bounds a try that is under way.
        case (.finish, .publishing), (.finish, .connecting): isFinishing = true
        case (.finish, .idle), (.finish, .backingOff): end(for: nil)
        case (.drained(let error), .publishing) where isFinishing: end(for: error)
        case (.cancel(let error), _): end(for: error)
        default: break
        }
    }

    /// Ends the output, which has failed where it was not open, or where something is missing for a reason.
    private mutating func end(for reason: PublishingError?) {
        state = (lastFailure ?? reason).map(PublishState.failed) ?? .ended
    }

    private mutating func fail(_ error: PublishingError, random: Double, at now: ContinuousClock.Instant) {
        if let openedAt, now - openedAt >= policy.steadyTime { failures = 0 }
        (openedAt, lastFailure) = (nil, error)
        failures += 1
        // An output that was to end anyway does not come back for it.
        guard !error.code.isPermanent, !isFinishing, failures < policy.maximumFailures ?? .max else {
            state = .failed(error)
            return
        }
        state = .backingOff(until: now + policy.delay(afterFailures: failures, random: random), error)
    }
}
