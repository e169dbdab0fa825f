// SPDX-License-Identifier: MIT

public import EncoderAPI

/// The standards that sound is coded to.
@nonexhaustive
public enum AudioCodec: String, Sendable, Hashable, CaseIterable {
    /// MPEG-4 AAC, low complexity.
    case aac
    /// Opus (RFC 6716).
    case opus
}

/// What a decoder or container must know of coded sound before its first packet.
public struct AudioFormat: Sendable, Hashable {
    /// The standard the sound is coded to.
    public let codec: AudioCodec
    /// Sample frames in a second, 1 to 768,000.
    public let sampleRate: Int
    /// Samples in a sample frame, 1 to 255.
    public let channelCount: Int
    /// Sample frames that a decoder gives before the first one that was recorded, 0 to 1,000,000.
    ///
    /// The first packet's time lies so many sample frames before the time of the first recorded one, so it may be
    /// negative.
    public let priming: Int
    /// Sample frames that a packet holds, 1 to 1,000,000; the last packet may hold fewer.
    public let framesPerPacket: Int
    /// The codec's header: AudioSpecificConfig (ISO/IEC 14496-3) for AAC, the identification header (RFC 7845) for
    /// Opus.
    public let configuration: [UInt8]
    /// The mean that was asked for, in bit/s; nil when unknown.
    public let bitsPerSecond: Int?

    /// Describes coded sound.
    ///
    /// - Parameters:
    ///   - codec: The standard the sound is coded to.
    ///   - sampleRate: Sample frames in a second, 1 to 768,000.
    ///   - channelCount: Samples in a sample frame, 1 to 255.
    ///   - priming: Sample frames that a decoder gives before the first recorded one, 0 to 1,000,000.
    ///   - framesPerPacket: Sample frames that a packet holds, 1 to 1,000,000; 1024 by default.
    ///   - configuration: The codec's header.
    ///   - bitsPerSecond: The mean that was asked for; nil when unknown.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range.
    public init(
        codec: AudioCodec, sampleRate: Int, channelCount: Int, priming: Int = 0, framesPerPacket: Int = 1024,
        configuration: [UInt8], bitsPerSecond: Int? = nil
    ) throws(PublishingError) {
        for (name, value, range) in [
            ("sample rate", sampleRate, 1...768_000), ("channels", channelCount, 1...255),
            ("priming", priming, 0...1_000_000), ("sample frames in a packet", framesPerPacket, 1...1_000_000),
        ] where !range.contains(value) {
            throw PublishingError(
                .invalidValue, reason: "\(name) \(value), expected \(range.lowerBound)...\(range.upperBound)")
        }
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.priming = priming
        self.framesPerPacket = framesPerPacket
        self.configuration = configuration
        self.bitsPerSecond = bitsPerSecond
    }

    /// The time that `count` sample frames last, exactly.
    public func duration(ofFrames count: Int64) -> MediaTime {
        MediaTime(value: count, timescale: Int32(sampleRate))
    }
}

extension AudioFormat: CustomStringConvertible {
    /// Codec, rate and channels in words: "aac 48000 Hz, 2 channels".
    public var description: String {
        "\(codec.rawValue) \(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")"
    }
}
