// SPDX-License-Identifier: MIT

public import EncoderAPI
import FoundationEssentials
import MediaFiles
import ParameterSets
public import Publishing

/// Pictures and sound of files, as a session and an encoder of sound would give them.
public struct RecordedStream: Sendable {
    /// In the order of decoding.
    public var video: [MediaPacket]
    /// In the order of time.
    public var audio: [MediaPacket]

    /// Puts a stream together.
    public init(video: [MediaPacket], audio: [MediaPacket]) {
        (self.video, self.audio) = (video, audio)
    }

    /// Reads an MP4 file's pictures, and AAC of 48 kHz in two channels with ADTS headers, the first of whose packets is
    /// the encoder's priming.
    public init(video: String, codec: VideoCodec, audio: String) throws {
        self.init(
            video: try Self.pictures(video, codec),
            audio: try Self.sound(Array(Data(contentsOf: URL(filePath: audio)))))
    }

    /// The pictures of an MP4 file.
    public static func pictures(_ path: String, _ codec: VideoCodec) throws -> [MediaPacket] {
        let reader = try ContainerReader(path: path)
        let record = reader.configurationRecord
        let sets: [[UInt8]]
        switch codec {
        case .h264:
            let avc = try AVCDecoderConfiguration(bytes: record)
            sets = avc.sequenceParameterSets + avc.pictureParameterSets
        case .hevc: sets = try HEVCDecoderConfiguration(bytes: record).arrays.flatMap(\.nalUnits)
        }
        let format = try FormatDescription(codec: codec, parameterSets: sets)
        var packets: [MediaPacket] = []
        while let packet = try reader.next() {
            guard let presentation = packet.presentationTime, let decode = packet.decodeTime else { throw Untimed() }
            packets.append(
                MediaPacket(
                    format: format, presentationTime: presentation, decodeTime: decode, duration: packet.duration,
                    isKey: packet.isKey, data: packet.data,
                    nalUnits: try LengthPrefixed.nalUnitRanges(in: packet.data, lengthSize: 4)))
        }
        return packets
    }

    /// A packet of the file has no time.
    private struct Untimed: Error {}

    private static func sound(_ bytes: [UInt8]) throws -> [MediaPacket] {
        let format = try AudioFormat(
            codec: .aac, sampleRate: 48_000, channelCount: 2, priming: 1024, configuration: [0x11, 0x90])
        var packets: [MediaPacket] = []
        var rest = bytes[...]
        while rest.count > 7 {
            let head = Array(rest.prefix(7))
            let count = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
            let time = MediaTime(value: Int64(packets.count - 1) * 1024, timescale: 48_000)
            packets.append(MediaPacket(format: format, time: time, data: Array(rest.prefix(count).dropFirst(7))))
            rest = rest.dropFirst(count)
        }
        return packets
    }

    /// All packets in the order of decoding.
    public var packets: [MediaPacket] {
        (video + audio).enumerated().sorted {
            ($0.element.decodeTime, $0.offset) < ($1.element.decodeTime, $1.offset)
        }.map(\.element)
    }

    /// The same pictures and sound, later.
    public func moved(by time: MediaTime) -> RecordedStream {
        RecordedStream(video: video.map { $0.later(by: time) }, audio: audio.map { $0.later(by: time) })
    }
}

extension MediaPacket {
    /// The same packet, later.
    public func later(by time: MediaTime) -> MediaPacket {
        var packet = self
        packet.presentationTime = presentationTime + time
        packet.decodeTime = decodeTime + time
        return packet
    }
}
