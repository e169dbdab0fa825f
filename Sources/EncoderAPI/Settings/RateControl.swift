// SPDX-License-Identifier: MIT

/// What decides how many bits a picture gets.
///
/// Modes may be added, so a `switch` in another package needs an `@unknown default`. A back end is given those alone
/// whose settings it lists, and ``automatic``.
@nonexhaustive
public enum RateControl: Sendable, Hashable {
    /// The encoder's own default.
    case automatic
    /// A long-term mean in bit/s, 1000 to 1,000,000,000; soft, but bounded by a buffer (see <doc:BitRateAndBuffers>).
    case averageBitRate(Int)
    /// A constant rate in bit/s, 1000 to 1,000,000,000: what pictures leave unused is filled up.
    ///
    /// The decoder's buffer is that of ``LiveSettings/vbvBufferDuration``. Refused together with data-rate limits.
    case constantBitRate(Int)
    /// A mean in bit/s, 1000 to 1,000,000,000, around which the rate varies as far as ``LiveSettings/vbvMaxBitRate``
    /// and ``LiveSettings/vbvBufferDuration`` let it.
    ///
    /// Refused together with data-rate limits.
    case variableBitRate(Int)
    /// VideoToolbox's Quality, 0 to 1: 0.25 low, 0.5 normal, 0.75 high, 1 lossless where the encoder can.
    case quality(Double)
    /// The constant rate factor of x264 and x265, in the library's range (0 to 51); less is better.
    case constantRateFactor(Double)
    /// One quantizer for all P pictures (I and B follow by fixed offsets), in the codec's range; less is better.
    ///
    /// Refused together with data-rate limits, which it could not keep. Bounds of the
    /// quantizer beside it are kept, listed or refused by the encoder.
    case constantQuantizer(Int)

    /// Rates that make sense for video, in bit/s.
    static let legalBitRates = 1000...1_000_000_000

    /// The long-term mean in bit/s; nil in modes that keep none, which setting it leaves as they are.
    package var bitsPerSecond: Int? {
        get {
            switch self {
            case .averageBitRate(let rate), .constantBitRate(let rate), .variableBitRate(let rate): rate
            case .automatic, .quality, .constantRateFactor, .constantQuantizer: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .averageBitRate: self = .averageBitRate(newValue)
            case .constantBitRate: self = .constantBitRate(newValue)
            case .variableBitRate: self = .variableBitRate(newValue)
            case .automatic, .quality, .constantRateFactor, .constantQuantizer: break
            }
        }
    }

    /// Whether what pictures leave of the rate is filled up.
    package var isConstantBitRate: Bool { if case .constantBitRate = self { true } else { false } }

    /// Whether the decoder's buffer is the one that ``LiveSettings/vbvBufferDuration`` and its like describe.
    package var describesBuffer: Bool {
        switch self {
        case .constantBitRate, .variableBitRate: true
        case .automatic, .averageBitRate, .quality, .constantRateFactor, .constantQuantizer: false
        }
    }

    /// The setting that asks for it; nil where none does.
    package var setting: Setting? {
        switch self {
        case .automatic: nil
        case .averageBitRate: .averageBitRate
        case .constantBitRate: .constantBitRate
        case .variableBitRate: .variableBitRate
        case .quality: .quality
        case .constantRateFactor: .constantRateFactor
        case .constantQuantizer: .constantQuantizer
        }
    }
}

extension RateControl: CustomStringConvertible {
    /// The setting and its value: "AverageBitRate 1000000"; "the encoder's own rate" where nothing is asked.
    public var description: String {
        let value: String? =
            switch self {
            case .automatic: nil
            case .averageBitRate(let rate), .constantBitRate(let rate), .variableBitRate(let rate): "\(rate)"
            case .quality(let value), .constantRateFactor(let value): "\(value)"
            case .constantQuantizer(let quantizer): "\(quantizer)"
            }
        guard let setting, let value else { return "the encoder's own rate" }
        return "\(setting) \(value)"
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
