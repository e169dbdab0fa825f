// SPDX-License-Identifier: MIT

/// Wilcoxon's signed-rank test of paired differences, exact: how often as many differences whose signs are those of a
/// fair coin would be as one-sided.
///
/// Differences of 0 are left out, and equally large ones share the mean of their ranks; the distribution is that of
/// these very ranks, so that it is exact with ties too. Nothing is assumed of how the differences are distributed but
/// that without an effect either sign is as likely.
package struct SignedRankTest: Equatable, Sendable {
    /// Differences that are not 0.
    package let count: Int
    /// The sum of the ranks of differences over 0.
    package let positiveRanks: Double
    /// The sum of the ranks of those under 0.
    package let negativeRanks: Double
    /// The probability, on both sides together, of sums that are at least as far apart; 1 without differences.
    package let probability: Double

    /// Takes finite differences; nil where one is not.
    package init?(_ differences: [Double]) {
        guard differences.allSatisfy(\.isFinite) else { return nil }
        let sorted = differences.filter { $0 != 0 }.sorted { abs($0) < abs($1) }
        // Twice the ranks are whole numbers, also where ties share them.
        var (doubled, start): ([Int], Int) = ([], 0)
        while start < sorted.count {
            let end = sorted[start...].firstIndex { abs($0) != abs(sorted[start]) } ?? sorted.count
            doubled += [Int](repeating: start + 1 + end, count: end - start)
            start = end
        }
        let positive = zip(sorted, doubled).reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }
        let total = doubled.reduce(0, +)
        count = sorted.count
        (positiveRanks, negativeRanks) = (Double(positive) / 2, Double(total - positive) / 2)
        let least = min(positive, total - positive)
        // From both ends alike, which meet where the sums are equal.
        probability = min(1, 2 * Self.share(upTo: least, of: doubled))
    }

    /// How many of all choices of signs give a sum of the positive ranks of no more than `limit`, as a share.
    private static func share(upTo limit: Int, of ranks: [Int]) -> Double {
        var shares = [Double](repeating: 0, count: limit + 1)
        shares[0] = 1
        for rank in ranks {
            for sum in stride(from: limit, through: 0, by: -1) {
                shares[sum] = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2
            }
        }
        return shares.reduce(0, +)
    }

    /// The least probability that so many differences can have: all of one sign.
    package static func leastProbability(count: Int) -> Double {
        (0..<max(count - 1, 0)).reduce(1) { share, _ in share / 2 }
    }
}
