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
    /// What all packets of a format share.
    private final class Storage: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private struct Values: Sendable, Hashable {
        let codec: AudioCodec
        let sampleRate: Int
        let channelCount: Int
        let priming: Int
        let framesPerPacket: Int
        let configuration: [UInt8]
        let bitsPerSecond: Int?
    }

    private let storage: Storage
    /// The standard the sound is coded to.
    public var codec: AudioCodec { storage.values.codec }
    /// Sample frames in a second, 1 to 768,000.
    public var sampleRate: Int { storage.values.sampleRate }
    /// Samples in a sample frame, 1 to 255.
    public var channelCount: Int { storage.values.channelCount }
    /// Sample frames that a decoder gives before the first one that was recorded, 0 to 1,000,000.
    ///
    /// The first packet's time lies so many sample frames before the time of the first recorded one, so it may be
    /// negative.
    public var priming: Int { storage.values.priming }
    /// Sample frames that a packet holds, 1 to 1,000,000; the last packet may hold fewer.
    public var framesPerPacket: Int { storage.values.framesPerPacket }
    /// The codec's header: AudioSpecificConfig (ISO/IEC 14496-3) for AAC, the identification header (RFC 7845) for
    /// Opus.
    public var configuration: [UInt8] { storage.values.configuration }
    /// The mean that was asked for, in bit/s; nil when unknown.
    public var bitsPerSecond: Int? { storage.values.bitsPerSecond }

    /// Describes coded sound.
    ///
    /// - Parameters:
    ///   - codec: The standard the sound is coded to.
    ///   - sampleRate: Sample frames in a second, 1 to 768,000.
    ///   - channelCount: Samples in a sample frame, 1 to 255.
    ///   - priming: Sample frames that a decoder gives before the first recorded one, 0 to 1,000,000.
    ///   - framesPerPacket: Sample frames that a packet holds, 1 to 1,000,000; 1024 by default.
    ///   - configuration: The codec's header, of 1 to 65,535 bytes.
    ///   - bitsPerSecond: The mean that was asked for; nil when unknown.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range.
    public init(
        codec: AudioCodec, sampleRate: Int, channelCount: Int, priming: Int = 0, framesPerPacket: Int = 1024,
        configuration: [UInt8], bitsPerSecond: Int? = nil
    ) throws(PublishingError) {
        for (name, value, range) in [
            ("sample rate", sampleRate, 1...768_000), ("channels", channelCount, 1...255),
            ("priming", priming, 0...1_000_000), ("sample frames in a packet", framesPerPacket, 1...1_000_000),
            ("bytes of the codec's header", configuration.count, 1...65_535),
        ] where !range.contains(value) {
            throw PublishingError(
                .invalidValue, reason: "\(name) \(value), expected \(range.lowerBound)...\(range.upperBound)")
        }
        storage = Storage(
            Values(
                codec: codec, sampleRate: sampleRate, channelCount: channelCount, priming: priming,
                framesPerPacket: framesPerPacket, configuration: configuration, bitsPerSecond: bitsPerSecond))
    }

    /// Compares all values.
    public static func == (left: AudioFormat, right: AudioFormat) -> Bool {
        left.storage === right.storage || left.storage.values == right.storage.values
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.values) }

    /// The same of values that share their memory; others may be equal all the same.
    var identity: ObjectIdentifier { ObjectIdentifier(storage) }

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
