// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import encpublish

/// The built program, sending to servers.
@Suite(.requiresProgram(.ffmpeg, .ffprobe), .serialized) struct ServerTests {
    private static let quick = ["--preset", "ultrafast", "--size", "160x90", "--frame-rate", "25"]

    /// ffmpeg as a server of RTMP, for one publisher.
    private func listener(
        _ port: Int, _ file: String, in folder: TemporaryDirectory, program: ExternalProgram = .ffmpeg
    ) async throws -> PeerProgram {
        let server = try PeerProgram(
            program,
            [
                "-v", "error", "-f", "flv", "-listen", "1", "-i", "rtmp://127.0.0.1:\(port)/live/KEY", "-c", "copy",
                "-flush_packets", "1", "-y", folder.path(file),
            ], log: folder.path("\(file).log"))
        let listens = await eventually { isListened(at: port) }
        try #require(listens, "\(server.output)")
        return server
    }

    private func report(_ folder: TemporaryDirectory) throws -> PublishReport {
        try JSONDecoder().decode(PublishReport.self, from: Data(folder.read("r.json")))
    }

    /// Runs the program; its status, and what it said.
    private func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> (
        status: Int, text: String
    ) {
        let variables = environment.map { "export \($0.key)='\($0.value)'; " }.joined()
        let found = try await ExternalProgram("bash").run(
            ["-c", variables + #""$0" "$@" 2>&1; echo "status $?""#, PublishProgram.path] + arguments)
        let status = found.text.split(separator: "\n").last.flatMap { Int($0.dropFirst("status ".count)) }
        return (try #require(status), found.text)
    }

    private func pictures(_ path: String, options: [String] = []) async throws -> Int {
        let found = try await ExternalProgram.ffprobe.run(
            ["-v", "error"] + options + [
                "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0",
                path,
            ])
        return found.text.split(whereSeparator: { $0 == "\n" || $0 == "," }).first.flatMap { Int($0) } ?? 0
    }

    @Test(
        "a server that dies and returns gets the rest from a key frame on; what it missed is told with the reason",
        .inTurn())
    func restart() async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            let first = try await listener(port, "first.flv", in: folder)
            async let result = run(
                [
                    "test", "--duration", "8", "--to", "env:KEY", "--to", folder.path("all.mkv"), "--json",
                    folder.path("r.json"), "--set", "MaxKeyFrameInterval=25", "--set", "RealTime=true",
                ] + Self.quick, environment: ["KEY": "rtmp://127.0.0.1:\(port)/live/KEY"])
            let isStarted = await eventually { (try? folder.read("first.flv").count) ?? 0 > 5000 }
            #expect(isStarted, "\(first.output)")
            first.end()
            let second = try await listener(port, "second.flv", in: folder)
            let (status, text) = try await result
            _ = await second.exitStatus(within: 10)
            #expect(status == 0, "\(text)")
            #expect(text.contains("tries again in 0.") && text.contains("left out, notConnected"), "\(text)")
            #expect(!text.contains("KEY"))
            let output = try report(folder).outputs[0]
            #expect(output.openings == 2 && output.droppedPackets > 0 && output.state == "ended")
            #expect(output.writtenPackets + output.droppedPackets + output.leftOutPackets <= output.givenPackets + 1)
            #expect(try await pictures(folder.path("all.mkv")) == 200)
            let rest = try await pictures(folder.path("second.flv"))
            #expect(rest > 20 && rest < 200)
        }
    }

    @Test("an output whose server has died for good is failed at the end, with the reason", .inTurn())
    func death() async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            let server = try await listener(port, "first.flv", in: folder)
            async let result = run(
                [
                    "test", "--duration", "5", "--to", "rtmp://127.0.0.1:\(port)/live/KEY", "--to",
                    folder.path("all.ts"), "--json", folder.path("r.json"), "--set", "RealTime=true",
                ] + Self.quick)
            let isStarted = await eventually { (try? folder.read("first.flv").count) ?? 0 > 5000 }
            #expect(isStarted, "\(server.output)")
            server.end()
            let (status, text) = try await result
            #expect(status == 3, "\(text)")
            let output = try report(folder).outputs[0]
            #expect(output.state == "failed" && output.error?.contains("127.0.0.1:\(port)/live/…") == true)
            #expect(try await pictures(folder.path("all.ts")) == 125)
        }
    }

    @Test("a server that was never there fails its output", arguments: [[], ["--tries", "1"]])
    func nobody(options: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let (status, text) = try await run(
                [
                    "test", "--duration", "1", "--to", "rtmp://127.0.0.1:\(freePort())/live/KEY", "--to",
                    folder.path("all.ts"),
                ] + options + Self.quick)
            #expect(status == 3 && text.contains("failed: ") && text.contains("Connection refused"), "\(text)")
        }
    }

    @Test("HEVC goes to a server that knows it", .requiresProgram(.newerFFmpeg))
    func hevc() async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            let server = try await listener(port, "in.mkv", in: folder, program: .newerFFmpeg)
            let (status, text) = try await run(
                ["test", "--codec", "hevc", "--duration", "2", "--to", "rtmp://127.0.0.1:\(port)/live/KEY"] + Self.quick
            )
            #expect(await server.exitStatus(within: 20) == 0, "\(server.output)")
            #expect(status == 0, "\(text)")
            // What was encoded before the server listened may be missing.
            #expect(try await pictures(folder.path("in.mkv")) > 0)
        }
    }

    @Test(
        "SRT with a passphrase, of which nothing is shown", .inTurn(), .requiresProgram("srt-live-transmit"),
        arguments: [("a-passphrase", 0), ("another-one", 1)])
    func srt(passphrase: String, expected: Int) async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort(isDatagram: true)
            let server = try PeerProgram(
                "srt-live-transmit",
                ["-q", "-a", "no", "srt://127.0.0.1:\(port)?mode=listener&passphrase=a-passphrase", "file://con"],
                log: folder.path("in.ts"))
            let (status, text) = try await run(
                ["test", "--duration", "3", "--to", "env:TO", "--verbose", "--set", "RealTime=true"] + Self.quick,
                environment: ["TO": "srt://127.0.0.1:\(port)?passphrase=\(passphrase)&latency=200000"])
            _ = await server.exitStatus(within: expected == 0 ? 10 : 0.1)
            #expect(status == expected && !text.contains(passphrase), "\(text)")
            if expected == 0 { #expect(try await pictures(server.log, options: ["-f", "mpegts"]) > 25) }
        }
    }

    @Test(
        "RTMPS takes a certificate that is valid and trusted, or any where that is asked for", .inTurn(),
        .requiresProgram("stunnel4", "openssl"), arguments: TestCertificate.allCases, [false, true])
    func certificates(certificate: TestCertificate, isInsecure: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            try await certificate.make(in: folder)
            let front = try await TLSFront(to: port, in: folder)
            let server = try await listener(port, "in.flv", in: folder)
            let trust = certificate == .unknownIssuer ? [] : ["--certificates", folder.path("certificate.pem")]
            let (status, text) = try await run(
                ["test", "--duration", "1", "--to", "rtmps://localhost:\(front.port)/live/KEY"] + Self.quick
                    + (isInsecure ? ["--insecure"] : trust))
            let isTaken = isInsecure || certificate == .good
            #expect(status == (isTaken ? 0 : 1), "\(text)")
            #expect(isTaken || text.lowercased().contains("certificate"), "\(text)")
            if isTaken {
                _ = await server.exitStatus(within: 10)
                #expect(try await pictures(folder.path("in.flv")) > 0)
            }
            front.program.end()
        }
    }

    @Test("UDP carries a transport stream to whoever listens", .inTurn())
    func udp() async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort(isDatagram: true)
            let reader = try PeerProgram(
                .ffmpeg,
                [
                    "-v", "error", "-t", "1", "-i", "udp://127.0.0.1:\(port)?timeout=20000000", "-map", "0:v", "-c",
                    "copy", "-y", folder.path("in.ts"),
                ], log: folder.path("ffmpeg.log"))
            let publisher = try PeerProgram(
                ExternalProgram(PublishProgram.path),
                [
                    "test", "--duration", "120", "--to", "udp://127.0.0.1:\(port)", "--set", "RealTime=true", "--set",
                    "MaxKeyFrameInterval=25",
                ] + Self.quick, log: folder.path("publisher.log"))
            // However late the reader comes, and however long it looks at the stream.
            #expect(await reader.exitStatus(within: 100) == 0, "\(reader.output)")
            publisher.signal(SIGINT)
            #expect(await publisher.exitStatus(within: 20) == 130, "\(publisher.output)")
            #expect(try await pictures(folder.path("in.ts")) >= 20)
        }
    }

    /// Passes one connection on, no more than so many bytes a second one way.
    private static let slowRelay = """
        import socket, sys, threading, time
        port, target, rate = map(int, sys.argv[1:])
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", target))
        def back():
            while data := server.recv(4096):
                client.sendall(data)
        threading.Thread(target=back, daemon=True).start()
        # The handshake, at once.
        handshake = 3073
        while data := client.recv(min(handshake, 1024) if handshake else rate // 20):
            server.sendall(data)
            if handshake:
                handshake -= len(data)
            else:
                time.sleep(len(data) / rate)
        """

    @Test("with --adapt the bit rate falls to what a slow server takes", .inTurn(), .requiresProgram("python3"))
    func adaptation() async throws {
        try await withTemporaryDirectory { folder in
            let (port, target) = (freePort(), freePort())
            let server = try await listener(target, "in.flv", in: folder)
            let relay = try PeerProgram(
                "python3", ["-c", Self.slowRelay, "\(port)", "\(target)", "20000"], log: folder.path("relay.log"))
            let listens = await eventually { isListened(at: port) }
            try #require(listens, "\(relay.output)")
            let (status, text) = try await run([
                "test", "--duration", "12", "--size", "640x360", "--preset", "ultrafast", "--average-bit-rate", "1M",
                "--set", "RealTime=true", "--sound", "none", "--adapt", "--adapt-floor", "100k", "--to",
                "rtmp://127.0.0.1:\(port)/live/KEY", "--json", folder.path("r.json"),
            ])
            #expect(text.contains("the network: encodes at "), "\(text)")
            let rate = try #require(try report(folder).encodings[0].adaptedBitRate)
            #expect((100_000..<700_000).contains(rate), "\(rate) \(text)")
            // The end is sent slowly too, and may not be there in time.
            #expect([0, 1].contains(status), "\(text)")
            relay.end()
            server.end()
        }
    }
}
