// SPDX-License-Identifier: MIT

/// Where one output stands.
///
/// Closed: an output is in exactly one of these.
public enum PublishState: Sendable, Hashable {
    /// Nothing was asked for yet.
    case idle
    /// The output opens its file or connection.
    case connecting
    /// Packets are taken by the file or the peer.
    case publishing
    /// The last try failed in a way that may pass; the next one starts at this time.
    case backingOff(until: ContinuousClock.Instant)
    /// The output is over, for this reason.
    case failed(PublishingError)
    /// The output was finished or cancelled.
    case ended

    /// Whether nothing can follow.
    public var isFinal: Bool {
        switch self {
        case .failed, .ended: true
        case .idle, .connecting, .publishing, .backingOff: false
        }
    }
}

/// How often, and how soon, an output tries again after what may pass.
public struct RetryPolicy: Sendable, Hashable {
    /// How long to wait before each further try, in order, each 0 or more; the last one holds for all that follow.
    public var delays: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
    /// How much longer a wait may become by chance, as a part of it, 0 or more; 0.25 by default.
    ///
    /// Without it, all publishers that a server lost return at the same moment.
    public var jitter = 0.25
    /// Tries in a row that may fail before the output does; nil tries for ever.
    public var maximumFailures: Int?
    /// How long an output must have published before its failures count from zero again; 10 s by default.
    public var steadyTime: Duration = .seconds(10)

    /// Makes a policy that tries for ever.
    public init() {}

    /// A policy that never tries again.
    public static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.maximumFailures = 1
        return policy
    }

    /// How long to wait after so many failures in a row.
    ///
    /// - Parameters:
    ///   - failures: Tries that failed, 1 or more.
    ///   - random: 0 for no chance, 1 for the longest wait; clamped.
    /// - Returns: 0 or more.
    func delay(afterFailures failures: Int, random: Double) -> Duration {
        guard let last = delays.last else { return .zero }
        let delay = failures <= delays.count ? delays[max(failures, 1) - 1] : last
        return delay * (1 + max(0, jitter) * min(max(random, 0), 1))
    }
}
