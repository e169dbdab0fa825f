// SPDX-License-Identifier: MIT

import CommandOptions
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

    /// The error of a session that refuses the limit, in the words of the options that it came from.
    ///
    /// - Parameters:
    ///   - error: What the session says.
    ///   - window: The limit's window, in seconds.
    ///   - others: Whether the session has limits besides this one, which may be at fault.
    /// - Returns: The error itself where it is about something else.
    func blamed(for error: EncoderError, window: Double, amongOthers others: Bool) -> EncoderError {
        guard case .times(let factor) = self, error.setting == .dataRateLimits, !others else { return error }
        return EncoderError(
            error.code,
            reason: "--peak \(Format.shortest(factor)) with --window \(Format.shortest(window)): \(error.reason)")
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
    /// Peaks separated by commas, each once: "none", or how many times the mean.
    static func ratePeaks(_ text: String) throws(OptionError) -> [RatePeak] {
        try distinctList(text) { item throws(OptionError) in
            if item == "none" { return .free }
            guard let factor = Double(item), (1...100).contains(factor) else {
                throw OptionError(.outOfRange, "'\(item)', expected none or a number in 1.0...100.0")
            }
            return .times(factor)
        }
    }
}
