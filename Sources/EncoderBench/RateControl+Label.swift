// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderAPI

extension RateControl {
    /// The rate as a user asks for it: "crf 21", "qp 30", "800000 bit/s".
    package var label: String {
        switch self {
        case .automatic: "default"
        case .averageBitRate(let bitsPerSecond): "\(bitsPerSecond) bit/s"
        case .constantBitRate(let bitsPerSecond): "\(bitsPerSecond) bit/s constant"
        case .variableBitRate(let bitsPerSecond): "\(bitsPerSecond) bit/s variable"
        case .quality(let quality): "quality \(quality)"
        case .constantRateFactor(let factor):
            "crf " + Format.shortest(factor)
        case .constantQuantizer(let quantizer): "qp \(quantizer)"
        }
    }
}
