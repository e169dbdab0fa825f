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
    /// The last try failed, for this reason, in a way that may pass; the next one starts at this time.
    case backingOff(until: ContinuousClock.Instant, PublishingError)
    /// The output is over, and not complete, for this reason.
    ///
    /// `.timedOut` or `.cancelled` where it was given up while packets waited, or while its file or connection was
    /// being completed; `.timedOut` where its first try had not ended in the time to finish in; the failure of its last
    /// try where it was finished or cancelled while it had no connection; `.timedOut` where it had one, but no key
    /// frame to begin with had come.
    case failed(PublishingError)
    /// The output was finished, or cancelled when nothing waited, and what it has goes up to the source's end.
    ///
    /// What a live output left out for want of room, the last packets too, is told by ``DropReport``.
    case ended

    /// Whether packets are taken, which takes less time than to compare states with all that they hold.
    var isPublishing: Bool { if case .publishing = self { true } else { false } }

    /// Whether nothing can follow.
    public var isFinal: Bool {
        switch self {
        case .failed, .ended: true
        case .idle, .connecting, .publishing, .backingOff: false
        }
    }
}

extension PublishState: CustomStringConvertible {
    /// The state's name; of one that has a reason the reason too, and how long it is to the next try.
    public var description: String { description(at: .now) }

    /// ``description`` as it is at a time.
    func description(at now: ContinuousClock.Instant) -> String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .publishing: "publishing"
        case .backingOff(let time, let error):
            "tries again in \(Self.tenths(max(.zero, time - now))) s: \(error.reason)"
        case .failed(let error): "failed: \(error.reason)"
        case .ended: "ended"
        }
    }

    /// Seconds with one digit behind the point.
    private static func tenths(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// How often, and how soon, an output tries again after what may pass.
public struct RetryPolicy: Sendable, Hashable {
    /// How long to wait before each further try, in order, the last one before all that follow: one or more, each 1 ms
    /// to a day; 0.5, 1, 2, 4 and 8 s by default.
    public var delays: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
    /// How much longer a wait may become by chance, as a part of it, 0 to 10; 0.25 by default.
    ///
    /// Without it, all publishers that a server lost return at the same moment.
    public var jitter = 0.25
    /// Tries in a row that may fail before the output does, 1 or more; nil, the default, tries for ever.
    public var maximumFailures: Int?
    /// How long an output must have published before its failures count from zero again, 0 to a day; 10 s by default.
    public var steadyTime: Duration = .seconds(10)

    /// Makes a policy that tries for ever.
    public init() {}

    /// A policy that never tries again.
    public static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.maximumFailures = 1
        return policy
    }

    /// - Throws: ``PublishingError`` with `.invalidValue` for a value out of its range.
    func check() throws(PublishingError) {
        let day = Duration.seconds(86_400)
        func refused(_ what: String, expected: String) -> PublishingError {
            PublishingError(.invalidValue, reason: "\(what), expected \(expected)")
        }
        guard !delays.isEmpty else { throw refused("no delays between tries", expected: "one or more") }
        for delay in delays where !(.milliseconds(1)...day).contains(delay) {
            throw refused("a delay of \(delay) between tries", expected: "1 ms to a day")
        }
        guard (0...10).contains(jitter) else { throw refused("jitter \(jitter)", expected: "0...10") }
        guard maximumFailures ?? 1 > 0 else {
            throw refused("\(maximumFailures ?? 0) failures at most", expected: "1 or more, or nil")
        }
        guard (.zero...day).contains(steadyTime) else {
            throw refused("a steady time of \(steadyTime)", expected: "0 to a day")
        }
    }

    /// How long to wait after so many failures in a row, by a policy that was checked.
    ///
    /// - Parameters:
    ///   - failures: Tries that failed, 1 or more.
    ///   - random: 0 for no chance, 1 for the longest wait; clamped.
    /// - Returns: 0 or more.
    func delay(afterFailures failures: Int, random: Double) -> Duration {
        let delay = delays[min(max(failures, 1), delays.count) - 1]
        return delay * (1 + jitter * min(max(random, 0), 1))
    }
}
