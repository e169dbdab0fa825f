// SPDX-License-Identifier: MIT

import EncoderAPI

/// Decides how an encoder goes on after the driver failed: pure.
struct VARecovery: Sendable {
    /// What is made anew.
    enum Step: Sendable, Hashable {
        /// The driver's encoder.
        case context
        /// The connection to the device, and everything on it.
        case device
        /// Nothing: the device is lost.
        case giveUp
    }

    /// Failures so far that were not long ago.
    private var failures: [ContinuousClock.Instant] = []
    private var hasReopened = false
    /// Failures since a picture was last coded that came late.
    private var lateFailures = 0

    /// More failures than these within ``window`` end in another connection, and as many behind that in giving up
    /// unless a picture was coded between: a driver that fails now and then is opened as often as it takes.
    static let mostFailures = 3
    static let window = Duration.seconds(10)

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - now: When it came.
    ///   - canReopen: Whether the device is one that can be opened again.
    /// - Returns: What is made anew.
    mutating func step(at now: ContinuousClock.Instant, canReopen: Bool) -> Step {
        failures = failures.filter { $0.duration(to: now) < Self.window } + [now]
        guard failures.count > Self.mostFailures else { return .context }
        return escalate(canReopen: canReopen)
    }

    /// Notes that the driver took longer to say that a picture failed than pictures may take.
    ///
    /// - Returns: Whether it is the second in a row: every other picture would take as long.
    mutating func noteLateFailure() -> Bool {
        lateFailures += 1
        return lateFailures > 1
    }

    /// The step after one that failed itself.
    mutating func escalate(canReopen: Bool) -> Step {
        guard canReopen, !hasReopened else { return .giveUp }
        (hasReopened, failures) = (true, [])
        return .device
    }

    /// Notes that a picture was coded: where the device was opened again before, it may be opened once more.
    mutating func noteSuccess() { (hasReopened, lateFailures) = (false, 0) }
}
