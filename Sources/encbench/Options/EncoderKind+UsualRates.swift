// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench

/// What help says of the rates that encoders have where none are asked for: "17,21 for x264; 18,22 for x265."
extension EncoderKind {
    /// The rate factors among each encoder's default points.
    static func usualFactors(of rates: (EncoderKind) -> [RateControl]) -> String {
        usual(rates) { if case .constantRateFactor(let factor) = $0 { Format.shortest(factor) } else { nil } }
    }

    /// The quantizers among each encoder's default points.
    static func usualQuantizers(of rates: (EncoderKind) -> [RateControl]) -> String {
        usual(rates) { if case .constantQuantizer(let quantizer) = $0 { "\(quantizer)" } else { nil } }
    }

    private static func usual(_ rates: (EncoderKind) -> [RateControl], _ text: (RateControl) -> String?) -> String {
        allCases.compactMap { kind in
            let values = rates(kind).compactMap(text)
            return values.isEmpty ? nil : values.joined(separator: ",") + " for \(kind.name)"
        }.joined(separator: "; ") + "."
    }
}
