// SPDX-License-Identifier: MIT

/// Chooses the leaky bucket that keeps the data-rate limits, or that a constant or variable rate is asked for with, and
/// lets the average reach its target: pure.
///
/// A bucket of `b` bits that empties at `r` bit/s lets any window of T seconds carry at most `r·T + b`. Each limit of L
/// bytes in T seconds therefore asks for `r·T + b <= 8·L`, unless the session steers the encoder within the limit. (The
/// tempting `r = 8L/T, b = 8L` allows twice the limit.)
struct RatePlanner {
    let configuration: SessionConfiguration
    /// What the level allows, where one is named or pinned.
    var bounds: LevelPlanner.Bounds?
    /// ``EncoderCapabilities/leastBufferShare``.
    let leastBufferShare: Double
    /// Whether the session chooses quantizers of pictures, and each comes out before the next is given.
    var isSteered = false
    /// Of the encoder that is opened.
    let framesPerSecond: Double

    /// Without limits, the buffer of a bit-rate mode holds so many seconds at the average (the default of
    /// VideoToolbox's VBVBufferDuration).
    static let defaultBufferSeconds = 2.5
    /// With so many seconds of a constant rate in the buffer, no second carries more than 1.15 times it.
    static let constantBufferSeconds = 0.15
    /// How many times a variable rate its peak is, where none is asked for.
    static let defaultPeak = 2
    /// Windows of so many seconds or more hold enough pictures for the session to steer within them.
    static let leastSteeredSeconds = 1.0

    private var live: LiveSettings { configuration.live }

    /// The least share of a limit over so many seconds that the buffer gets: the shorter the window, the more of it a
    /// key frame needs (decision 0002).
    private func leastBufferShare(seconds: Double) -> Double { min(leastBufferShare / seconds.squareRoot(), 0.5) }

    /// Whether the session keeps a limit, so that the bucket may let a window of it carry more.
    ///
    /// A mode without a rate would always ask for more, and frames would be dropped (decision 0002).
    private func isSteered(seconds: Double) -> Bool {
        isSteered && live.rateControl.bitsPerSecond != nil && seconds >= Self.leastSteeredSeconds
    }

    struct Plan {
        var rate: LiveParameters.Rate
        var adjustments: [Adjustment] = []
    }

    func plan() throws(EncoderError) -> Plan {
        try checkLevel()
        switch live.rateControl {
        case .constantBitRate(let rate): return try verified(filledAt: rate, seconds: Self.constantBufferSeconds)
        case .variableBitRate(let rate):
            return try verified(filledAt: peak(of: rate), seconds: Self.defaultBufferSeconds)
        default: return try averaged()
        }
    }

    private func averaged() throws(EncoderError) -> Plan {
        guard let limited = tightestBucket() else { return unlimited() }
        var plan = Plan(rate: .init(live.rateControl, buffer: limited))
        if let average = live.rateControl.bitsPerSecond, average > limited.peakBitsPerSecond {
            plan.rate.control.bitsPerSecond = limited.peakBitsPerSecond
            plan.adjustments.append(
                Adjustment(
                    .averageBitRate, requested: "\(average) bit/s", used: "\(limited.peakBitsPerSecond) bit/s",
                    reason: "the data-rate limits allow no more"))
        }
        return plan
    }

    // MARK: - A buffer that is asked for

    /// The highest rate around a variable one.
    private func peak(of rate: Int) throws(EncoderError) -> Int {
        guard let asked = live.vbvMaxBitRate else {
            let most = min(configuration.bitRateCeiling ?? .max, bounds?.bitsPerSecond ?? .max)
            return max(min(rate * Self.defaultPeak, most, RateControl.legalBitRates.upperBound), rate)
        }
        guard asked <= bounds?.bitsPerSecond ?? .max else {
            throw EncoderError(
                .conflictingSettings,
                reason: "VBVMaxBitRate \(asked) bit/s with a level that allows \(bounds?.bitsPerSecond ?? 0) bit/s",
                setting: .vbvMaxBitRate)
        }
        return asked
    }

