// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import Publishing
import Synchronization
import TestSupport
import Testing

@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct BroadcastTests {
    private func send(_ packets: [MediaPacket], to broadcast: Broadcast) async throws {
        for packet in packets { try await broadcast.send(packet) }
    }

    @Test("a recording beside dead and silent servers is the one that is made alone")
    func deadOutputs() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let alone = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("alone.mp4"))])
            try await send(stream.packets, to: alone)
            await alone.finish()
            let listener = SilentListener()
            var outputs = [try Output.file(folder.path("beside.mp4")), try .file(folder.path("other.mkv"))]
            for port in [freePort(), freePort(), listener.port] {
                outputs.append(.address(try PublishAddress("rtmp://127.0.0.1:\(port)/mytv/key")))
            }
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: outputs)
            try await send(stream.packets, to: broadcast)
            let start = ContinuousClock.now
            await broadcast.finish(within: .seconds(1))
            #expect(ContinuousClock.now - start < .seconds(3))
            #expect(try folder.read("alone.mp4") == folder.read("beside.mp4"))
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            #expect(statistics[0].writtenPackets == stream.packets.count)
            // Every packet is written, dropped, or left out.
            for dead in statistics[2...] {
                #expect(dead.writtenPackets == 0 && dead.droppedPackets == dead.givenPackets, "\(dead)")
                #expect(dead.state.isFinal)
            }
            #expect(statistics[2].lastError?.code == .refused)
            #expect(statistics[2].lastError?.description.contains("/key") == false)
        }
    }

    @Test("an output that joins begins with the next key frame", arguments: [Container.fragmentedMP4, .matroska, .flv])
    func joining(container: Container) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let broadcast = try Broadcast(tracks: [.video, .audio])
            let packets = stream.packets
            try await send(Array(packets.prefix(40)), to: broadcast)
            let id = try broadcast.add(.file(folder.path("a.x"), container: container))
            try await send(Array(packets.dropFirst(40)), to: broadcast)
            await broadcast.remove(id)
            #expect(broadcast.statistics.isEmpty)
            await broadcast.finish()
            let read = try await ReadPacket.all(folder.path("a.x"))
            let given = packets.dropFirst(40).drop { $0.track != .video || !$0.isKey }
            #expect(read.filter { $0.track == 0 }.count == given.count { $0.track == .video })
            #expect(read.first { $0.track == 0 }?.isKey == true)
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-xerror", "-i", folder.path("a.x"), "-f", "null", "-",
            ])
        }
    }

    @Test(
        "a file with a start begins with the first key frame from there on, and is not made where none comes",
        arguments: [(Container.fragmentedMP4, 0.5), (.matroska, 0.501), (.mp4, 1.9), (.transportStream, 2.6)])
    func start(container: Container, seconds: Double) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            var output = try Output.file(folder.path("a.x"), container: container)
            output.start = MediaTime(value: Int64(seconds * 1000), timescale: 1000)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            // Late in the source's clock: the start is counted from the first picture.
            try await send(stream.moved(by: MediaTime(value: 7, timescale: 1)).packets, to: broadcast)
            await broadcast.finish()
            let first = try #require(stream.video.first).presentationTime
            let given = stream.video.drop { !$0.isKey || ($0.presentationTime - first).seconds < seconds }
            let read =
                FileManager.default.fileExists(atPath: folder.path("a.x"))
                ? try await ReadPacket.all(folder.path("a.x"), options: ["-select_streams", "v"]) : []
            #expect(read.count == given.count && read.first?.isKey ?? true)
            #expect(read.isEmpty == given.isEmpty && given.isEmpty == (seconds > 2.5))
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.givenPackets == statistics.writtenPackets + statistics.leftOutPackets)
            #expect(statistics.state == .ended)
        }
    }

    @Test("sound that comes long after the pictures has its place where its format is told")
    func lateSound() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let sound = try #require(stream.audio.first)
            let broadcast = try Broadcast(
                tracks: [.video, .audio],
                outputs: [
                    .file(folder.path("a.mkv")), .file(folder.path("b.mp4")), .file(folder.path("c.ts")),
                    .file(folder.path("d.flv")),
                ], formats: [.audio: sound.format])
            try await send(stream.video + stream.audio, to: broadcast)
            await broadcast.finish()
            for statistics in broadcast.statistics.values {
                #expect(statistics.leftOutPackets == 0, "\(statistics)")
            }
            let read = try await ReadPacket.all(folder.path("a.mkv"))
            #expect(read.count { $0.track == 1 } == stream.audio.count)
        }
    }

    @Test("sound that comes long after the pictures is left out of ASF, which has times that rise only")
    func lateSoundInASF() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let sound = try #require(stream.audio.first)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.file(folder.path("a.asf"))], formats: [.audio: sound.format])
            try await send(stream.video + stream.audio, to: broadcast)
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.state == .ended && statistics.leftOutPackets > 40, "\(statistics)")
            #expect(statistics.givenPackets == statistics.writtenPackets + statistics.leftOutPackets)
            let read = try await ReadPacket.all(folder.path("a.asf"))
            #expect(read.count == statistics.writtenPackets)
            #expect(read.count { $0.track == 0 } == stream.video.count)
        }
    }

    @Test("a longer lag puts packets beside each other that come far apart")
    func longLag() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.file(folder.path("a.mkv"))],
                longestLag: MediaTime(value: 10, timescale: 1))
            try await send(stream.video + stream.audio, to: broadcast)
            await broadcast.finish()
            let read = try await ReadPacket.all(folder.path("a.mkv"))
            #expect(read.count == stream.packets.count)
            let times = read.compactMap(\.decode)
            // In a Matroska file pictures have no decode times but those that reading makes up.
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 - 0.3 }, "\(times)")
        }
    }

    @Test("formats of other tracks or kinds, and no lag, are refused")
    func wrongFormats() async throws {
        try await withTemporaryDirectory { folder in
            let sound = try #require(try await TestStream.make(seconds: 1, in: folder).audio.first).format
            #expect(throws: PublishingError.self) { try Broadcast(tracks: [.video], formats: [.audio: sound]) }
            #expect(throws: PublishingError.self) { try Broadcast(tracks: [.video], formats: [.video: sound]) }
            #expect(throws: PublishingError.self) { try Broadcast(tracks: [.video], longestLag: .zero) }
        }
    }

    @Test("a start before the first picture, or of a live output, is refused")
    func wrongStart() throws {
        var output = try Output.file("a.mkv")
        output.start = MediaTime(value: -1, timescale: 1)
        #expect(throws: PublishingError.self) { try Broadcast(tracks: [.video], outputs: [output]) }
        var live = Output.address(try PublishAddress("udp://127.0.0.1:9"))
        live.start = MediaTime(value: 1, timescale: 1)
        let error = #expect(throws: PublishingError.self) { try Broadcast(tracks: [.video], outputs: [live]) }
        #expect(error?.code == .unsupported)
    }

    @Test(
        "what was written is readable at any moment, but for a group of pictures and two", .inTurn(),
        arguments: [Container.fragmentedMP4, .matroska, .transportStream, .flv])
    func crash(container: Container) async throws {
        var generator = SeededGenerator()
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 6, in: folder)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.file(folder.path("a.x"), container: container)])
            var moments = Set((0..<20).map { _ in Int.random(in: 80..<stream.packets.count, using: &generator) })
            for (index, packet) in stream.packets.enumerated() {
                try await broadcast.send(packet)
                guard moments.remove(index) != nil else { continue }
                // What the system has of the file is what a killed process leaves.
                let isWritten = await eventually {
                    let statistics = broadcast.statistics.values.first
                    return statistics?.queueBytes == 0 && statistics?.writtenPackets == statistics?.givenPackets
                }
                #expect(isWritten)
                try folder.write(try folder.read("a.x"), to: "left")
                let left = try await ReadPacket.all(folder.path("left"), options: ["-select_streams", "v"]).count
                let given = stream.packets[...index].count { $0.track == .video }
                #expect(left >= given - TestStream.groupLength - 2, "\(left) of \(given) left in \(container)")
            }
            await broadcast.finish()
        }
    }

    @Test("a closure is given the header apart, with which one can join at any fragment")
    func receiver() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let pieces = Mutex<[Output.Piece]>([])
            var output = Output.receiver("closure", container: .fragmentedMP4) { piece in
                pieces.withLock { $0.append(piece) }
            }
            output.longestQueue = MediaTime(value: 60, timescale: 1)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
            try await send(stream.packets, to: broadcast)
            await broadcast.finish()
            let given = pieces.withLock { $0 }
            #expect(given.last == .ended)
            guard case .header(let header)? = given.first else { throw Missing() }
            let bytes = given.dropFirst().flatMap { piece -> [UInt8] in
                if case .bytes(let bytes) = piece { bytes } else { [] }
            }
            try folder.write(header + bytes, to: "whole.mp4")
            #expect(
                try await ReadPacket.all(folder.path("whole.mp4"), options: ["-select_streams", "v"]).count
                    == stream.video.count)
            // The second fragment, by its type behind four bytes of size.
            let moof = Array("moof".utf8)
            let places = bytes.indices.filter { bytes[$0...].starts(with: moof) }
            try #require(places.count == stream.video.count(where: \.isKey))
            try folder.write(header + bytes[(places[1] - 4)...], to: "late.mp4")
            #expect(
                try await ReadPacket.all(folder.path("late.mp4"), options: ["-select_streams", "v"]).count
                    == stream.video.count - TestStream.groupLength)
        }
    }

    private struct Missing: Error {}

    @Test("a closure that fails for good ends its output alone; one that may pass begins anew at a key frame")
    func failingReceiver() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let headers = Mutex(0)
            var passing = Output.receiver("passing", container: .flv) { piece throws(PublishingError) in
                guard case .header = piece else { return }
                let count = headers.withLock { count in
                    count += 1
                    return count
                }
                if count == 1 { throw PublishingError(.closedByPeer, reason: "once") }
            }
            passing.retries.delays = [.milliseconds(1)]
            let failing = Output.receiver("failing", container: .flv) { _ throws(PublishingError) in
                throw PublishingError(.forbidden, reason: "never")
            }
            let asked = Mutex(0)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [passing, failing, .file(folder.path("a.mkv"))],
                onKeyFrameWanted: { asked.withLock { $0 += 1 } })
            #expect(await eventually { broadcast.statistics.values.allSatisfy { $0.state == .publishing } })
            try await send(stream.packets.filter { $0.decodeTime < .milliseconds(1000) }, to: broadcast)
            #expect(await eventually { broadcast.statistics.values.contains { $0.openings == 2 } })
            #expect(await eventually { asked.withLock { $0 } == 1 })
            try await send(stream.packets.filter { $0.decodeTime >= .milliseconds(1000) }, to: broadcast)
            await broadcast.finish()
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            #expect(statistics[0].state == .ended && statistics[0].writtenPackets > 0)
            #expect(statistics[0].writtenPackets + statistics[0].droppedPackets <= statistics[0].givenPackets)
            guard case .failed(let error) = statistics[1].state else { throw Missing() }
            #expect(error.code == .forbidden && error.output == "failing")
            #expect(statistics[2].writtenPackets == stream.packets.count)
        }
    }

    @Test(
        "segments have the length asked for, and their list names files that are there",
        arguments: SegmentFolder.Kind.allCases)
    func segments(kind: SegmentFolder.Kind) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 5, in: folder)
            let path = folder.path("hls")
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.segments(SegmentFolder(path: path, kind: kind, seconds: 1))])
            try await send(stream.packets, to: broadcast)
            await broadcast.finish()
            #expect(broadcast.statistics.values.first?.lastError == nil)
            let list = String(decoding: try folder.read("hls/index.m3u8"), as: UTF8.self)
            #expect(list.hasSuffix("#EXT-X-ENDLIST\n"))
            let lengths = list.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
            #expect(
                lengths == ["#EXTINF:1.000,", "#EXTINF:1.000,", "#EXTINF:1.000,", "#EXTINF:1.000,", "#EXTINF:1.000,"])
            let read = try await ReadPacket.all("\(path)/index.m3u8")
            #expect(read.filter { $0.track == 0 }.count == stream.video.count)
            #expect(read.filter { $0.track == 1 }.count >= stream.audio.count - 1)
        }
    }

    @Test("a window of segments leaves no more files than twice itself")
    func window() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 6, in: folder)
            let path = folder.path("hls")
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.segments(SegmentFolder(path: path, seconds: 0.5, window: 3))])
            try await send(stream.packets, to: broadcast)
            await broadcast.finish()
            let names = try await ExternalProgram("ls").run(["-A", path]).text.split(separator: "\n")
            #expect(names.count { $0.hasSuffix(".m4s") } == 6, "\(names)")
            #expect(names.count == 8)
        }
    }

    @Test("a full disk and a file that cannot be opened end their outputs with the system's reason")
    func badFiles() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            let broadcast = try Broadcast(
                tracks: [.video, .audio],
                outputs: [
                    .file("/dev/full", container: .matroska), .file("/nonexistent/a.mkv"),
                    .file("/dev/null", container: .mp4), .file(folder.path("a.ts")),
                ])
            try await send(stream.packets, to: broadcast)
            await broadcast.finish()
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            #expect(statistics.map { $0.lastError?.code } == [.diskFull, .cannotOpen, .unsupported, nil])
            #expect(statistics[1].lastError?.output == "/nonexistent/a.mkv")
            #expect(statistics[0].byteCount == 0 && statistics[0].leftOutPackets > 0, "\(statistics[0])")
            #expect(statistics[3].writtenPackets == stream.packets.count)
        }
    }

    @Test("options that do not fit are refused before anything starts")
    func options() throws {
        func refusal(_ make: () throws -> Output) -> PublishingError.Code? {
            do {
                _ = try Broadcast(tracks: [.video], outputs: [make()])
                return nil
            } catch {
                return (error as? PublishingError)?.code
            }
        }
        #expect(refusal { try .file("a.xyz") } == .unsupported)
        #expect(refusal { try .file("a.aac") } == .unsupported)
        #expect(refusal { .receiver("x", container: .mp4) { _ in } } == .unsupported)
        #expect(refusal { .segments(SegmentFolder(path: "x", seconds: 0)) } == .invalidValue)
        #expect(refusal { .segments(SegmentFolder(path: "x", window: 2)) } == .invalidValue)
        #expect(
            refusal {
                var output = try Output.file("a.mkv")
                output.containerOptions.rotation = 90
                return output
            } == .unsupported)
        #expect(
            refusal {
                var output = Output.address(try PublishAddress("rtmp://h/a/k"))
                output.connection.passphrase = "0123456789"
                return output
            } == .unsupported)
        let none = #expect(throws: PublishingError.self) { try Broadcast(tracks: []) }
        #expect(none?.code == .invalidValue)
    }

    @Test("after the end nothing is taken")
    func afterEnd() async throws {
        let broadcast = try Broadcast(tracks: [.audio])
        await broadcast.finish()
        let format = try TestPackets.audioFormat()
        let error = await #expect(throws: PublishingError.self) {
            try await broadcast.send(TestPackets.sound(.zero, format: format))
        }
        #expect(error?.code == .invalidState)
        #expect(throws: PublishingError.self) { try broadcast.add(.file("a.aac")) }
    }
}
