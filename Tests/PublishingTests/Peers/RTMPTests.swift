// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import Synchronization
import TestSupport
import Testing

/// Each test has a server of its own; they run one after the other, because they go by times of servers.
@Suite(.requiresNginx, .requiresProgram(.ffmpeg, .ffprobe), .serialized) struct RTMPTests {
    /// Waits until an output is in a state.
    private func reaches(
        _ broadcast: Broadcast, within seconds: Double = 10, _ isThere: (OutputStatistics) -> Bool
    ) async -> Bool {
        await eventually(within: seconds) {
            broadcast.statistics.min { $0.key < $1.key }.map { isThere($0.value) } ?? false
        }
    }

    /// Sends packets at the pace of their times, as a camera does.
    private func pace(_ packets: [MediaPacket], to broadcast: Broadcast) async throws {
        let start = ContinuousClock.now
        guard let first = packets.first?.decodeTime else { return }
        for packet in packets {
            try await Task.sleep(until: start + .seconds((packet.decodeTime - first).seconds), clock: .continuous)
            try await broadcast.send(packet)
        }
    }

    /// An output whose queue takes all that a test gives at once.
    private func output(_ address: String) throws -> Output {
        var output = Output.address(try PublishAddress(address))
        output.longestQueue = MediaTime(value: 60, timescale: 1)
        return output
    }

    @Test("a picture that takes longer to send than the peer may take nothing arrives, while bytes flow", .inTurn())
    func slowPicture() async throws {
        try await withTemporaryDirectory { folder in
            let server = try await NginxServer(in: folder)
            let relay = try SlowRelay(to: server.port, bytesPerSecond: 80_000)
            var push = try output("rtmp://127.0.0.1:\(relay.port)/mytv/room")
            push.connection.writeTimeout = .milliseconds(1500)
            push.connection.sendBufferSize = 4096
            let broadcast = try Broadcast(tracks: [.video], outputs: [push])
            #expect(await reaches(broadcast) { $0.state == .publishing })
            let start = ContinuousClock.now
            try await broadcast.send(
                TestPackets.picture(.zero, isKey: true, byteCount: 300_000, format: TestPackets.videoFormat()))
            await broadcast.finish(within: .seconds(20))
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.lastError == nil && statistics.writtenPackets == 1, "\(statistics)")
            // It was slow: the test would show nothing otherwise.
            #expect(ContinuousClock.now - start > push.connection.writeTimeout)
        }
    }

    @Test("a server records all pictures and all sound of a push, at their times")
    func push() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            let server = try await NginxServer(in: folder)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output(server.address())])
            #expect(await reaches(broadcast) { $0.state == .publishing })
            for packet in stream.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.state == .ended && statistics.droppedPackets <= 2, "\(statistics)")
            var recording = ""
            let isThere = try await eventually {
                recording = try server.recordings().first ?? ""
                guard !recording.isEmpty else { return false }
                let read = try await ReadPacket.all(recording)
                return read.count >= stream.packets.count - 3
            }
            #expect(isThere)
            let video = try await ReadPacket.all(recording).filter { $0.track == 0 }
            #expect(video.count == stream.video.count)
            let start = try #require(stream.video.first).presentationTime
            let offsets = try zip(video, stream.video).map { read, given in
                try #require(read.presentation) - (given.presentationTime - start).seconds
            }
            #expect(offsets.allSatisfy { abs($0 - offsets[0]) <= 0.0011 })
            #expect(video.map(\.isKey) == stream.video.map(\.isKey))
        }
    }

    @Test("a name in use passes: the output publishes when the other one has gone")
    func nameInUse() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 2, in: folder)
            let server = try await NginxServer(in: folder)
            let first = try Broadcast(tracks: [.video, .audio], outputs: [output(server.address())])
            #expect(await reaches(first) { $0.state == .publishing })
            for packet in stream.packets.prefix(30) { try await first.send(packet) }
            #expect(await reaches(first) { $0.writtenPackets > 20 })
            let second = try Broadcast(tracks: [.video, .audio], outputs: [output(server.address())])
            #expect(await reaches(second) { $0.lastError != nil })
            let error = try #require(second.statistics.values.first?.lastError)
            #expect(error.code == .nameInUse, "\(error)")
            #expect(!"\(error)".contains("room"))
            await first.finish()
            #expect(await reaches(second) { $0.state == .publishing })
            second.cancel()
        }
    }

    @Test("after a server's end the output goes on with a key frame at the server that takes its place", .inTurn())
    func restart() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 8, in: folder)
            let server = try await NginxServer(in: folder)
            var push = try output(server.address())
            push.retries.delays = [.milliseconds(200)]
            let asked = Mutex(0)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [push, .file(folder.path("record.mkv"))],
                onKeyFrameWanted: { asked.withLock { $0 += 1 } })
            #expect(await reaches(broadcast) { $0.state == .publishing })
            let packets = stream.packets
            let middle = packets.count / 3
            try await pace(Array(packets[..<middle]), to: broadcast)
            server.process.end()
            async let sending: Void = pace(Array(packets[middle...]), to: broadcast)
            #expect(await reaches(broadcast) { $0.lastError != nil })
            let next = try await NginxServer(in: folder, port: server.port)
            try await sending
            #expect(await reaches(broadcast) { $0.openings == 2 })
            await broadcast.finish()
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            #expect(statistics[0].openings == 2 && statistics[0].droppedPackets > 0, "\(statistics[0])")
            #expect(statistics[0].writtenPackets + statistics[0].droppedPackets <= statistics[0].givenPackets)
            #expect(asked.withLock { $0 } >= 1)
            #expect(statistics[1].writtenPackets == packets.count)
            let recording = try #require(try next.recordings().last)
            let read = try await ReadPacket.all(recording).filter { $0.track == 0 }
            #expect(read.first?.isKey == true)
            next.process.end()
        }
    }

    @Test("a stopped server is given up within the deadline, and the recording has everything")
    func stopped() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 4, size: "640x360", in: folder)
            let server = try await NginxServer(in: folder)
            var push = try output(server.address())
            push.connection.writeTimeout = .seconds(1)
            push.connection.sendBufferSize = 4096
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [push, .file(folder.path("record.mkv"))])
            #expect(await reaches(broadcast) { $0.state == .publishing })
            server.process.signal(SIGSTOP)
            var given = 0
            // Again and again the same, later: what the system buffers has to be filled.
            for round in 0..<40 {
                for packet in stream.moved(by: MediaTime(value: Int64(4 * round), timescale: 1)).packets {
                    try await broadcast.send(packet)
                    given += 1
                }
                let hasFailed = await eventually(within: 0.1) {
                    broadcast.statistics.values.contains { $0.lastError != nil }
                }
                if hasFailed { break }
            }
            #expect(await reaches(broadcast) { $0.lastError?.code == .timedOut })
            server.process.signal(SIGCONT)
            await broadcast.finish()
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            #expect(statistics[1].writtenPackets == given)
        }
    }

    @Test("cancelling ends a connection that waits, within half a second")
    func cancelling() async throws {
        let listener = SilentListener()
        let broadcast = try Broadcast(
            tracks: [.video], outputs: [output("rtmp://127.0.0.1:\(listener.port)/mytv/room")])
        #expect(await reaches(broadcast) { $0.state == .connecting })
        let finishing = Task { await broadcast.finish(within: .seconds(60)) }
        finishing.cancel()
        let start = ContinuousClock.now
        await finishing.value
        #expect(ContinuousClock.now - start < .milliseconds(500))
        #expect(broadcast.statistics.values.first?.state == .ended)
    }

    @Test("a server that says nothing is given up within the time to connect")
    func silent() async throws {
        let listener = SilentListener()
        var push = try output("rtmp://127.0.0.1:\(listener.port)/mytv/room")
        push.connection.connectTimeout = .seconds(1)
        push.retries = .never
        let start = ContinuousClock.now
        let broadcast = try Broadcast(tracks: [.video], outputs: [push])
        #expect(await reaches(broadcast) { $0.state.isFinal })
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(broadcast.statistics.values.first?.lastError?.code == .timedOut)
        await broadcast.finish()
    }

    @Test("HEVC goes by Enhanced RTMP to a server that knows it", .requiresProgram(.newerFFmpeg))
    func hevc() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(.hevc, in: folder)
            let port = freePort()
            let received = folder.path("received.mkv")
            let server = try PeerProgram(
                .newerFFmpeg,
                [
                    "-v", "error", "-f", "flv", "-listen", "1", "-i", "rtmp://127.0.0.1:\(port)/live/x", "-c", "copy",
                    "-y", received,
                ],
                log: folder.path("ffmpeg.log"))
            var push = try output("rtmp://127.0.0.1:\(port)/live/x")
            push.retries.delays = [.milliseconds(100)]
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [push])
            #expect(await reaches(broadcast) { $0.state == .publishing })
            for packet in stream.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            #expect(await server.exitStatus(within: 20) == 0, "\(server.output)")
            let count = try await ReadPacket.all(received, options: ["-select_streams", "v"]).count
            #expect(count == stream.video.count)
            try await ExternalProgram.ffmpeg.run(["-v", "error", "-xerror", "-i", received, "-f", "null", "-"])
        }
    }
}
