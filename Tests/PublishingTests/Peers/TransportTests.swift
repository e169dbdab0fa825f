// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

/// Transport streams over SRT and UDP.
@Suite(.requiresProgram(.ffmpeg, .ffprobe), .serialized) struct TransportTests {
    @Test(
        "SRT carries pictures of both codecs and sound", .inTurn(), .requiresProgram("srt-live-transmit"),
        arguments: [VideoCodec.h264, .hevc], [nil, "a-passphrase"] as [String?])
    func srt(codec: VideoCodec, passphrase: String?) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(codec, seconds: 2, in: folder)
            let receiver = try SRTReceiver(in: folder, passphrase: passphrase)
            var output = receiver.output
            output.longestQueue = MediaTime(value: 60, timescale: 1)
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
            for packet in stream.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            await receiver.finish()
            let read = try await ReadPacket.all(receiver.recording, options: ["-f", "mpegts"])
            #expect(read.count { $0.track == 0 } == stream.video.count)
            #expect(read.count { $0.track == 1 } >= stream.audio.count - 1)
        }
    }

    @Test("without a listener SRT is tried again")
    func noListener() async throws {
        var output = Output.address(try PublishAddress("srt://127.0.0.1:\(freePort(isDatagram: true))"))
        output.connection.connectTimeout = .milliseconds(500)
        let start = ContinuousClock.now
        let broadcast = try Broadcast(tracks: [.video], outputs: [output])
        #expect(await eventually { broadcast.statistics.values.first?.lastError != nil })
        #expect(ContinuousClock.now - start < .seconds(2))
        let error = try #require(broadcast.statistics.values.first?.lastError)
        #expect(!error.code.isPermanent, "\(error)")
        await broadcast.finish(within: .seconds(1))
    }

    @Test("UDP carries a transport stream in datagrams of whole packets")
    func udp() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 2, in: folder)
            let port = freePort(isDatagram: true)
            let reader = try PeerProgram(
                .ffmpeg,
                [
                    "-v", "error", "-t", "1", "-i", "udp://127.0.0.1:\(port)?timeout=5000000", "-map", "0:v", "-c",
                    "copy", "-y", folder.path("received.ts"),
                ],
                log: folder.path("ffmpeg.log"))
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: [.address(try PublishAddress("udp://127.0.0.1:\(port)"))])
            var offset = MediaTime.zero
            var status: CInt?
            // Sent again, later and later, until the reader was there from a key frame on and has a second.
            while status == nil, offset < MediaTime(value: 40, timescale: 1) {
                for packet in stream.moved(by: offset).packets { try await broadcast.send(packet) }
                offset = offset + MediaTime(value: 2, timescale: 1)
                status = await reader.exitStatus(within: 0.5)
            }
            #expect(status == 0, "\(reader.output)")
            #expect(try await ReadPacket.all(folder.path("received.ts")).count >= 25)
            await broadcast.finish()
        }
    }
}
