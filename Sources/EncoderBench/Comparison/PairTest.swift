// SPDX-License-Identifier: MIT

import Glibc

extension ComparisonReport {
    /// Whether one pair of curves saves more than another over the clips that both answer.
    package struct PairTest: Codable, Equatable, Sendable {
        /// The report's first pair, which the other is held against.
        package var firstAnchor: String
        package var firstTest: String
        /// The other.
        package var anchor: String
        package var test: String
        /// What was held equal within each pair.
        package var score: String
        /// Clips that gave an answer for both.
        package var clips: Int
        /// Clips on which the other pair's share of the bytes is less than the first's.
        package var clipsWithLess: Int
        /// The other pair's share of the bytes beside the first's, geometric mean over these clips: -0.1 is 10 % less.
        package var shareChange: Double
        /// How often chance alone would be as one-sided: ``SignedRankTest`` of the ratios' logarithms, 0 to 1.
        package var probability: Double

        package init(
            firstAnchor: String, firstTest: String, anchor: String, test: String, score: String, clips: Int,
            clipsWithLess: Int, shareChange: Double, probability: Double
        ) {
            self.firstAnchor = firstAnchor
            self.firstTest = firstTest
            self.anchor = anchor
            self.test = test
            self.score = score
            self.clips = clips
            self.clipsWithLess = clipsWithLess
            self.shareChange = shareChange
            self.probability = probability
        }

        enum CodingKeys: String, CodingKey {
            case anchor, test, score, clips, probability
            case firstAnchor = "first_anchor"
            case firstTest = "first_test"
            case clipsWithLess = "clips_with_less"
            case shareChange = "share_change"
        }
    }
}

extension [ComparisonReport.Clip] {
    /// The test of each pair against the first one, in the order of the pairs; none where fewer than two clips answer
    /// both.
    ///
    /// - Parameters:
    ///   - pairs: The names of the curves that are held against each other.
    ///   - score: What is held equal.
    /// - Returns: A test for each pair but the first.
    func tests(of pairs: [(anchor: String, test: String)], score: String) -> [ComparisonReport.PairTest] {
        guard let first = pairs.first else { return [] }
        return pairs.dropFirst().compactMap { pair in
            let logarithms = compactMap { clip -> Double? in
                func share(_ pair: (anchor: String, test: String)) -> Double? {
                    clip.pairs.first { $0.anchor == pair.anchor && $0.test == pair.test }?
                        .equalQuality.first { $0.score == score }.map { 1 + $0.pchip }
                }
                guard let own = share(pair), let other = share(first), own > 0, other > 0 else { return nil }
                return log(own / other)
            }
            guard logarithms.count > 1, let test = SignedRankTest(logarithms) else { return nil }
            return ComparisonReport.PairTest(
                firstAnchor: first.anchor, firstTest: first.test, anchor: pair.anchor, test: pair.test, score: score,
                clips: logarithms.count, clipsWithLess: logarithms.count { $0 < 0 },
                shareChange: exp(logarithms.reduce(0, +) / Double(logarithms.count)) - 1,
                probability: test.probability)
        }
    }
}
