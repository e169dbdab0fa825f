// SPDX-License-Identifier: MIT

/// Maps the stamps that a device puts on what it captures to the system's monotonic clock: a pure value.
///
/// Devices stamp with the monotonic clock, with the time of day, or with a clock of their own that begins anywhere. All
/// times are microseconds. What comes out rises with each call, and is not later than now unless the clock is
/// the device's own, or several come at once.
struct StampClock: Sendable, Hashable {
    /// The clocks of the system at one moment.
    struct Reading: Sendable, Hashable {
        /// Microseconds of the monotonic clock.
        var monotonic: Int64
        /// Microseconds of the time of day since 1970.
        var wall: Int64

        /// How long ago a time was, or will be.
        fileprivate func age(_ time: Int64) -> UInt64 { (monotonic - time).magnitude }
    }

    /// Whose clock the stamps are of.
    enum Kind: Sendable, Hashable {
        case monotonic, wall
        /// One that begins where the device wants.
        case own
    }

    /// What the first stamp showed; nil before it.
    ///
    /// Where the time of day is set between that stamp and its arrival, it is taken to be of a clock of its own.
    private(set) var kind: Kind?
    /// What the own clock's zero is in the monotonic clock; nil where its first stamp is taken for now.
    private let origin: Int64?
    private let isKnownToBeOwn: Bool
    private let isBeforehand: Bool
    /// What is added to stamps.
    private var offset: Int64 = 0
    private var last: Int64?
    /// What the monotonic clock had more than the time of day at the last call.
    private var seen: Int64?
    /// Stamps that could not be used, for which the time of arrival stands.
    private(set) var unusable = 0

    /// How far a stamp may be from a clock for it to be that clock's: a minute.
    static let nearness: Int64 = 60_000_000
    /// By how much the time of day has to be moved against the monotonic clock to count as set: it is slewed too.
    static let step: Int64 = 1000
    /// The longest that a device may take from a stamp to handing out what it stamped: 10 s.
    static let longestDelay: Int64 = 10_000_000

    /// Makes a clock for a device.
    ///
    /// - Parameters:
    ///   - origin: What a clock of the device's own calls 0, in the monotonic clock; nil to take its first stamp for
    ///     now.
    ///   - isOwn: Whether the stamps are known to be of a clock of its own, as those of a graph are.
    ///   - isBeforehand: Whether a stamp is put on before its picture is taken, as a screen's is before the server is
    ///     asked: what was captured is then taken to be of the middle between stamp and arrival.
    init(origin: Int64? = nil, isOwn: Bool = false, isBeforehand: Bool = false) {
        self.origin = origin
        isKnownToBeOwn = isOwn
        self.isBeforehand = isBeforehand
    }

    /// The time of what was captured.
    ///
    /// - Parameters:
    ///   - stamp: The device's; nil where it has none.
    ///   - now: Both clocks when it arrived.
    /// - Returns: A time of the monotonic clock, at least 1 µs later than that of the last call.
    mutating func time(of stamp: Int64?, now: Reading) -> Int64 {
        var time = now.monotonic
        if let stamp {
            if kind == nil { start(stamp, now) }
            if let mapped = mapped(stamp, now) { time = mapped } else { unusable += 1 }
            if isBeforehand { time += (now.monotonic - time) / 2 }
        }
        // A device's own clock goes its own way, as a file's does.
        if kind != .own { time = min(time, now.monotonic) }
        if let last, time <= last { time = last + 1 }
        last = time
        return time
    }

    /// How long ago a stamp was put on; 0 for one that could not be used.
    func age(of stamp: Int64?, now: Reading) -> Int64 {
        guard let stamp else { return 0 }
        var clock = self
        if clock.kind == nil { clock.start(stamp, now) }
        return clock.mapped(stamp, now).map { max(now.monotonic - $0, 0) } ?? 0
    }

    private mutating func start(_ stamp: Int64, _ now: Reading) {
        func isNear(_ clock: Int64) -> Bool {
            let (distance, isTooFar) = clock.subtractingReportingOverflow(stamp)
            return !isTooFar && distance.magnitude <= Self.nearness.magnitude
        }
        if !isKnownToBeOwn, isNear(now.monotonic) {
            (kind, offset) = (.monotonic, 0)
        } else if !isKnownToBeOwn, isNear(now.wall) {
            (kind, offset) = (.wall, now.monotonic - now.wall)
        } else {
            let (difference, isTooFar) = (origin ?? now.monotonic).subtractingReportingOverflow(
                origin == nil ? stamp : 0)
            (kind, offset) = (.own, isTooFar ? 0 : difference)
        }
    }

    /// A stamp's time; nil where it is none that the device could have meant.
    private mutating func mapped(_ stamp: Int64, _ now: Reading) -> Int64? {
        let earlier = stamp.addingReportingOverflow(offset)
        if kind == .own {
            return earlier.overflow || !(0...Self.farthest).contains(earlier.partialValue) ? nil : earlier.partialValue
        }
        if kind == .wall {
            let current = now.monotonic - now.wall
            defer { seen = current }
            // Where the time of day was set, what was stamped before that is right with the difference of before.
            let offsets = [offset, seen ?? offset, current].filter { abs($0 - offset) > Self.step || $0 == offset }
            let times = offsets.map { ($0, stamp.addingReportingOverflow($0)) }
                .filter { !$1.overflow && isPlausible($1.partialValue, now) }
            // What a device gives is fresh.
            guard let best = times.min(by: { now.age($0.1.partialValue) < now.age($1.1.partialValue) }) else {
                return nil
            }
            offset = best.0
            return best.1.partialValue
        }
        return earlier.overflow || !isPlausible(earlier.partialValue, now) ? nil : earlier.partialValue
    }

    /// The latest time that sums with others stay exact for: 285 years.
    private static let farthest = Int64.max / 1024

    private func isPlausible(_ time: Int64, _ now: Reading) -> Bool {
        time >= now.monotonic - Self.longestDelay && time <= now.monotonic + Self.nearness
    }
}
