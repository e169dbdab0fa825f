// SPDX-License-Identifier: MIT

import BitSyntax
import EncoderAPI
import FLV
import LibAV

/// Writes FLV with HEVC, which Debian's libavformat cannot: its tags are made here.
final class FLVPacketWriter: PacketWriter {
    private let tags: FLVTagWriter
    private let target: any ByteTarget
    private var lastEnd: Int32 = 0

    /// Writes the header, the properties and a header tag of each track.
    init(_ formats: [TrackFormat], to target: any ByteTarget) throws(PublishingError) {
        self.target = target
        let (video, audio) = (formats.compactMap(\.video).first, formats.compactMap(\.audio).first)
        let tags = FLVTagWriter(codec: video?.codec, hasAudio: audio != nil)
        self.tags = tags
        try write { () throws(SyntaxError) in try tags.fileHeader() }
        try write { () throws(SyntaxError) in try tags.script(Self.metadata(video, audio).bytes) }
        for format in formats { try writeHeader(format, at: 0) }
    }

    private static func metadata(_ video: FormatDescription?, _ audio: AudioFormat?) -> FLVMetadata {
        var metadata = FLVMetadata([])
        if let video {
            metadata.properties += [
                ("width", .number(Double(video.shownWidth))), ("height", .number(Double(video.shownHeight))),
                // Enhanced RTMP has the FourCC as a number here.
                ("videocodecid", .number(video.codec == .hevc ? Double(FLVVideoTagHeader.hvc1) : 7)),
            ]
        }
        if let audio {
            metadata.properties += [
                ("audiocodecid", .number(10)), ("audiosamplerate", .number(Double(audio.sampleRate))),
                ("stereo", .flag(audio.channelCount > 1)),
            ]
        }
        return metadata
    }

    private func writeHeader(_ format: TrackFormat, at milliseconds: Int32) throws(PublishingError) {
        switch format {
        case .video(let video):
            try write { () throws(SyntaxError) in
                try tags.videoHeader(video.configurationRecord, at: milliseconds)
            }
        case .audio(let audio):
            try write { () throws(SyntaxError) in try tags.audioHeader(audio.configuration, at: milliseconds) }
        }
    }

    func timescale(_: Int) -> Int32 { 1000 }

    func write(
        _ packet: MediaPacket, _ ticks: ContainerClock.Ticks, track: Int, isFormatNew: Bool
    ) throws(PublishingError) {
        let time = Int32(truncatingIfNeeded: ticks.decode)
        if isFormatNew { try writeHeader(packet.format, at: time) }
        switch packet.format {
        case .video(let format):
            let data = try Self.framed(packet, format)
            lastEnd = Int32(clamping: ticks.presentation + ticks.duration)
            let offset = Int(ticks.presentation - ticks.decode)
            try write { () throws(SyntaxError) in
                try tags.picture(
                    data, isKey: packet.isKey, isDisposable: packet.isDisposable, at: time, offset: offset)
            }
        case .audio:
            try write { () throws(SyntaxError) in try tags.sound(packet.data, at: time) }
        }
    }

    private static func framed(_ packet: MediaPacket, _ format: FormatDescription) throws(PublishingError) -> [UInt8] {
        do throws(LibAVError) {
            return try AccessUnitFraming(format, data: packet.bytes, nalUnits: packet.nalUnits).lengthPrefixed().array()
        } catch {
            throw PublishingError(error)
        }
    }

    func finish() throws(PublishingError) {
        try write { () throws(SyntaxError) in try tags.videoEnd(at: lastEnd) }
    }

    private func write(_ make: () throws(SyntaxError) -> [UInt8]) throws(PublishingError) {
        let bytes: [UInt8]
        do throws(SyntaxError) {
            bytes = try make()
        } catch {
            throw PublishingError(.invalidValue, reason: "FLV cannot hold it: \(error)")
        }
        try target.write(bytes)
    }
}