    /// The buffer of so many seconds, unless another duration is asked for, within what level and pictures need.
    private func verified(filledAt peak: Int, seconds usual: Double) throws(EncoderError) -> Plan {
        let seconds = live.vbvBufferDuration ?? usual
        let wanted = (Double(peak) * seconds).rounded(.down)
        // What one picture takes in, and a unit of those that libraries count in; they make a smaller buffer larger.
        let least = max((Double(peak) / max(framesPerSecond, 0.01)).rounded(.up), 1000)
        let most = Double(bounds?.bufferBits ?? .max)
        guard least <= most else {
            throw EncoderError(
                .conflictingSettings,
                reason: "\(peak) bit/s at \(framesPerSecond) frames per second with a level that allows a buffer of "
                    + "\(Int(most)) bits", setting: .profileLevel)
        }
        // Libraries that count in 1000 bits round down, and would lower the rate to what fills the rest in one picture.
        let bits = min(wanted < least ? (least / 1000).rounded(.up) * 1000 : wanted, most)
        var plan = Plan(rate: .init(live.rateControl, buffer: BufferModel(peakBitsPerSecond: peak, bits: Int(bits))))
        if bits != wanted, live.vbvBufferDuration != nil {
            plan.adjustments.append(
                Adjustment(
                    .vbvBufferDuration, requested: "\(seconds) seconds", used: "\(bits / Double(peak)) seconds",
                    reason: bits > wanted
                        ? "the buffer must hold what one picture takes in" : "the level allows no more"))
        }
        return plan
    }

    // MARK: - An average, or no rate

    private func unlimited() -> Plan {
        guard let average = live.rateControl.bitsPerSecond else { return Plan(rate: .init(live.rateControl)) }
        let bits = min(Int((Double(average) * Self.defaultBufferSeconds).rounded(.down)), bounds?.bufferBits ?? .max)
        return Plan(
            rate: .init(live.rateControl, buffer: BufferModel(peakBitsPerSecond: average, bits: bits)))
    }

    /// The bucket within all limits that gives the average its rate and the rest to the buffer; nil without limits.
    ///
    /// A mode without a rate takes all the rate that leaves the buffer its least share. Within a limit that the session
    /// steers, the average gets its rate as far as the limit's, and the buffer has its least share besides.
    private func tightestBucket() -> BufferModel? {
        let limits = live.dataRateLimits.map { (bits: Double($0.bytes) * 8, seconds: $0.seconds) }
        guard var wanted = limits.map({ $0.bits / $0.seconds }).min() else { return nil }
        if let average = live.rateControl.bitsPerSecond { wanted = Double(average) }
        if let ceiling = configuration.bitRateCeiling { wanted = min(wanted, Double(ceiling)) }
        if let bounds { wanted = min(wanted, Double(bounds.bitsPerSecond)) }
        let mostPeak = limits.map { limit in
            let share = isSteered(seconds: limit.seconds) ? 0 : leastBufferShare(seconds: limit.seconds)
            return limit.bits * (1 - share) / limit.seconds
        }
        let peak = min(wanted, mostPeak.min() ?? wanted).rounded(.down)
        let buffers = limits.map { limit in
            let rest = limit.bits - peak * limit.seconds
            guard isSteered(seconds: limit.seconds) else { return rest }
            return max(rest, limit.bits * leastBufferShare(seconds: limit.seconds))
        }
        let bits = buffers.min() ?? 0
        return BufferModel(
            peakBitsPerSecond: Int(peak), bits: min(Int(bits.rounded(.down)), bounds?.bufferBits ?? .max))
    }

    /// An average above the ceiling, and the ceiling; nil where it is not.
    static func excess(in configuration: SessionConfiguration) -> (average: Int, ceiling: Int)? {
        guard let ceiling = configuration.bitRateCeiling, let average = configuration.live.rateControl.bitsPerSecond,
            average > ceiling
        else { return nil }
        return (average, ceiling)
    }

    private func checkLevel() throws(EncoderError) {
        guard let most = bounds?.bitsPerSecond, let average = live.rateControl.bitsPerSecond, average > most else {
            return
        }
        throw EncoderError(
            .conflictingSettings, reason: "average bit rate \(average) bit/s with a level that allows \(most) bit/s",
            setting: .profileLevel)
    }
}
