// SPDX-License-Identifier: MIT

/// What decides how many bits a picture gets.
@nonexhaustive
public enum RateControl: Sendable, Hashable {
    /// The encoder's own default.
    case automatic
    /// A long-term mean in bit/s, 1000 to 1,000,000,000; soft, but bounded by a buffer (see <doc:BitRateAndBuffers>).
    case averageBitRate(Int)
    /// VideoToolbox's Quality, 0 to 1: 0.25 low, 0.5 normal, 0.75 high, 1 lossless where the encoder can.
    case quality(Double)
    /// The constant rate factor of x264 and x265, in the library's range (0 to 51); less is better.
    case constantRateFactor(Double)
    /// One quantizer for all P pictures (I and B follow by fixed offsets), in the codec's range; less is better.
    ///
    /// Refused together with data-rate limits, which it could not keep.
    case constantQuantizer(Int)

    /// Rates that make sense for video, in bit/s.
    static let legalBitRates = 1000...1_000_000_000

    /// The average in bit/s; nil in modes that keep none, which setting it leaves as they are.
    package var bitsPerSecond: Int? {
        get { if case .averageBitRate(let bitsPerSecond) = self { bitsPerSecond } else { nil } }
        set { if case .averageBitRate = self, let newValue { self = .averageBitRate(newValue) } }
    }

    /// The setting that asks for it; nil where none does.
    package var setting: Setting? {
        switch self {
        case .automatic: nil
        case .averageBitRate: .averageBitRate
        case .quality: .quality
        case .constantRateFactor: .constantRateFactor
        case .constantQuantizer: .constantQuantizer
        }
    }
}

/// A hard cap: no window of `seconds`, measured on decode times, may carry more than `bytes`.
public struct DataRateLimit: Sendable, Hashable, CustomStringConvertible {
    /// Bytes that a window may carry, 1 or more; `bytes * 8 / seconds` is 1000 to 1,000,000,000 bit/s.
    public var bytes: Int
    /// Length of the window in seconds, 0.001 to 3600.
    public var seconds: Double

    /// Makes a limit; the ranges are checked when a session is made.
    public init(bytes: Int, seconds: Double) {
        self.bytes = bytes
        self.seconds = seconds
    }

    /// "750000 bytes in 1.0 s".
    public var description: String { "\(bytes) bytes in \(seconds) s" }
}
