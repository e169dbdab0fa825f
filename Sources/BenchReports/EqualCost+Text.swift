// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

extension EqualCost {
    /// "At the same CPU time as x264 slow, x265 needs 81.6 % of the bytes, between x265 superfast and x265 veryfast.",
    /// with the clips that tell where these are not all.
    func sentence(of clipCount: Int) -> String {
        let curves = between.joined(separator: " and ")
        let clips = clips < clipCount ? ", on \(clips) of \(clipCount) clips" : ""
        return "At the same CPU time as \(anchor), \(encoder) needs \(Format.percent(1 + rateChange)) of the bytes, "
            + "\(between.count > 1 ? "between" : "with") \(curves)\(clips)."
    }
}
