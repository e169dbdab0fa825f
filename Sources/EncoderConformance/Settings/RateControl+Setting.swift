// SPDX-License-Identifier: MIT

import EncoderAPI

extension RateControl {
    /// The setting of the capabilities that a mode needs; nil for the encoder's default.
    var setting: Setting? {
        switch self {
        case .automatic: nil
        case .averageBitRate: .averageBitRate
        case .quality: .quality
        case .constantRateFactor: .constantRateFactor
        case .constantQuantizer: .constantQuantizer
        }
    }
}
