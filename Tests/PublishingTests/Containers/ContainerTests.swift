// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import Publishing

@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct ContainerTests {
    static let withSound: [Container] = [
        .mp4, .fragmentedMP4, .mov, .fragmentedMOV, .matroska, .transportStream, .flv, .asf,
    ]

    /// Writes a stream into one file, and returns its packets as ffprobe reads them.
    private func write(
        _ packets: [MediaPacket], _ container: Container, to path: String,
        options: ContainerOptions = ContainerOptions()
    ) async throws -> OutputStatistics {
        var output = try Output.file(path, container: container)
        output.containerOptions = options
        let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
        for packet in packets { try await broadcast.send(packet) }
        await broadcast.finish()
        let statistics = try #require(broadcast.statistics.values.first)
        #expect(statistics.state == .ended && statistics.lastError == nil, "\(statistics)")
        return statistics
    }

    /// The distance between read and given times of a track, which must be the same for all its packets.
    ///
    /// ASF keeps decode times only.
    private func offset(
        _ read: [ReadPacket], _ given: [MediaPacket], start: MediaTime, tolerance: Double
    ) throws -> Double {
        try #require(read.count == given.count, "\(read.count) packets read, \(given.count) given")
        let distances = try zip(read, given).map { read, given in
            if let shown = read.presentation { return shown - (given.presentationTime - start).seconds }
            return try #require(read.decode) - (given.decodeTime - start).seconds
        }
        let mean = try #require(distances.first)
        #expect(distances.allSatisfy { abs($0 - mean) <= tolerance }, "\(distances)")
        return mean
    }

    @Test(
        "pictures without durations last as those with durations do: the last one as long as the one before it",
        .inTurn(),
        arguments: withSound)
    func durations(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            _ = try await write(stream.packets, container, to: folder.path("with"))
            #expect(stream.video.allSatisfy { $0.duration != nil })
            let packets = stream.packets.map { packet in
                var packet = packet
                if packet.track.kind == .video { packet.duration = nil }
                return packet
            }
            _ = try await write(packets, container, to: folder.path("without"))
            var read: [String] = []
            for name in ["with", "without"] {
                let output = try await ExternalProgram.ffprobe.run([
                    "-v", "error", "-show_entries", "packet=stream_index,pts,dts,duration:format=duration", "-of",
                    "csv=p=0", folder.path(name),
                ])
                read.append(output.text)
            }
            #expect(read[0] == read[1])
        }
    }

    @Test("sound behind a gap keeps its times in every container", .inTurn(), arguments: withSound)
    func gap(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let isLeft = { (packet: MediaPacket) in !(0.3..<2.2).contains(packet.presentationTime.seconds) }
            let packets = stream.packets.filter { $0.track.kind == .video || isLeft($0) }
            let path = folder.path("out.\(container.rawValue)")
            _ = try await write(packets, container, to: path)
            let read = try await ReadPacket.all(path)
            let start = try #require(stream.video.first).presentationTime
            let pictures = try offset(
                read.filter { $0.track == 0 }, stream.video, start: start, tolerance: 0.0011)
            let sound = try offset(
                read.filter { $0.track == 1 }, stream.audio.filter(isLeft), start: start, tolerance: 0.0011)
            #expect(abs(pictures - sound) <= 0.0011, "sound is \(sound - pictures) s late")
        }
    }

    @Test("every container holds all pictures and all sound at the times given", .inTurn(), arguments: withSound)
    func times(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let path = folder.path("out.\(container.rawValue)")
            let statistics = try await write(stream.packets, container, to: path)
            #expect(statistics.writtenPackets == stream.packets.count && statistics.droppedPackets == 0)
            let read = try await ReadPacket.all(path)
            let (video, audio) = (read.filter { $0.track == 0 }, read.filter { $0.track == 1 })
            let start = try #require(stream.video.first).presentationTime
            // Half a millisecond either way where those are the ticks.
            let tolerance = 0.0011
            let pictures = try offset(video, stream.video, start: start, tolerance: tolerance)
            let sound = try offset(audio, stream.audio, start: start, tolerance: tolerance)
            #expect(abs(pictures - sound) <= 0.0011, "sound is \(sound - pictures) s late")
            #expect(video.map(\.isKey) == stream.video.map(\.isKey))
            let decoded = video.compactMap(\.decode)
            #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test(
        "HEVC is held by all but ASF", .inTurn(),
        arguments: [Container.mp4, .fragmentedMP4, .matroska, .transportStream])
    func hevc(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(.hevc, in: folder)
            let path = folder.path("out.\(container.rawValue)")
            _ = try await write(stream.packets, container, to: path)
            let count = try await ReadPacket.all(path, options: ["-select_streams", "v"]).count
            #expect(count == stream.video.count)
            try await ExternalProgram.ffmpeg.run(["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
        }
    }

    @Test("HEVC in FLV is read by a newer FFmpeg, with its times", .requiresProgram(.newerFFmpeg))
    func hevcInFLV() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(.hevc, in: folder)
            let path = folder.path("out.flv")
            _ = try await write(stream.packets, .flv, to: path)
            let remuxed = folder.path("remuxed.mkv")
            try await ExternalProgram.newerFFmpeg.run(["-v", "error", "-xerror", "-i", path, "-c", "copy", remuxed])
            let read = try await ReadPacket.all(remuxed)
            let start = try #require(stream.video.first).presentationTime
            let pictures = try offset(
                read.filter { $0.track == 0 }, stream.video, start: start, tolerance: 0.0021)
            let sound = try offset(read.filter { $0.track == 1 }, stream.audio, start: start, tolerance: 0.0021)
            #expect(abs(pictures - sound) <= 0.0021)
        }
    }

    @Test("what a container cannot hold ends the output with a reason, and nothing else")
    func refused() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(.hevc, seconds: 1, in: folder)
            let broadcast = try Broadcast(
                tracks: [.video, .audio],
                outputs: [.file(folder.path("a.asf")), .file(folder.path("a.mkv"))])
            for packet in stream.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            #expect(statistics[0].lastError?.code == .unsupported)
            #expect(statistics[0].lastError?.reason.contains("HEVC") == true)
            #expect(statistics[1].state == .ended && statistics[1].writtenPackets == stream.packets.count)
        }
    }

    @Test("each codec is written or refused by name in each container", .inTurn(), arguments: Container.allCases)
    func codecs(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let opus = try AudioFormat(
                codec: .opus, sampleRate: 48_000, channelCount: 2, priming: 312, framesPerPacket: 960,
                // RFC 7845, 5.1: version 1, 2 channels, a pre-skip of 312, 48,000 Hz
                configuration: Array("OpusHead".utf8) + Hex.bytes("01 02 38 01 80 BB 00 00 00 00 00"))
            let streams = [
                ("H.264", try await TestStream.make(seconds: 1, in: folder).video),
                ("HEVC", try await TestStream.make(.hevc, seconds: 1, in: folder).video),
                ("AAC", try await TestStream.make(seconds: 1, in: folder).audio),
                ("Opus", (0..<50).map { TestPackets.sound(.milliseconds($0 * 20), format: opus) }),
            ]
            for (name, packets) in streams {
                let track = try #require(packets.first?.track)
                guard container.takes(track) else { continue }
                let broadcast = try Broadcast(
                    tracks: [track], outputs: [.file(folder.path("a-\(name)"), container: container)])
                for packet in packets { try await broadcast.send(packet) }
                await broadcast.finish()
                let statistics = try #require(broadcast.statistics.values.first)
                guard let error = statistics.lastError else {
                    #expect(statistics.writtenPackets == packets.count, "\(name) \(statistics)")
                    // Debian's ffprobe does not know the tags of HEVC in FLV.
                    guard container != .flv || name != "HEVC" else { continue }
                    let read = try await ReadPacket.all(folder.path("a-\(name)"))
                    #expect(read.count == packets.count, "\(name) in \(container): \(read.count)")
                    continue
                }
                #expect(
                    error.code == .unsupported && error.reason.hasPrefix("\(name) in \(container.name)"), "\(error)")
            }
        }
    }

    @Test("bare streams beside a container hold their own track")
    func bare() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            let broadcast = try Broadcast(
                tracks: [.video, .audio],
                outputs: [.file(folder.path("a.h264")), .file(folder.path("a.aac")), .file(folder.path("a.mkv"))])
            for packet in stream.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            #expect(try await ReadPacket.all(folder.path("a.h264")).count == stream.video.count)
            #expect(try folder.read("a.aac") == folder.read("source.aac"))
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-xerror", "-i", folder.path("a.h264"), "-f", "null", "-",
            ])
        }
    }

    @Test("pictures are turned by a display matrix", arguments: [90, 180, 270])
    func rotation(degrees: Int) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            var options = ContainerOptions()
            options.rotation = degrees
            _ = try await write(stream.packets, .fragmentedMP4, to: folder.path("a.mp4"), options: options)
            let output = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", folder.path("a.mp4"),
            ])
            // ffprobe counts against the clock, from -180 to 180.
            let expected = -(degrees > 180 ? degrees - 360 : degrees)
            let shown = output.text.split { $0.isWhitespace || $0 == "," }.compactMap { Int($0) }
            #expect(shown.first == expected || degrees == 180 && shown.first == 180, "\(output.text)")
        }
    }

    @Test(
        "parameter sets in the samples let a file go on when the format changes",
        arguments: [VideoCodec.h264, .hevc])
    func formatChangeInBand(codec: VideoCodec) async throws {
        try await withTemporaryDirectory { folder in
            let (first, second) = try await twoSizes(codec, in: folder)
            var options = ContainerOptions()
            options.carriesParameterSets = true
            var output = try Output.file(folder.path("a.mp4"))
            output.containerOptions = options
            let broadcast = try Broadcast(tracks: [.video], outputs: [output])
            for packet in first.video + second.video { try await broadcast.send(packet) }
            await broadcast.finish()
            let tag = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-show_entries", "stream=codec_tag_string", "-of", "csv=p=0", folder.path("a.mp4"),
            ])
            #expect(tag.text.contains(codec == .h264 ? "avc3" : "hev1"))
            let sizes = try await sizes(folder.path("a.mp4"))
            #expect(sizes == ["160,96", "96,64"])
        }
    }

    @Test(
        "another format starts another file, or follows in band", .inTurn(),
        arguments: [Container.fragmentedMP4, .matroska, .transportStream, .flv])
    func formatChange(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let (first, second) = try await twoSizes(.h264, in: folder)
            let path = folder.path("a.x")
            let broadcast = try Broadcast(tracks: [.video], outputs: [.file(path, container: container)])
            for packet in first.video + second.video { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.writtenPackets == first.video.count + second.video.count)
            let isOneFile = container == .transportStream || container == .flv
            #expect(try await sizes(path) == (isOneFile ? ["160,96", "96,64"] : ["160,96"]))
            guard !isOneFile else { return }
            #expect(try await sizes(folder.path("a-2.x")) == ["96,64"])
            #expect(try await ReadPacket.all(folder.path("a-2.x")).count == second.video.count)
        }
    }

    private func twoSizes(
        _ codec: VideoCodec, in folder: TemporaryDirectory
    ) async throws -> (TestStream, TestStream) {
        let first = try await TestStream.make(codec, seconds: 1, in: folder)
        let second = try await TestStream.make(codec, seconds: 1, size: "96x64", in: folder)
        return (first, second.moved(by: MediaTime(value: 1, timescale: 1)))
    }

    /// The sizes of decoded pictures, each once in a row.
    private func sizes(_ path: String) async throws -> [String] {
        let output = try await ExternalProgram.ffprobe.run([
            "-v", "error", "-select_streams", "v", "-show_entries", "frame=width,height", "-of", "csv=p=0", path,
        ])
        return output.text.split(separator: "\n").map { $0.split(separator: ",").prefix(2).joined(separator: ",") }
            .reduce(into: []) { rows, row in if rows.last != row { rows.append(row) } }
    }
}
