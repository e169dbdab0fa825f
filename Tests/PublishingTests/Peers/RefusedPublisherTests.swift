// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing

/// What servers refuse for good ends an output with the reason, in the server's own word where there is one; what
/// passes is tried again.
@Suite(.serialized) struct RefusedPublisherTests {
    /// An output that tries again soon, with a queue that takes all that a test gives at once.
    private func output(_ address: String) throws -> Output {
        var output = Output.address(try PublishAddress(address))
        output.longestQueue = MediaTime(value: 60, timescale: 1)
        output.retries.delays = [.milliseconds(100)]
        return output
    }

    /// The error that an output has failed with; nil where it has not within a time.
    private func failure(_ broadcast: Broadcast, within seconds: Double = 20) async -> PublishingError? {
        var failure: PublishingError?
        _ = await eventually(within: seconds) {
            if case .failed(let error)? = broadcast.statistics.values.first?.state { failure = error }
            return failure != nil
        }
        return failure
    }

    @Test(
        "an unknown application, one that is closed, and a key that is denied end the output",
        .requiresNginx, .requiresProgram(.ffmpeg, .ffprobe),
        arguments: [
            ("unknown", PublishingError.Code.unknownApplication), ("closed", .forbidden), ("keyed", .forbidden),
        ])
    func nginx(application: String, code: PublishingError.Code) async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            let server = try await NginxServer(in: folder)
            let broadcast = try Broadcast(
                tracks: [.video, .audio],
                outputs: [output(server.address(application: application)), .file(folder.path("beside.mkv"))])
            // nginx takes the name of a stream in the closed application at first, and then closes.
            var rounds = 0
            let hasFailed = try await eventually {
                let time = MediaTime(value: Int64(rounds), timescale: 1)
                for packet in stream.moved(by: time).packets { try await broadcast.send(packet) }
                rounds += 1
                return broadcast.statistics.values.contains { if case .failed = $0.state { true } else { false } }
            }
            #expect(hasFailed)
            await broadcast.finish()
            let statistics = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
            guard case .failed(let error) = statistics[0].state else { return }
            #expect(error.code == code, "\(error)")
            #expect(!"\(error)".contains("room"))
            #expect(statistics[1].writtenPackets == rounds * stream.packets.count)
        }
    }

    @Test(
        "a server's word ends the output or has it tried again, and is told", .requiresProgram("python3"),
        arguments: [
            ("connect", "Application not found", PublishingError.Code.unknownApplication),
            ("connect", "go away", .forbidden), ("publish", "wrong stream key", .forbidden),
            ("publish", "stream is already in use", .nameInUse), ("connect", "too many publishers", .closedByPeer),
            // A server that wants to be asked elsewhere says so with the same message.
            ("connect", "redirected to another server", .forbidden),
        ])
    func word(command: String, words: String, code: PublishingError.Code) async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            let server = try RefusingPeers.startRTMP(refusing: command, saying: words, port: port, in: folder)
            let broadcast = try Broadcast(tracks: [.video], outputs: [output("rtmp://127.0.0.1:\(port)/app/secret")])
            // Before the server listens, nobody does.
            let isDecided = await eventually {
                broadcast.statistics.values.contains { $0.lastError.map { $0.code != .refused } ?? false }
            }
            #expect(isDecided, "\(server.output)")
            let statistics = try #require(broadcast.statistics.values.first)
            let error = try #require(statistics.lastError)
            #expect(error.code == code && error.reason.contains(words), "\(error) \(server.output)")
            #expect(statistics.state.isFinal == code.isPermanent)
            #expect(!"\(error)".contains("secret"))
            broadcast.cancel()
            server.end()
        }
    }

    @Test(
        "a server's words are told without user, password and key of the address", .requiresProgram("python3"),
        arguments: [
            ("login USERNAME1 with password PASSWD%201 is wrong", "login … with password … is wrong"),
            ("login username1 with passwd+1, stream secretkey", "login … with …, stream …"),
        ])
    func secretWords(words: String, shown: String) async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            let server = try RefusingPeers.startRTMP(refusing: "publish", saying: words, port: port, in: folder)
            let address = "rtmp://USERNAME1:PASSWD%201@127.0.0.1:\(port)/app/SECRETKEY"
            let broadcast = try Broadcast(tracks: [.video], outputs: [output(address)])
            let isRefused = await eventually {
                broadcast.statistics.values.contains { $0.lastError?.code == .forbidden }
            }
            #expect(isRefused, "\(broadcast.statistics) \(server.output)")
            let error = try #require(broadcast.statistics.values.first?.lastError)
            #expect(error.reason.hasSuffix(shown), "\(error)")
            broadcast.cancel()
            server.end()
        }
    }

    @Test("a length of SRT's key that there is none of ends the output", .requiresProgram("srt-live-transmit"))
    func keyLength() async throws {
        let address = "srt://127.0.0.1:\(freePort(isDatagram: true))?passphrase=0123456789&pbkeylen=17"
        let broadcast = try Broadcast(tracks: [.video], outputs: [output(address)])
        let error = try #require(await failure(broadcast), "\(broadcast.statistics)")
        #expect(error.code == .invalidValue && error.reason.contains("SRTO_PBKEYLEN"), "\(error)")
        await broadcast.finish(within: .seconds(1))
    }

    @Test(
        "a server that is killed again and again as soon as it has taken a stream is tried again",
        .requiresProgram("python3"))
    func killed() async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            let broadcast = try Broadcast(tracks: [.audio], outputs: [output("rtmp://127.0.0.1:\(port)/app/secret")])
            let format = try TestPackets.audioFormat()
            var sent: Int64 = 0
            func packets(_ sent: inout Int64) throws -> [MediaPacket] {
                sent += 20
                return (sent - 20..<sent).map {
                    TestPackets.sound(MediaTime(value: $0 * 1024, timescale: 48_000), format: format)
                }
            }
            for _ in 0..<4 {
                let server = try RefusingPeers.startRTMP(refusing: "nothing", saying: "", port: port, in: folder)
                let isTaken = await eventually { broadcast.statistics.values.first?.state == .publishing }
                try #require(isTaken, "\(broadcast.statistics)")
                server.end()
                // What is sent finds that the server has gone.
                let isGone = try await eventually {
                    for packet in try packets(&sent) { try await broadcast.send(packet) }
                    return broadcast.statistics.values.first?.lastError?.code == .refused
                }
                try #require(isGone, "\(broadcast.statistics)")
            }
            #expect(broadcast.statistics.values.first?.state.isFinal == false)
            broadcast.cancel()
        }
    }

    @Test(
        "a wrong passphrase, and one too many or too few, end the output and are not told",
        .requiresProgram("srt-live-transmit"),
        arguments: [("the-right-one", "another-one"), ("the-right-one", nil), (nil, "another-one")]
            as [(String?, String?)])
    func passphrase(theirs: String?, ours: String?) async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort(isDatagram: true)
            let query = theirs.map { "&passphrase=\($0)" } ?? ""
            let server = try PeerProgram(
                "srt-live-transmit", ["-q", "srt://127.0.0.1:\(port)?mode=listener\(query)", "file://con"],
                log: folder.path("received.ts"))
            var output = try output("srt://127.0.0.1:\(port)")
            output.connection.passphrase = ours
            let broadcast = try Broadcast(tracks: [.video], outputs: [output])
            // Before the server listens there is no answer at all.
            let error = try #require(await failure(broadcast), "\(broadcast.statistics)")
            #expect(error.code == .forbidden && error.reason.contains("passphrase"), "\(error)")
            for secret in [theirs, ours].compactMap(\.self) { #expect(!"\(error)".contains(secret)) }
            await broadcast.finish(within: .seconds(1))
            server.end()
        }
    }

    @Test(
        "a stream id that a listener refuses ends the output, unless the listener's number is of what passes",
        .requiresProgram("srt-live-transmit", "python3"),
        arguments: [(1403, PublishingError.Code.forbidden), (1404, .forbidden), (2001, .forbidden), (1409, .nameInUse)])
    func streamID(reason: Int, code: PublishingError.Code) async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort(isDatagram: true)
            let server = try RefusingPeers.startSRT(reason: reason, port: port, in: folder)
            let address = "srt://127.0.0.1:\(port)?streamid="
            let broadcast = try Broadcast(tracks: [.video], outputs: [output(address + "wrong")])
            let isDecided = await eventually { broadcast.statistics.values.contains { $0.lastError?.code == code } }
            #expect(isDecided, "\(broadcast.statistics) \(server.output)")
            let statistics = try #require(broadcast.statistics.values.first)
            #expect(statistics.state.isFinal == code.isPermanent)
            #expect(statistics.lastError?.reason.contains("wrong") == false)
            broadcast.cancel()
            let accepted = try Broadcast(tracks: [.video], outputs: [output(address + "right")])
            #expect(await eventually { accepted.statistics.values.first?.state == .publishing })
            accepted.cancel()
            server.end()
        }
    }
}
