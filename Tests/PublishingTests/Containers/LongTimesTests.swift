// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import RecordedStreams
import TestSupport
import Testing

/// Times around 2^24, 2^31 and 2^32 milliseconds, where fields of RTMP and FLV end, through real outputs.
@Suite(.requiresProgram(.ffmpeg, .ffprobe), .serialized) struct LongTimesTests {
    /// Where the fields end, in milliseconds.
    static let limits: [Int64] = [1 << 24, 1 << 31, 1 << 32]

    /// A stream whose first second is at zero, and which goes on a second before a limit.
    private func stream(upTo limit: Int64, in folder: TemporaryDirectory) async throws -> (TestStream, TestStream) {
        let start = try await TestStream.make(seconds: 1, in: folder)
        let rest = try await TestStream.make(seconds: 3, in: folder)
        return (start, rest.moved(by: .milliseconds(limit - 1000)))
    }

    /// Expects that read times of a track have the given times' distances from its first, but for whole periods of a
    /// clock that begins anew.
    private func expect(
        _ read: [ReadPacket], _ given: [MediaPacket], _ name: String, wrapping period: Double? = nil
    ) throws {
        try #require(read.count == given.count, "\(name): \(read.count) of \(given.count) packets")
        let first = try #require(read.first?.presentation)
        for (packet, expected) in zip(read, given) {
            let wanted = (expected.presentationTime - (given.first?.presentationTime ?? .zero)).seconds
            let read = try #require(packet.presentation) - first
            var distance = (read - wanted).magnitude
            if let period {
                distance = distance.truncatingRemainder(dividingBy: period)
                distance = min(distance, period - distance)
            }
            #expect(distance <= 0.0021, "\(name): \(read) s, expected \(wanted) s")
            guard distance <= 0.0021 else { return }
        }
    }

    /// The packets of half a second each hour up to a limit, and of three seconds around it: fields of MP4 and Matroska
    /// hold distances of hours, not of weeks.
    private func hourly(upTo limit: Int64, in folder: TemporaryDirectory) async throws -> [MediaPacket] {
        let (start, rest) = try await stream(upTo: limit, in: folder)
        let half =
            start.packets.filter { (0..<0.4).contains($0.decodeTime.seconds) && $0.track == .audio }
            + start.video.prefix(15)
        let sorted = half.sorted { $0.decodeTime < $1.decodeTime }
        let hour: Int64 = 3_600_000
        var packets: [MediaPacket] = []
        for time in stride(from: 0, to: limit - 2000, by: Int64.Stride(hour)) {
            packets += sorted.map { $0.later(by: .milliseconds(time)) }
        }
        return packets + rest.packets
    }

    @Test("files keep their times beyond each limit", arguments: Sample.of(limits))
    func sampledFiles(limit: Int64) async throws {
        try await withTemporaryDirectory { folder in
            let containers: [Container] = [.mp4, .mov, .fragmentedMP4, .matroska, .transportStream]
            let broadcast = try Broadcast(
                tracks: [.video, .audio],
                outputs: containers.map { try .file(folder.path("a.\($0.rawValue)"), container: $0) })
            let packets = try await hourly(upTo: limit, in: folder)
            for packet in packets { try await broadcast.send(packet) }
            await broadcast.finish()
            for statistics in broadcast.statistics.values { #expect(statistics.lastError == nil, "\(statistics)") }
            for container in containers {
                let read = try await ReadPacket.all(folder.path("a.\(container.rawValue)"))
                let period = container == .transportStream ? Double(1 << 33) / 90_000 : nil
                for (number, track) in [TrackID.video, .audio].enumerated() {
                    // Behind a gap in sound, libavformat 59 puts a fragment's first packet at the end of the last.
                    if container == .fragmentedMP4, track == .audio { continue }
                    try expect(
                        read.filter { $0.track == number }, packets.filter { $0.track == track },
                        "\(container.name) \(track)", wrapping: period)
                }
            }
        }
    }

    @Test("FLV goes beyond 2^24 ms, and begins another file before 2^31 ms", arguments: Sample.of(limits))
    func sampledFLV(limit: Int64) async throws {
        try await withTemporaryDirectory { folder in
            let (start, rest) = try await stream(upTo: limit, in: folder)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("a.flv"))])
            for packet in start.packets + rest.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.lastError == nil, "\(statistics)")
            var read = try await ReadPacket.all(folder.path("a.flv")).filter { $0.track == 0 }
            if limit == 1 << 24 {
                #expect(statistics.openings == 1)
                try expect(read, start.video + rest.video, "FLV")
            } else {
                #expect(statistics.openings == 2)
                try expect(read, start.video, "FLV before")
                read = try await ReadPacket.all(folder.path("a-2.flv")).filter { $0.track == 0 }
                try expect(read, rest.video, "FLV after")
            }
        }
    }

    @Test(
        "a server of RTMP gets times beyond 2^24 ms, and a connection of its own before 2^31 ms", .requiresNginx,
        arguments: Sample.of(limits))
    func sampledRTMP(limit: Int64) async throws {
        try await withTemporaryDirectory { folder in
            let (start, rest) = try await stream(upTo: limit, in: folder)
            let server = try await NginxServer(in: folder)
            var output = Output.address(try PublishAddress(server.address()))
            output.longestQueue = MediaTime(value: 1 << 33, timescale: 1000)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
            for packet in start.packets { try await broadcast.send(packet) }
            // nginx names recordings by the second in which they begin.
            let second = time(nil)
            _ = await eventually { time(nil) > second + 1 }
            for packet in rest.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.droppedPackets <= 2, "\(statistics)")
            let given = limit == 1 << 24 ? [start.video + rest.video] : [start.video, rest.video]
            #expect(statistics.openings >= given.count)
            var read: [[ReadPacket]] = []
            let isThere = try await eventually {
                read = []
                for path in try server.recordings() {
                    read.append(try await ReadPacket.all(path).filter { $0.track == 0 })
                }
                return read.map(\.count) == given.map(\.count)
            }
            try #require(isThere, "\(read.map(\.count))")
            for (read, given) in zip(read, given) { try expect(read, given, "RTMP") }
            server.process.end()
        }
    }

    @Test("SRT carries times beyond each limit", .requiresProgram("srt-live-transmit"), arguments: Sample.of(limits))
    func sampledSRT(limit: Int64) async throws {
        try await withTemporaryDirectory { folder in
            let (start, rest) = try await stream(upTo: limit, in: folder)
            let receiver = try SRTReceiver(in: folder)
            var output = receiver.output
            output.longestQueue = MediaTime(value: 1 << 33, timescale: 1000)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
            for packet in start.packets + rest.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            await receiver.finish()
            let read = try await ReadPacket.all(receiver.recording, options: ["-f", "mpegts"]).filter { $0.track == 0 }
            try expect(
                read, start.video + rest.video, "SRT", wrapping: Double(1 << 33) / 90_000)
        }
    }
}
