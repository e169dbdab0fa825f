// SPDX-License-Identifier: MIT

import Glibc

/// How many times as much one of two things takes, from rounds in which both were measured.
package struct PairedRatio: Codable, Equatable, Sendable {
    /// The median of the rounds' ratios.
    package var median: Double
    /// Lower end of the median's 95 % interval, one of the rounds' ratios; nil for fewer than ``minimumRounds``.
    package var low: Double?
    /// Upper end.
    package var high: Double?

    /// Rounds that an interval takes: the least and the largest of fewer values hold the true median too seldom.
    package static let minimumRounds = 6

    /// Takes ratios within rounds, so that what slows a whole round down cancels out; nil without rounds.
    ///
    /// - Parameters:
    ///   - test: What the one thing took, round by round.
    ///   - anchor: What the other took in the same rounds, more than 0 each.
    package init?(test: [Double], anchor: [Double]) {
        let ratios = zip(test, anchor).map { $0 / $1 }.sorted()
        guard let median = Self.median(ratios), ratios.allSatisfy(\.isFinite) else { return nil }
        self.median = median
        guard let place = Self.place(count: ratios.count) else { return }
        (low, high) = (ratios[place], ratios[ratios.count - 1 - place])
    }

    /// How far from either end of so many sorted values the ends of their median's 95 % interval are; nil for too few.
    ///
    /// Each independent ratio is below the true median with probability 1/2: no more than `place` are on one side in
    /// 2.5 of 100 cases or fewer.
    package static func place(count: Int) -> Int? {
        var logarithm = -Double(count) * log(2)
        var (share, place) = (exp(logarithm), -1)
        while share <= 0.025 {
            place += 1
            logarithm += log(Double(count - place) / Double(place + 1))
            share += exp(logarithm)
        }
        return place < 0 ? nil : place
    }

    /// The middle value, or the mean of the two in the middle; nil without values.
    package static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
