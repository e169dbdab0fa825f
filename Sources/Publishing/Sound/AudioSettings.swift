// SPDX-License-Identifier: MIT

/// What sound is to be coded to.
public struct AudioSettings: Sendable, Hashable {
    /// The standard; AAC by default.
    public var codec: AudioCodec = .aac
    /// Sample frames in a second, one of ``sampleRates(of:)``; 48,000 by default.
    public var sampleRate = 48_000
    /// Samples in a sample frame, 1 or 2; 2 by default.
    public var channelCount = 2
    /// The mean in bit/s, 8000 to 512,000 with each channel; 128,000 by default.
    public var bitsPerSecond = 128_000

    /// Makes settings of AAC-LC with two channels of 48 kHz at 128 kbit/s.
    public init() {}

    /// The rates that a codec has, highest first, in Hz.
    public static func sampleRates(of codec: AudioCodec) -> [Int] {
        switch codec {
        case .aac: AudioSampling.rates
        case .opus: [48_000, 24_000, 16_000, 12_000, 8000]
        }
    }

    /// Checks all values.
    ///
    /// - Throws: ``PublishingError`` with `.unsupported` for a rate or a number of channels that the codec does not
    ///   have here, `.invalidValue` for a bit rate out of its range; each names what is legal.
    public func check() throws(PublishingError) {
        let rates = Self.sampleRates(of: codec)
        guard rates.contains(sampleRate) else {
            let names = rates.map(String.init).joined(separator: ", ")
            throw PublishingError(
                .unsupported, reason: "\(codec.rawValue) at \(sampleRate) Hz, expected one of \(names)")
        }
        guard (1...2).contains(channelCount) else {
            throw PublishingError(
                .unsupported, reason: "\(codec.rawValue) of \(channelCount) channels, expected 1 or 2")
        }
        let legal = 8000...512_000 * channelCount
        guard legal.contains(bitsPerSecond) else {
            throw PublishingError(
                .invalidValue,
                reason:
                    "\(codec.rawValue) at \(bitsPerSecond) bit/s, expected \(legal.lowerBound)...\(legal.upperBound)")
        }
    }
}
