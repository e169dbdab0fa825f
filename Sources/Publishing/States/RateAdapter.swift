// SPDX-License-Identifier: MIT

/// Chooses the encoder's bit rate, and how many frames it gets, by what the network takes: a pure value.
///
/// It is told once a second how much media time waits to be sent and how many bytes went out. When half a second waits,
/// the rate falls by 30 %, or further to 85 % of what went out, in one step to no less than 23 % of what it was, and
/// that at most every three seconds; at the lowest rate, frames are left out before the encoder. After ten seconds in
/// which hardly anything waited, it rises by 5 % a second, as long as that stays so. The caller's newest rate is the
/// ceiling.
public struct RateAdapter: Sendable {
    /// When something is done, and how much.
    public struct Limits: Sendable, Hashable {
        /// Media time waiting at which the rate falls, ``calmAge`` to an hour; 0.5 s by default.
        public var congestedAge: Duration = .milliseconds(500)
        /// Media time waiting below which the network is taken to have room, 0 to an hour; 0.1 s by default.
        public var calmAge: Duration = .milliseconds(100)
        /// How long the network must have room before the rate rises, 0 to an hour; 10 s by default.
        public var calmTime: Duration = .seconds(10)
        /// The least time from one fall of the rate to the next, 0 to an hour; 3 s by default.
        public var pause: Duration = .seconds(3)
        /// What a fall leaves of the rate, more than 0 and less than 1; 0.7 by default.
        public var fall = 0.7
        /// What a rise makes of the rate, more than 1 and less than 10; 1.05 by default.
        public var rise = 1.05
        /// The largest number of frames of which one is encoded, 1 to 1000; 4 by default, 1 to encode all.
        public var largestFrameDivisor = 4

        /// Makes the default limits.
        public init() {}
    }

    /// What the network did in the time since the sample before.
    public struct Sample: Sendable, Hashable {
        /// Media time from the oldest to the newest packet that waits to be sent.
        public var queueAge: Duration
        /// Bytes that were sent.
        public var bytesSent: Int

        /// Makes a sample.
        public init(queueAge: Duration, bytesSent: Int) {
            self.queueAge = queueAge
            self.bytesSent = bytesSent
        }
    }

    /// What the encoder is to do from now on.
    public struct Decision: Sendable, Hashable {
        /// The mean rate in bit/s.
        public var bitsPerSecond: Int
        /// One of so many frames is given to the encoder; 1 for all.
        public var frameDivisor: Int

        /// Puts a decision together.
        public init(bitsPerSecond: Int, frameDivisor: Int) {
            self.bitsPerSecond = bitsPerSecond
            self.frameDivisor = frameDivisor
        }
    }

    /// The lowest rate in bit/s.
    public let floor: Int
    /// The caller's rate in bit/s, which is never exceeded.
    public private(set) var ceiling: Int
    /// What is in force.
    public private(set) var decision: Decision
    private let limits: Limits
    private var lastFall: ContinuousClock.Instant?
    private var calmSince: ContinuousClock.Instant?
    private var lastSample: ContinuousClock.Instant?
    /// The rate before a row of rises, to which the first sign of waiting returns; nil where the rate is not rising.
    private var tried: Decision?

    /// Makes an adapter that begins at the caller's rate.
    ///
    /// - Parameters:
    ///   - ceiling: The caller's rate in bit/s, 1000 to 1,000,000,000.
    ///   - floor: The lowest rate in bit/s, 1000 or more; what is above the ceiling counts as the ceiling.
    ///   - limits: When something is done, and how much.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range.
    public init(ceiling: Int, floor: Int, limits: Limits = Limits()) throws(PublishingError) {
        let legal = 1000...1_000_000_000
        for (name, rate) in [("ceiling", ceiling), ("floor", floor)] where !legal.contains(rate) {
            throw PublishingError(
                .invalidValue, reason: "\(name) of \(rate) bit/s, expected \(legal.lowerBound)...\(legal.upperBound)")
        }
        guard limits.fall > 0, limits.fall < 1, limits.rise > 1, limits.rise < 10 else {
            throw PublishingError(
                .invalidValue,
                reason: "rates that fall to \(limits.fall) and rise to \(limits.rise), expected more than 0 and less "
                    + "than 1, and more than 1 and less than 10")
        }
        let hour = Duration.seconds(3600)
        for (name, time, shortest) in [
            ("congested age", limits.congestedAge, limits.calmAge), ("calm age", limits.calmAge, .zero),
            ("calm time", limits.calmTime, .zero), ("pause", limits.pause, .zero),
        ] where time < shortest || time > hour {
            throw PublishingError(.invalidValue, reason: "\(name) \(time), expected \(shortest) to \(hour)")
        }
        guard (1...1000).contains(limits.largestFrameDivisor) else {
            throw PublishingError(
                .invalidValue, reason: "one of \(limits.largestFrameDivisor) frames, expected one of 1...1000")
        }
        self.floor = floor
        self.ceiling = ceiling
        self.limits = limits
        decision = Decision(bitsPerSecond: ceiling, frameDivisor: 1)
    }
}

