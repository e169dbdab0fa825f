// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import Synchronization
import TestSupport
import Testing

/// Eight outputs at once: three dead, one whose server is stopped and continued, and four that nothing happens to.
@Suite(.requiresNginx, .requiresProgram(.ffmpeg, .ffprobe, "python3"), .serialized) struct EightOutputsTests {
    /// An output that is tried again soon and gives a server up after a second.
    private func push(_ address: String) throws -> Output {
        var output = Output.address(try PublishAddress(address))
        output.retries.delays = [.milliseconds(200)]
        output.connection.connectTimeout = .seconds(1)
        output.connection.writeTimeout = .seconds(1)
        output.connection.sendBufferSize = 4096
        return output
    }

    /// Sends packets at the pace of their times, with what happens at some of them.
    private func pace(
        _ packets: [MediaPacket], to broadcast: Broadcast, at events: [(seconds: Double, action: () -> Void)] = []
    ) async throws {
        let start = ContinuousClock.now
        var rest = events[...]
        for packet in packets {
            try await Task.sleep(until: start + .seconds(packet.decodeTime.seconds), clock: .continuous)
            while let event = rest.first, packet.decodeTime.seconds >= event.seconds {
                event.action()
                rest = rest.dropFirst()
            }
            try await broadcast.send(packet)
        }
    }

    @Test("a recording beside seven others, some dead, stopped or reset, is the one that is made alone", .inTurn())
    func recording() async throws {
        try await withTemporaryDirectory { folder in
            try await withTemporaryDirectory { other in try await record(in: folder, other) }
        }
    }

    private func record(in folder: TemporaryDirectory, _ other: TemporaryDirectory) async throws {
        let stream = try await TestStream.make(seconds: 8, size: "640x360", in: folder)
        let packets = stream.packets
        let alone = try Broadcast(tracks: [.video, .audio], outputs: [.file(folder.path("alone.mp4"))])
        for packet in packets { try await alone.send(packet) }
        await alone.finish()

        let good = try await NginxServer(in: folder)
        let stopped = try await NginxServer(in: other)
        let silent = SilentListener()
        let resetPort = freePort()
        let resetting = try RefusingPeers.startRTMP(
            refusing: "reset", saying: "300000", port: resetPort, in: folder)
        let isUp = await eventually { await NginxServer.accepts(resetPort) }
        try #require(isUp)
        let pieces = Mutex(0)
        let outputs: [Output] = [
            try .file(folder.path("beside.mp4")),
            .segments(SegmentFolder(path: folder.path("hls"))),
            .receiver("closure", container: .transportStream) { _ in pieces.withLock { $0 += 1 } },
            try push(good.address()), try push("rtmp://127.0.0.1:\(freePort())/mytv/room"),
            try push("rtmp://127.0.0.1:\(silent.port)/mytv/room"),
            try push("rtmp://127.0.0.1:\(resetPort)/mytv/room"),
        ]
        let broadcast = try Broadcast(tracks: [.video, .audio], outputs: outputs)
        let eighth = try broadcast.add(push(stopped.address()))
        let areThere = await eventually {
            broadcast.statistics[eighth]?.state == .publishing
                && broadcast.statistics.values.count { $0.state == .publishing } >= 6
        }
        #expect(areThere)
        try await pace(
            packets, to: broadcast,
            at: [
                (1.5, { stopped.process.signal(SIGSTOP) }), (4, { stopped.process.signal(SIGCONT) }),
            ])
        await broadcast.finish(within: .seconds(5))

        #expect(try folder.read("alone.mp4") == folder.read("beside.mp4"))
        let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
        for whole in statistics[0..<4] {
            #expect(whole.state == .ended && whole.lastError == nil, "\(whole)")
            #expect(whole.writtenPackets == packets.count, "\(whole)")
        }
        #expect(statistics[4].lastError?.code == .refused && statistics[5].lastError?.code == .timedOut)
        #expect(statistics[6].lastError?.code == .closedByPeer && statistics[6].openings > 1, "\(statistics[6])")
        // The server that went on has more than what it was sent before it was stopped.
        let before = packets.count { $0.decodeTime.seconds < 1.5 }
        #expect(statistics[7].writtenPackets > before + packets.count / 8, "\(statistics[7])")
        #expect(statistics[7].state == .ended, "\(statistics[7])")
        for live in statistics[2...] {
            #expect(
                live.givenPackets == packets.count
                    && live.writtenPackets + live.leftOutPackets + live.droppedPackets == packets.count, "\(live)")
        }
        #expect(pieces.withLock { $0 } > 100)
        let recorded = try await eventually {
            guard let path = try good.recordings().first else { return false }
            return try await ReadPacket.all(path, options: ["-select_streams", "v"]).count == stream.video.count
        }
        #expect(recorded)
        for process in [good.process, stopped.process, resetting] { process.end() }
    }
}
