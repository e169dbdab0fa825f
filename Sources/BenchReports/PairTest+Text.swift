// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

extension ComparisonReport {
    /// Whether other pairs save more than the first, a sentence each, and what several such sentences are worth.
    var pairTestSentences: [String] {
        pairTests.map(\.sentence)
            + (pairTests.count > 1
                ? [
                    "These are \(pairTests.count) tests: the more there are, the likelier it is that one of them looks rare "
                        + "by chance."
                ] : [])
    }
}

extension ComparisonReport.PairTest {
    /// "x265 slow saved more than x265 medium, both against x264 medium, on 11 of 13 clips, its share of the bytes
    /// being 3.2 % smaller in the mean: ...", with its full stop.
    var sentence: String {
        let (own, other) =
            anchor == firstAnchor
            ? (test, "\(firstTest), both against \(anchor),")
            : ("\(test) against \(anchor)", "\(firstTest) against \(firstAnchor)")
        let (word, size) = shareChange < 0 ? ("more", "smaller") : ("less", "larger")
        let count = shareChange < 0 ? clipsWithLess : clips - clipsWithLess
        let least = SignedRankTest.leastProbability(count: clips)
        let few = least > 0.05 ? "; \(clips) clips cannot give less than \(Self.text(least)) of 100" : ""
        return "\(own) saved \(word) than \(other) on \(count) of \(clips) clips, its share of the bytes being "
            + "\(Format.percent(abs(shareChange))) \(size) in the mean: were neither better, \(clips) clips would be as "
            + "one-sided by chance in \(Self.text(probability)) of 100 such comparisons (Wilcoxon's signed-rank test, exact, "
            + "two-sided)\(few)."
    }

    /// A probability in hundredths: "4.1", "0.02", "less than 0.01".
    private static func text(_ probability: Double) -> String {
        if probability < 0.000_1 { return "less than 0.01" }
        return Format.fixed(probability * 100, probability < 0.01 ? 2 : 1)
    }
}
