// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

/// Opus where libavcodec can, sound without pictures, and pictures without sound.
@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct SoundContainerTests {
    /// Whether libavcodec has an encoder of Opus.
    static let hasOpus: Bool = {
        var settings = AudioSettings()
        settings.codec = .opus
        return (try? AudioEncoder(settings)) != nil
    }()

    /// Three seconds of beeps.
    private func beeps(_ codec: AudioCodec) throws -> [MediaPacket] {
        var settings = AudioSettings()
        settings.codec = codec
        let encoder = try AudioEncoder(settings)
        var source = try TestSignal.Sound(
            TestSignal(.flashAndBeep), duration: MediaTime(value: 3, timescale: 1))
        var packets: [MediaPacket] = []
        while let block = try source.next() { packets += try encoder.encode(block) }
        return packets + (try encoder.finish())
    }

    private func broadcast(_ packets: [MediaPacket], tracks: [TrackID], to outputs: [Output]) async throws {
        let broadcast = try Broadcast(tracks: tracks, outputs: outputs)
        for packet in packets { try await broadcast.send(packet) }
        await broadcast.finish()
        for statistics in broadcast.statistics.values {
            #expect(statistics.state == .ended && statistics.lastError == nil, "\(statistics)")
            #expect(statistics.writtenPackets == packets.count, "\(statistics)")
        }
    }

    /// When beeps begin, as ffmpeg decodes a file.
    private func onsets(_ path: String) async throws -> [Double] {
        let output = try await ExternalProgram.ffmpeg.run([
            "-hide_banner", "-nostats", "-i", path, "-map", "0:a", "-af", "silencedetect=n=0.2:d=0.3", "-f", "null",
            "-",
        ])
        return output.standardError.split(separator: "silence_end: ").dropFirst().compactMap { text in
            Double(text.prefix { !$0.isWhitespace })
        }
    }

    @Test(
        "flash and beep fit with Opus in MP4 and Matroska",
        .enabled(if: hasOpus, "SKIPPED, needs programs: libavcodec has no encoder of Opus"),
        arguments: [200.0, -200])
    func opus(card: Double) async throws {
        try await withTemporaryDirectory { folder in
            let signal = try await FlashAndBeep.make(seconds: 10, cardIsFastBy: card, codec: .opus, in: folder)
            let containers: [Container] = [.mp4, .fragmentedMP4, .matroska]
            try await broadcast(
                signal.packets, tracks: [.video, .audio],
                to: containers.map { try .file(folder.path("a.\($0.rawValue)"), container: $0) })
            for container in containers {
                let path = folder.path("a.\(container.rawValue)")
                let codec = try await ExternalProgram.ffprobe.run([
                    "-v", "error", "-select_streams", "a", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path,
                ])
                #expect(codec.text.hasPrefix("opus"))
                try await signal.check(path, name: "Opus in \(container.name)")
            }
        }
    }

    @Test(
        "containers that hold no Opus say so",
        .enabled(if: hasOpus, "SKIPPED, needs programs: libavcodec has no encoder of Opus"),
        arguments: [Container.mov, .fragmentedMOV, .transportStream, .flv, .asf, .adts])
    func withoutOpus(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let broadcast = try Broadcast(
                tracks: [.audio], outputs: [.file(folder.path("a.x"), container: container)])
            for packet in try beeps(.opus).prefix(3) { try await broadcast.send(packet) }
            await broadcast.finish()
            let error = try #require(broadcast.statistics.values.first?.lastError)
            #expect(error.code == .unsupported && error.reason.contains("AAC"), "\(error)")
        }
    }

    @Test(
        "sound alone is heard at its time in every container", .inTurn(),
        arguments: [
            Container.mp4, .fragmentedMP4, .mov, .fragmentedMOV, .matroska, .transportStream, .flv, .asf, .adts,
        ])
    func soundAlone(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("a.\(container.rawValue)")
            try await broadcast(beeps(.aac), tracks: [.audio], to: [.file(path, container: container)])
            let onsets = try await onsets(path).filter { $0 < 2.5 }
            try #require(onsets.count == 2, "\(onsets)")
            #expect((onsets[1] - onsets[0] - 1).magnitude < 0.005, "\(onsets)")
            // ADTS tells of no priming: a player hears it as silence.
            let priming = container == .adts ? 1024.0 / 48_000 : 0
            #expect((onsets[0] - 1 - priming).magnitude < 0.03, "\(onsets)")
        }
    }

    @Test("sound alone makes segments of the length asked for", arguments: SegmentFolder.Kind.allCases)
    func soundSegments(kind: SegmentFolder.Kind) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("hls")
            try await broadcast(
                beeps(.aac), tracks: [.audio], to: [.segments(SegmentFolder(path: path, kind: kind, seconds: 1))])
            let read = try await ReadPacket.all("\(path)/index.m3u8")
            #expect(read.count >= 140)
            let list = String(decoding: try folder.read("hls/index.m3u8"), as: UTF8.self)
            let lengths = list.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }.compactMap {
                Double($0.dropFirst(8).dropLast())
            }
            #expect(lengths.count >= 3 && lengths.allSatisfy { $0 < 1.1 }, "\(list)")
        }
    }

    @Test(
        "a source without sound is written without a track of it, though one was announced", .inTurn(),
        arguments: [
            Container.mp4, .fragmentedMP4, .mov, .fragmentedMOV, .matroska, .transportStream, .flv, .asf, .annexB,
        ])
    func withoutSound(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            for tracks in [[TrackID.video], [.video, .audio]] {
                let path = folder.path("a.\(container.rawValue)")
                try await broadcast(stream.video, tracks: tracks, to: [.file(path, container: container)])
                let read = try await ReadPacket.all(path)
                #expect(read.count == stream.video.count && read.allSatisfy { $0.track == 0 }, "\(read.count)")
            }
        }
    }
}
