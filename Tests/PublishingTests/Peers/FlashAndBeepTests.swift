// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import RecordedStreams
import TestSupport
import Testing

/// Flash and beep stay within 5 ms of each other behind every output, with a sound card that is 200 ppm fast or slow:
/// for half a minute of media time, in thorough runs for ten.
@Suite(.requiresProgram(.ffmpeg, .ffprobe), .serialized) struct FlashAndBeepTests {
    private static let cards = [200.0, -200]
    private static let containers: [Container] = [
        .mp4, .fragmentedMP4, .mov, .fragmentedMOV, .matroska, .transportStream, .flv, .asf,
    ]

    private func inContainers(seconds: Int, card: Double) async throws {
        try await withTemporaryDirectory { folder in
            let signal = try await FlashAndBeep.make(seconds: seconds, cardIsFastBy: card, in: folder)
            var outputs = try Self.containers.map { container in
                try Output.file(folder.path("a.\(container.rawValue)"), container: container)
            }
            for kind in SegmentFolder.Kind.allCases {
                outputs.append(.segments(SegmentFolder(path: folder.path(kind.rawValue), kind: kind)))
            }
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: outputs)
            for packet in signal.packets { try await broadcast.send(packet) }
            await broadcast.finish()
            for statistics in broadcast.statistics.values { #expect(statistics.lastError == nil, "\(statistics)") }
            for container in Self.containers {
                try await signal.check(folder.path("a.\(container.rawValue)"), name: container.name)
            }
            for kind in SegmentFolder.Kind.allCases {
                try await signal.check(folder.path("\(kind.rawValue)/index.m3u8"), name: "folder of \(kind.rawValue)")
            }
        }
    }

    @Test("half a minute in every container", .inTurn(), arguments: cards)
    func containers(card: Double) async throws { try await inContainers(seconds: 30, card: card) }

    @Test("ten minutes in every container", .thorough(), arguments: Sample.of(cards))
    func sampledContainers(card: Double) async throws { try await inContainers(seconds: 600, card: card) }

    /// A live output that leaves nothing out, however much is given at once.
    private func patient(_ output: Output) -> Output {
        var output = output
        output.longestQueue = MediaTime(value: 3600, timescale: 1)
        output.largestQueue = 1 << 30
        output.retries.delays = [.milliseconds(100)]
        return output
    }

    private func send(_ signal: FlashAndBeep, to output: Output, recordedIn recording: String? = nil) async throws {
        let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
        #expect(await eventually { broadcast.statistics.values.first?.state == .publishing })
        for packet in signal.packets { try await broadcast.send(packet) }
        if let recording {
            // A listener that is late leaves unread what it has when the connection closes.
            _ = await eventually(within: 60) {
                guard let output = broadcast.statistics.values.first, output.queueBytes == 0 else { return false }
                var status = stat()
                return stat(recording, &status) == 0 && Int(status.st_size) + 4096 >= output.byteCount
            }
        }
        await broadcast.finish(within: .seconds(120))
        let statistics = try #require(broadcast.statistics.values.first)
        #expect(statistics.state == .ended && statistics.droppedPackets <= 2, "\(statistics)")
    }

    private func throughRTMP(seconds: Int, card: Double) async throws {
        try await withTemporaryDirectory { folder in
            let signal = try await FlashAndBeep.make(seconds: seconds, cardIsFastBy: card, in: folder)
            let server = try await NginxServer(in: folder)
            try await send(signal, to: patient(.address(try PublishAddress(server.address()))))
            let path = try #require(try server.recordings().first)
            let isWhole = try await eventually {
                try await ReadPacket.all(path).count >= signal.packets.count - 4
            }
            #expect(isWhole)
            try await signal.check(path, name: "RTMP")
            server.process.end()
        }
    }

    @Test("half a minute through RTMP", .inTurn(), .requiresNginx, arguments: cards)
    func rtmp(card: Double) async throws { try await throughRTMP(seconds: 30, card: card) }

    @Test("ten minutes through RTMP", .thorough(), .requiresNginx, arguments: Sample.of(cards))
    func sampledRTMP(card: Double) async throws { try await throughRTMP(seconds: 600, card: card) }

    private func throughSRT(seconds: Int, card: Double) async throws {
        try await withTemporaryDirectory { folder in
            let signal = try await FlashAndBeep.make(seconds: seconds, cardIsFastBy: card, in: folder)
            let receiver = try SRTReceiver(in: folder)
            try await send(signal, to: patient(receiver.output), recordedIn: receiver.recording)
            await receiver.finish()
            try await signal.check(receiver.recording, name: "SRT")
        }
    }

    @Test("half a minute through SRT", .inTurn(), .requiresProgram("srt-live-transmit"), arguments: cards)
    func srt(card: Double) async throws { try await throughSRT(seconds: 30, card: card) }

    @Test(
        "ten minutes through SRT", .thorough(), .requiresProgram("srt-live-transmit"), arguments: Sample.of(cards))
    func sampledSRT(card: Double) async throws { try await throughSRT(seconds: 600, card: card) }
}
