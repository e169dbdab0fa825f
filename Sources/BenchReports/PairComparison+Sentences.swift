// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension PairComparison {
    /// What was found of the pair: which curves, then a sentence for each fact.
    ///
    /// - Parameter headline: What the encodes at the libraries' defaults are held against each other by.
    /// - Returns: A line that names the curves, and sentences with their full stops.
    func sentences(headline: Score?) -> [String] {
        var lines = ["\(test) against \(anchor), which counts as 100 %:"]
        if let answer = equalQuality.first, let score = Score.named(answer.score) {
            let share = Format.fixed((1 + answer.pchip) * 100, 1)
            lines += [
                "At equal quality it needs \(share) % of the bytes (\(score.title), BD-rate \(Format.change(answer.pchip))).",
                "Other joins: akima \(Format.change(answer.akima)), cubic \(Format.change(answer.cubic)).",
                "Lower half \(Format.change(answer.lowerHalf)), upper half \(Format.change(answer.upperHalf)).",
            ]
            if let low = answer.leaveOneOutLow, let high = answer.leaveOneOutHigh {
                lines.append("Leaving one point out: \(Format.change(low)) to \(Format.change(high)).")
            }
            let range = "\(Format.fixed(answer.overlapLow, score.decimals)) to \(score.text(answer.overlapHigh))"
            let shares = "\(Format.percent(answer.anchorShare)) and \(Format.percent(answer.testShare))"
            lines.append("Compared from \(range): \(shares) of the two curves.")
            let others = equalQuality.dropFirst().map { "\(Score.title(ofID: $0.score)) \(Format.change($0.pchip))" }
            if !others.isEmpty { lines.append("By other measures: \(others.joined(separator: ", ")).") }
        }
        lines += refusals.map { "No answer by \($0)." }
        if let atDefaults, let headline { lines += Self.sentences(atDefaults, headline, anchor: anchor) }
        return lines
    }

    private static func sentences(_ defaults: AtDefaults, _ score: Score, anchor: String) -> [String] {
        let share = Format.fixed(defaults.sizeRatio * 100, 1)
        let difference = score.text(abs(defaults.scoreDifference))
        let change = "\(difference) \(defaults.scoreDifference < 0 ? "lower" : "higher")"
        let atFirstSight =
            "At first sight (each library's default): \(share) % of the bytes, but \(score.title) is \(change): "
            + "not the same quality."
        return [atFirstSight]
            + (defaults.sizeRatioAtEqualScore.map {
                ["With that \(score.title) of \(anchor)'s default it needs \(Format.percent($0))."]
            } ?? [])
    }
}
