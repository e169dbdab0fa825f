// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets
import Publishing
import TestSupport
import Testing

/// Pictures with B pictures and sound of a reference encoder, as a session and an encoder of sound would give them.
struct TestStream {
    /// In the order of decoding, each track's.
    let video: [MediaPacket]
    let audio: [MediaPacket]

    /// Pictures in a group.
    static let groupLength = 15
    /// Pictures in a second.
    static let rate = 30

    /// All packets in the order of decoding.
    var packets: [MediaPacket] {
        (video + audio).enumerated().sorted {
            ($0.element.decodeTime, $0.offset) < ($1.element.decodeTime, $1.offset)
        }.map(\.element)
    }

    /// Encodes a test picture and a tone.
    static func make(
        _ codec: VideoCodec = .h264, seconds: Int = 3, size: String = "160x96", in folder: TemporaryDirectory
    ) async throws -> TestStream {
        let (video, audio) = (folder.path("source-\(codec.rawValue)-\(size).mp4"), folder.path("source.aac"))
        let encoder = codec == .h264 ? "libx264" : "libx265"
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate)", "-t", "\(seconds)", "-pix_fmt",
            "yuv420p", "-c:v", encoder, "-preset", "ultrafast", "-bf", "2", "-g", "\(groupLength)", "-keyint_min",
            "\(groupLength)", "-sc_threshold", "0", "-x265-params", "log-level=error:open-gop=0:scenecut=0:keyint=15",
            video,
        ])
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "sine=f=440:r=48000", "-t", "\(seconds)", "-c:a", "aac", "-ac",
            "2", "-f", "adts", audio,
        ])
        return TestStream(video: try pictures(video, codec), audio: try sound(folder.read("source.aac")))
    }

    private static func pictures(_ path: String, _ codec: VideoCodec) throws -> [MediaPacket] {
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
            packets.append(
                MediaPacket(
                    format: format, presentationTime: try #require(packet.presentationTime),
                    decodeTime: try #require(packet.decodeTime), duration: packet.duration, isKey: packet.isKey,
                    data: packet.data, nalUnits: try LengthPrefixed.nalUnitRanges(in: packet.data, lengthSize: 4)))
        }
        return packets
    }

    /// Packets of AAC with ADTS headers, the first of which is the encoder's priming.
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

    /// The same pictures and sound, later.
    func moved(by time: MediaTime) -> TestStream {
        func move(_ packet: MediaPacket) -> MediaPacket {
            var moved = packet
            moved.presentationTime = packet.presentationTime + time
            moved.decodeTime = packet.decodeTime + time
            return moved
        }
        return TestStream(video: video.map(move), audio: audio.map(move))
    }
}

/// A packet as ffprobe reads it back.
struct ReadPacket: Equatable {
    var track: Int
    /// Nil where the file does not say.
    var presentation: Double?
    var decode: Double?
    var isKey: Bool

    /// Reads all packets of a file or address.
    static func all(
        _ path: String, options: [String] = [], with program: ExternalProgram = .ffprobe
    ) async throws -> [ReadPacket] {
        let output = try await program.run(
            ["-v", "error"] + options + [
                "-show_entries", "packet=stream_index,pts_time,dts_time,flags", "-of", "csv=p=0:nk=1", path,
            ])
        return output.text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count >= 4, let track = Int(fields[0]) else { return nil }
            return ReadPacket(
                track: track, presentation: Double(fields[1]), decode: Double(fields[2]), isKey: fields[3].contains("K")
            )
        }
    }
}
