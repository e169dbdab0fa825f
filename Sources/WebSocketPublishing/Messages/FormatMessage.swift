// SPDX-License-Identifier: MIT

public import BitSyntax
import EncoderAPI
import ParameterSets
public import Publishing

/// What a message says behind its header where it has the format of a track; <doc:MessageLayout> has each byte.
public struct FormatMessage: SyntaxStructure {
    /// The standards by the numbers that messages have for them.
    public enum Codec: Int, Sendable, Hashable, CaseIterable {
        /// H.264.
        case h264 = 1
        /// HEVC.
        case hevc = 2
        /// AAC.
        case aac = 16
        /// Opus.
        case opus = 17

        /// Whether it is one of sound.
        public var isSound: Bool { rawValue >= 16 }
    }

    /// Bytes that the codec's header has at most.
    public static let largestRecord = 65_535

    /// The standard that frames are coded to.
    public var codec = Codec.h264
    /// Luma samples in a row of the picture, 1...65,535; 0 for sound.
    public var width = 0
    /// Luma rows of the picture, 1...65,535; 0 for sound.
    public var height = 0
    /// Sample frames in a second, 1...768,000; 0 for pictures.
    public var sampleRate = 0
    /// Samples in a sample frame, 1...255; 0 for pictures.
    public var channelCount = 0
    /// Sample frames before the first that was recorded, 0...1,000,000; 0 for pictures.
    public var priming = 0
    /// Sample frames in a packet, 1...1,000,000; 0 for pictures.
    public var framesPerPacket = 0
    /// The codec parameter of RFC 6381, such as "avc1.64001F", in ASCII, of 1...255 bytes.
    public var codecString: [UInt8] = []
    /// The avcC or hvcC record, the AudioSpecificConfig, or the header of Opus: all that is left, 1...65,535 bytes.
    public var record: [UInt8] = []

    /// Pictures without a size.
    public init() {}

    /// Codes the bytes behind the header, up to the message's end.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        var number = codec.rawValue
        try coder.u("codec", &number, 8)
        guard let known = Codec(rawValue: number) else {
            throw coder.failure(.unsupported, "codec", "is \(number), expected 1, 2, 16 or 17")
        }
        codec = known
        if codec.isSound {
            try coder.u("sample_rate", &sampleRate, 32, 1...768_000)
            try coder.u("channel_count", &channelCount, 8, 1...255)
            try coder.u("priming", &priming, 32, 0...1_000_000)
            try coder.u("frames_per_packet", &framesPerPacket, 32, 1...1_000_000)
        } else {
            try coder.u("width", &width, 16, 1...65_535)
            try coder.u("height", &height, 16, 1...65_535)
        }
        var count = codecString.count
        try coder.u("codec_string_length", &count, 8, 1...255)
        try coder.bytes("codec_string", &codecString, count: count)
        guard codecString.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw coder.failure(.outOfRange, "codec_string", "has a byte that is no printable ASCII, expected 33...126")
        }
        let left = coder.isReading ? coder.remainingBits / 8 : record.count
        guard (1...Self.largestRecord).contains(left) else {
            throw coder.failure(.outOfRange, "record", "has \(left) bytes, expected 1...\(Self.largestRecord)")
        }
        try coder.bytes("record", &record, count: left)
    }
}

// MARK: - Formats

extension FormatMessage {
    /// What a message says of a format; nil for a picture with a side above 65,535.
    public init?(_ format: TrackFormat) {
        switch format {
        case .video(let video):
            codec = video.codec == .h264 ? .h264 : .hevc
            guard (1...65_535).contains(video.width), (1...65_535).contains(video.height) else { return nil }
            (width, height) = (video.width, video.height)
            codecString = Array(video.codecString.utf8)
            record = video.configurationRecord
        case .audio(let audio):
            codec = audio.codec == .aac ? .aac : .opus
            (sampleRate, channelCount) = (audio.sampleRate, audio.channelCount)
            (priming, framesPerPacket) = (audio.priming, audio.framesPerPacket)
            codecString = Array((audio.codec == .aac ? "mp4a.40.2" : "opus").utf8)
            record = audio.configuration
        }
    }

    /// The format it tells of.
    ///
    /// - Returns: A format whose parameter sets, rate and channels could be read.
    /// - Throws: `PublishingError` with `.corrupt` for a record that is none, and with `.invalidValue` for a number of
    ///   sound out of its range.
    public func format() throws(PublishingError) -> TrackFormat {
        switch codec {
        case .h264:
            let record = try Self.reading { () throws(SyntaxError) in try AVCDecoderConfiguration(bytes: self.record) }
            let sets = [(7, record.sequenceParameterSets), (8, record.pictureParameterSets)]
            return try picture(.h264, try Self.units(sets) { $0 & 31 }, record.nalUnitLengthSize)
        case .hevc:
            let record = try Self.reading { () throws(SyntaxError) in try HEVCDecoderConfiguration(bytes: self.record) }
            let sets = [
                (32, record.videoParameterSets), (33, record.sequenceParameterSets), (34, record.pictureParameterSets),
            ]
            return try picture(.hevc, try Self.units(sets) { $0 >> 1 & 63 }, record.nalUnitLengthSize)
        case .aac, .opus:
            return .audio(
                try AudioFormat(
                    codec: codec == .aac ? .aac : .opus, sampleRate: sampleRate, channelCount: channelCount,
                    priming: priming, framesPerPacket: framesPerPacket, configuration: record))
        }
    }

    /// All parameter sets of a record, which has those of each type in a place of their own.
    ///
    /// - Throws: `PublishingError` with `.corrupt` for one in the place of others: it would come back in another order.
    private static func units(
        _ sets: [(type: Int, units: [[UInt8]])], _ type: (UInt8) -> UInt8
    ) throws(PublishingError) -> [[UInt8]] {
        for set in sets {
            for unit in set.units {
                let found = unit.first.map { Int(type($0)) }
                guard found != set.type else { continue }
                throw PublishingError(
                    .corrupt,
                    reason: "the configuration record of a format: a NAL unit of type \(found ?? 0) among those of "
                        + "type \(set.type)")
            }
        }
        return sets.flatMap(\.units)
    }

    private func picture(
        _ codec: VideoCodec, _ sets: [[UInt8]], _ lengthSize: Int
    ) throws(PublishingError) -> TrackFormat {
        do throws(EncoderError) {
            return .video(
                try FormatDescription(
                    codec: codec, parameterSets: sets, width: width, height: height, nalUnitLengthSize: lengthSize))
        } catch {
            throw PublishingError(.corrupt, reason: error.reason)
        }
    }

    private static func reading<Record>(
        _ body: () throws(SyntaxError) -> Record
    ) throws(PublishingError) -> Record {
        do throws(SyntaxError) {
            return try body()
        } catch {
            throw PublishingError(.corrupt, reason: "the configuration record of a format: \(error)")
        }
    }
}
