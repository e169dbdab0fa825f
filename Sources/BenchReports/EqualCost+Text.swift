// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

extension ComparisonReport {
    /// What follows of equal CPU time, a sentence each: of encoders with several curves, whose interpolation somebody
    /// may have asked for.
    var equalCostSentences: [String] { equalCost.filter(\.isOfSeveral).map(sentence) }

    /// Why encoders with one curve give no such answer, a sentence each.
    var singleCostSentences: [String] { equalCost.filter { !$0.isOfSeveral }.map(sentence) }

    /// "At the same CPU time as x264 slow, x265 needs 81.6 % of the bytes, between x265 superfast and x265 veryfast.",
    /// with the 95 % interval of three clips and more, and the clips that tell where these are not all; or why there is
    /// no such number.
    private func sentence(_ cost: EqualCost) -> String {
        let name = cost.family.name(among: families.values)
        guard let change = cost.rateChange else {
            return "What \(name) needs at the same CPU time as \(cost.anchor) is not known: \(cost.refusal ?? "")."
        }
        let clips = cost.clips < self.clips.count ? ", on \(cost.clips) of \(self.clips.count) clips" : ""
        var interval = ""
        if let low = cost.low, let high = cost.high {
            interval =
                ", 95 % interval \(Format.percent(1 + low)) to \(Format.percent(1 + high))"
                + (cost.isUndecided ? ", which is not decided" : "")
        }
        let share = Format.percent(1 + change)
        return "At the same CPU time as \(cost.anchor), \(name) needs \(share) of the bytes\(interval), "
            + "\(cost.neighbors)\(clips)."
    }
}

extension EqualCost {
    fileprivate var isOfSeveral: Bool { curves.count > 1 || rateChange != nil }

    /// "between x265 superfast and x265 medium", or of clips that lie between others "between two of" them all.
    fileprivate var neighbors: String {
        guard between.count > 1, let last = between.last else { return "with \(between.joined())" }
        let names = between.dropLast().joined(separator: ", ") + " and " + last
        return between.count > 2 ? "on each clip between two of \(names)" : "between \(names)"
    }
}
