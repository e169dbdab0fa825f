// SPDX-License-Identifier: MIT

/// Chooses the leaky bucket that keeps the data-rate limits and lets the average reach its target: pure.
///
/// A bucket of `b` bits that empties at `r` bit/s lets any window of T seconds carry at most `r·T + b`. Each limit of L
/// bytes in T seconds therefore asks for `r·T + b <= 8·L`. (The tempting `r = 8L/T, b = 8L` allows twice the limit.)
struct RatePlanner {
    let configuration: SessionConfiguration
    /// What the level allows, where one is named or pinned.
    var bounds: LevelPlanner.Bounds?
    /// ``EncoderCapabilities/leastBufferShare``.
    let leastBufferShare: Double

    /// Without limits, the buffer of a bit-rate mode holds so many seconds at the average (the default of
    /// VideoToolbox's VBVBufferDuration).
    static let defaultBufferSeconds = 2.5

    private var live: LiveSettings { configuration.live }

    /// The least share of a limit over so many seconds that the buffer gets: the shorter the window, the more of it a
    /// key frame needs (decision 0002).
    private func leastBufferShare(seconds: Double) -> Double { min(leastBufferShare / seconds.squareRoot(), 0.5) }

    struct Plan {
        var rate: LiveParameters.Rate
        var adjustments: [Adjustment] = []
    }

    func plan() throws(EncoderError) -> Plan {
        try checkLevel()
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

    private func unlimited() -> Plan {
        guard let average = live.rateControl.bitsPerSecond else { return Plan(rate: .init(live.rateControl)) }
        let bits = min(Int((Double(average) * Self.defaultBufferSeconds).rounded(.down)), bounds?.bufferBits ?? .max)
        return Plan(
            rate: .init(live.rateControl, buffer: BufferModel(peakBitsPerSecond: average, bits: bits)))
    }

    /// The bucket within all limits that gives the average its rate and the rest to the buffer; nil without limits.
    private func tightestBucket() -> BufferModel? {
        let limits = live.dataRateLimits.map { (bits: Double($0.bytes) * 8, seconds: $0.seconds) }
        guard let sustained = limits.map({ $0.bits / $0.seconds }).min() else { return nil }
        var wanted = sustained / 2
        if let average = live.rateControl.bitsPerSecond { wanted = Double(average) }
        if let ceiling = configuration.bitRateCeiling { wanted = min(wanted, Double(ceiling)) }
        if let bounds { wanted = min(wanted, Double(bounds.bitsPerSecond)) }
        let mostPeak =
            limits.map { $0.bits * (1 - leastBufferShare(seconds: $0.seconds)) / $0.seconds }.min() ?? wanted
        let peak = min(wanted, mostPeak).rounded(.down)
        let bits = limits.map { $0.bits - peak * $0.seconds }.min() ?? 0
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
