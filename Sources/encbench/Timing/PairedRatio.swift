// SPDX-License-Identifier: MIT

/// How many times as much one of two things takes, from rounds in which both were measured.
struct PairedRatio: Codable, Equatable, Sendable {
    /// The median of the rounds' ratios.
    var median: Double
    /// Lower end of the median's 95 % interval, by bootstrap; nil for fewer than ``minimumRounds``.
    var low: Double?
    /// Upper end.
    var high: Double?

    /// Rounds that an interval takes: the least and the largest of fewer values hold the true median too seldom.
    static let minimumRounds = 5

    /// Takes ratios within rounds, so that what slows a whole round down cancels out; nil without rounds.
    ///
    /// - Parameters:
    ///   - test: What the one thing took, round by round.
    ///   - anchor: What the other took in the same rounds, more than 0 each.
    ///   - resamples: Rounds are drawn anew so many times for the interval.
    init?(test: [Double], anchor: [Double], resamples: Int = 2000) {
        let ratios = zip(test, anchor).map { $0 / $1 }
        guard let median = Self.median(ratios), ratios.allSatisfy(\.isFinite) else { return nil }
        self.median = median
        guard ratios.count >= Self.minimumRounds else { return }
        // The same rounds give the same interval.
        var generator = SplitMix64(state: UInt64(ratios.count))
        let medians = (0..<resamples).compactMap { _ in
            Self.median(ratios.map { _ in ratios[Int.random(in: 0..<ratios.count, using: &generator)] })
        }.sorted()
        low = medians[resamples / 40]
        high = medians[resamples - 1 - resamples / 40]
    }

    /// What ratios of so many rounds are, in words.
    static func kind(rounds: Int) -> String {
        rounds < minimumRounds
            ? "Medians without intervals, which take \(minimumRounds) rounds or more" : "Medians with 95 % intervals"
    }

    /// The middle value, or the mean of the two in the middle; nil without values.
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Steele, Lea and Flood's SplitMix64: numbers that follow from a seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z &>> 31)
    }
}
