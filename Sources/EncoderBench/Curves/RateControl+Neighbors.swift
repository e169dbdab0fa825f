// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI

extension RateControl {
    /// Better and worse than this, near and farther, to interpolate between: rate factors and quantizers one and four
    /// less and more, a twentieth and a fifth of the quality, a tenth and four of the bit rate.
    ///
    /// - Parameter kind: What encodes; its library's default stands for what was left to it.
    /// - Returns: The best first; without those that are out of range, and none where a default is not known.
    package func neighbors(of kind: EncoderKind) -> [RateControl] {
        switch self {
        case .constantRateFactor(let factor):
            Self.steps.map { factor + Double($0) }.filter { (0...51).contains($0) }.map(RateControl.constantRateFactor)
        case .constantQuantizer(let quantizer):
            Self.steps.map { quantizer + $0 }.filter { (0...51).contains($0) }.map(RateControl.constantQuantizer)
        case .quality(let quality):
            [0.2, 0.05, -0.05, -0.2].map { quality + $0 }.filter { (0...1).contains($0) }.map(RateControl.quality)
        case .averageBitRate(let rate): Self.rates(around: rate).map(RateControl.averageBitRate)
        case .constantBitRate(let rate): Self.rates(around: rate).map(RateControl.constantBitRate)
        case .variableBitRate(let rate): Self.rates(around: rate).map(RateControl.variableBitRate)
        case .automatic: kind.usualRateFactor.map { RateControl.constantRateFactor($0).neighbors(of: kind) } ?? []
        }
    }

    private static let steps = [-4, -1, 1, 4]

    /// Bit rates in whole kbit/s, which is what the libraries' programs take.
    private static func rates(around rate: Int) -> [Int] {
        // Few kbit/s round to what was asked, or to one another.
        var seen: Set = [rate]
        return [1.4, 1.1, 0.9, 0.6].map { Int((Double(rate) * $0 / 1000).rounded()) * 1000 }
            .filter { (1000...1_000_000_000).contains($0) && seen.insert($0).inserted }
    }
}
