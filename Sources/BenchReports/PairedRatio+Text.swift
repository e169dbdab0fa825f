// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

extension PairedRatio {
    /// "1.02 [1.00, 1.03]", or "1.02" without an interval.
    var text: String {
        guard let low, let high else { return Format.fixed(median, 2) }
        return "\(Format.fixed(median, 2)) [\(Format.fixed(low, 2)), \(Format.fixed(high, 2))]"
    }

    /// What ratios of so many rounds are, in words.
    static func kind(rounds: Int) -> String {
        rounds < minimumRounds
            ? "Ratios are medians without intervals, which take \(minimumRounds) rounds or more"
            : "Ratios are medians with 95 % intervals"
    }
}