// MARK: - Deciding

extension RateAdapter {
    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - sample: What the network did since the sample before.
    ///   - now: When it was taken, later than the one before.
    /// - Returns: What the encoder is to do, where that changes.
    public mutating func observe(_ sample: Sample, at now: ContinuousClock.Instant) -> Decision? {
        let before = decision
        let elapsed = lastSample.map { now - $0 }
        lastSample = now
        if sample.queueAge >= limits.congestedAge {
            calmSince = nil
            fall(sample, elapsed, at: now)
        } else if sample.queueAge >= limits.calmAge {
            calmSince = nil
            // A rise was too much: what was there before it is known to fit.
            if let tried { decision = tried }
            tried = nil
        } else {
            let start = calmSince ?? now
            calmSince = start
            if now - start >= limits.calmTime { rise() }
        }
        return decision == before ? nil : decision
    }

    /// Takes the caller's new rate.
    ///
    /// A rate that had not fallen is the new ceiling at once; one that had stays, as far as the ceiling allows, and
    /// rises in its time.
    ///
    /// - Parameter ceiling: The rate in bit/s, 1000 to 1,000,000,000; clamped.
    /// - Returns: What the encoder is to do, where that changes.
    public mutating func setCeiling(_ ceiling: Int) -> Decision? {
        let before = decision
        let isUnchanged = decision.bitsPerSecond == self.ceiling
        self.ceiling = min(max(ceiling, 1000), 1_000_000_000)
        decision.bitsPerSecond = isUnchanged ? self.ceiling : min(decision.bitsPerSecond, self.ceiling)
        if let tried {
            self.tried = Decision(
                bitsPerSecond: min(tried.bitsPerSecond, self.ceiling), frameDivisor: tried.frameDivisor)
        }
        return decision == before ? nil : decision
    }

    /// Forgets what was measured, not what was decided: another connection begins.
    public mutating func reconnect() {
        (lastFall, calmSince, lastSample, tried) = (nil, nil, nil, nil)
    }

    private mutating func fall(_ sample: Sample, _ elapsed: Duration?, at now: ContinuousClock.Instant) {
        if let lastFall, now - lastFall < limits.pause { return }
        lastFall = now
        let lowest = min(floor, ceiling)
        if let tried { decision = tried }
        tried = nil
        guard decision.bitsPerSecond > lowest else {
            decision.frameDivisor = min(decision.frameDivisor * 2, limits.largestFrameDivisor)
            return
        }
        var rate = Double(decision.bitsPerSecond) * limits.fall
        // What went out while packets waited is what the network takes: more would wait too. A standstill says less.
        if let elapsed, elapsed > .zero {
            let taken = Double(sample.bytesSent) * 8 / (elapsed / .seconds(1)) * Self.headroom
            rate = min(rate, max(taken, rate / 3))
        }
        decision.bitsPerSecond = max(Int(rate.rounded()), lowest)
    }

    private mutating func rise() {
        guard decision.frameDivisor > 1 || decision.bitsPerSecond < ceiling else {
            tried = nil
            return
        }
        if tried == nil { tried = decision }
        if decision.frameDivisor > 1 {
            decision.frameDivisor /= 2
        } else {
            decision.bitsPerSecond = min(ceiling, Int((Double(decision.bitsPerSecond) * limits.rise).rounded(.up)))
        }
    }

    /// The part of what the network took that is asked for after a fall, so that what waits can go out.
    private static let headroom = 0.85
}
