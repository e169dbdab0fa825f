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

    /// So many failures within ``window`` end in another connection, and as many behind that in giving up.
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

    /// The step after one that failed itself.
    mutating func escalate(canReopen: Bool) -> Step {
        guard canReopen, !hasReopened else { return .giveUp }
        (hasReopened, failures) = (true, [])
        return .device
    }

    /// Notes that a picture was coded after the device was opened again: it may be opened once more.
    mutating func noteSuccess() { hasReopened = false }
}
