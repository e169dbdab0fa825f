// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import encpublish

/// What is sent, read by others than libavformat.
@Suite(.requiresProgram(.ffprobe), .serialized) struct StreamReaderTests {
    private static let quick = ["--preset", "ultrafast", "--size", "160x96", "--frame-rate", "25"]

    private func pictures(_ path: String) async throws -> Int {
        let found = try await ExternalProgram.ffprobe.run([
            "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of",
            "csv=p=0", path,
        ])
        return found.text.split { $0 == "\n" || $0 == "," }.first.flatMap { Int($0) } ?? 0
    }

    @Test("GStreamer takes a stream over SRT", .inTurn(), .requiresProgram("gst-launch-1.0"))
    func srt() async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort(isDatagram: true)
            let server = try PeerProgram(
                "gst-launch-1.0",
                [
                    "-q", "srtsrc", "uri=srt://127.0.0.1:\(port)?mode=listener", "keep-listening=false", "!",
                    "filesink",
                    "location=\(folder.path("in.ts"))",
                ], log: folder.path("gst.log"))
            let found = try await ExternalProgram(PublishProgram.path).run(
                ["test", "--duration", "3", "--to", "srt://127.0.0.1:\(port)?latency=200000", "--set", "RealTime=true"]
                    + Self.quick)
            _ = await server.exitStatus(within: 3)
            server.end()
            // What was encoded before somebody listened may be missing.
            #expect(try await pictures(folder.path("in.ts")) >= 25, "\(found.standardError) \(server.output)")
        }
    }

    /// Hears one connection, answers nothing of its own, and passes both ways on.
    private static let relay = """
        import socket, sys, threading
        port, target, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
        listener = socket.create_server(("127.0.0.1", port))
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", target))
        lock, lines = threading.Lock(), open(file, "w")
        def pump(source, sink, mark):
            while data := source.recv(1400):
                with lock:
                    lines.write(mark + "\\n" + "".join(
                        f"{at:06x} " + data[at:at + 16].hex(" ") + "\\n" for at in range(0, len(data), 16)))
                sink.sendall(data)
            with lock:
                lines.flush()
            sink.shutdown(socket.SHUT_WR)
        thread = threading.Thread(target=pump, args=(server, client, "O"), daemon=True)
        thread.start()
        pump(client, server, "I")
        thread.join(2)
        """

    @Test(
        "tshark reads each message of a push, and finds none that is malformed", .inTurn(),
        .requiresProgram("tshark", "text2pcap", "python3", .ffmpeg))
    func tshark() async throws {
        try await withTemporaryDirectory { folder in
            let (port, target) = (freePort(), freePort())
            let server = try PeerProgram(
                .ffmpeg,
                [
                    "-v", "error", "-f", "flv", "-listen", "1", "-i", "rtmp://127.0.0.1:\(target)/live/KEY", "-c",
                    "copy",
                    "-y", folder.path("in.flv"),
                ], log: folder.path("ffmpeg.log"))
            let listens = await eventually { isListened(at: target) }
            try #require(listens, "\(server.output)")
            let relay = try PeerProgram(
                "python3", ["-c", Self.relay, "\(port)", "\(target)", folder.path("bytes")],
                log: folder.path("relay.log"))
            let found = try await ExternalProgram(PublishProgram.path).run(
                ["test", "--duration", "2", "--to", "rtmp://127.0.0.1:\(port)/live/KEY", "--set", "RealTime=true"]
                    + Self.quick)
            #expect(await relay.exitStatus(within: 10) == 0, "\(relay.output) \(found.standardError)")
            try await ExternalProgram("text2pcap").run([
                "-q", "-D", "-T", "40000,\(target)", folder.path("bytes"), folder.path("bytes.pcap"),
            ])
            let read = ["-r", folder.path("bytes.pcap"), "-d", "tcp.port==\(target),rtmpt"]
            let types = try await ExternalProgram("tshark").run(
                read + ["-Y", "rtmpt", "-T", "fields", "-e", "rtmpt.header.typeid"]
            ).text.split { $0 == "\n" || $0 == "," }
            // Sound, pictures and commands (message types 8, 9 and 20).
            #expect(types.count { $0 == "0x09" } >= 25 && types.count { $0 == "0x08" } >= 45, "\(types)")
            #expect(types.contains("0x14"))
            let malformed = try await ExternalProgram("tshark").run(read + ["-Y", "_ws.malformed"]).text
            #expect(malformed.isEmpty, "\(malformed)")
        }
    }
}
