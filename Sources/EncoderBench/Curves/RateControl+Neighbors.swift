// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI

extension RateControl {
    /// A little better and a little worse than this, to interpolate between: a rate factor or a quantizer less and
    /// more, a twentieth of the quality, a tenth of the bit rate.
    ///
    /// - Parameter kind: What encodes; its library's default stands for what was left to it.
    /// - Returns: The better one first; without those that are out of range, and none where a default is not known.
    package func neighbors(of kind: EncoderKind) -> [RateControl] {
        switch self {
        case .constantRateFactor(let factor):
            [factor - 1, factor + 1].filter { (0...51).contains($0) }.map(RateControl.constantRateFactor)
        case .constantQuantizer(let quantizer):
            [quantizer - 1, quantizer + 1].filter { (0...51).contains($0) }.map(RateControl.constantQuantizer)
        case .quality(let quality):
            [quality + 0.05, quality - 0.05].filter { (0...1).contains($0) }.map(RateControl.quality)
        case .averageBitRate(let rate): Self.rates(around: rate).map(RateControl.averageBitRate)
        case .constantBitRate(let rate): Self.rates(around: rate).map(RateControl.constantBitRate)
        case .variableBitRate(let rate): Self.rates(around: rate).map(RateControl.variableBitRate)
        case .automatic: kind.usualRateFactor.map { RateControl.constantRateFactor($0).neighbors(of: kind) } ?? []
        }
    }

    /// A tenth more and less, in whole kbit/s, which is what the libraries' programs take.
    private static func rates(around rate: Int) -> [Int] {
        [1.1, 0.9].map { Int((Double(rate) * $0 / 1000).rounded()) * 1000 }.filter {
            (1000...1_000_000_000).contains($0) && $0 != rate
        }
    }
}
