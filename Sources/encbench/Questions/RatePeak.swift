// SPDX-License-Identifier: MIT

import EncoderAPI

/// How far above its mean bit rate a stream may go for a while.
enum RatePeak: Hashable, Sendable {
    /// As far as the encoder likes.
    case free
    /// So many times the mean in each window; 1 is a constant bit rate.
    case times(Double)

    /// The limit of a stream with so many bit/s; nil for none.
    func limit(averageBitRate: Int, window: Double) -> DataRateLimit? {
        guard case .times(let factor) = self else { return nil }
        return DataRateLimit(
            bytes: max(1, Int((Double(averageBitRate) * factor * window / 8).rounded())), seconds: window)
    }

    /// "none", "1.5x".
    var label: String {
        switch self {
        case .free: "none"
        case .times(let factor): Format.shortest(factor) + "x"
        }
    }
}

extension OptionParsing {
    /// Peaks separated by commas: "none", or how many times the mean.
    static func ratePeaks(_ text: String) throws(OptionError) -> [RatePeak] {
        try list(text) { item throws(OptionError) in
            if item == "none" { return .free }
            guard let factor = Double(item), (1...100).contains(factor) else {
                throw OptionError("'\(item)', expected none or a number in 1.0...100.0")
            }
            return .times(factor)
        }
    }
}
