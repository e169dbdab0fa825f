// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import TestSupport
import Testing

@testable import encpublish

/// The built program, showing its stream to browsers.
@Suite struct ServingTests {
    #if WebSocket
        private static let quick = ["--preset", "ultrafast", "--size", "160x90", "--frame-rate", "25"]

        /// A viewer of Python's own library, which says how many messages of each kind it got, the code of closing, and
        /// by how many quarters pictures are turned.
        private static let viewer = """
            import socket, sys
            peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 20).makefile("rwb")
            peer.write(b"GET /watch HTTP/1.1\\r\\nHost: localhost\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Version: 13\\r\\n\\r\\n")
            peer.flush()
            assert b" 101 " in peer.readline()
            while peer.readline().strip(): pass
            found, first, turns = {1: 0, 2: 0, 3: 0}, None, set()
            while True:
                opcode, length = peer.read(2)
                if length > 125: length = int.from_bytes(peer.read(2 if length == 126 else 8), "big")
                message = peer.read(length)
                if opcode == 0x88: break
                if opcode != 0x82: continue
                found[message[1]] += 1
                if message[1:3] == b"\\x02\\x00": turns.add(message[3] >> 4 & 3)
                if first is None and message[1:3] == b"\\x02\\x00": first = message[3] >> 7
            print(found[1], found[2], found[3], first, int.from_bytes(message, "big"), turns)
            """

        @Test(
            "a viewer gets the formats, frames from a key frame on, the ends and the code 1000", .inTurn(),
            .requiresProgram("python3", "curl"))
        func viewer() async throws {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let program = try PeerProgram(
                    ExternalProgram(PublishProgram.path),
                    ["test", "--serve", "\(port)", "--duration", "3"] + Self.quick, log: folder.path("log"))
                #expect(await eventually { isListened(at: port) }, "\(program.output)")
                let page = try await ExternalProgram("curl").run(["-sf", "http://127.0.0.1:\(port)/"])
                #expect(page.text.contains("<h1>Live stream</h1>"))
                let got = try await ExternalProgram("python3").run(["-c", Self.viewer, "\(port)"]).text
                let numbers = got.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
                #expect(numbers.count == 5 && numbers[0] == 2 && numbers[1] > 60, "\(got)")
                #expect(numbers.suffix(3) == [2, 1, 1000] && got.hasSuffix(" {0}\n"), "\(got)")
                #expect(await program.exitStatus(within: 10) == 0, "\(program.output)")
            }
        }

        @Test(
            "viewers are told by how much to turn the pictures, with each of them", .inTurn(),
            .requiresProgram("python3"))
        func rotated() async throws {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let program = try PeerProgram(
                    ExternalProgram(PublishProgram.path),
                    ["test", "--serve", "\(port)", "--duration", "2", "--rotate", "270"] + Self.quick,
                    log: folder.path("log"))
                #expect(await eventually { isListened(at: port) }, "\(program.output)")
                let got = try await ExternalProgram("python3").run(["-c", Self.viewer, "\(port)"]).text
                #expect(got.hasSuffix(" {3}\n"), "\(got)")
                #expect(await program.exitStatus(within: 10) == 0, "\(program.output)")
            }
        }

        @Test("a port that is in use fails the output by name, and a file beside it is complete")
        func portInUse() async throws {
            try await withTemporaryDirectory { folder in
                let other = SilentListener()
                let found = try await ExternalProgram("bash").run(
                    ["-c", #""$0" "$@" 2>&1; echo "status $?""#, PublishProgram.path] + [
                        "test", "--serve", "\(other.port)", "--duration", "1", "--to", folder.path("a.ts"),
                    ] + Self.quick)
                #expect(found.text.contains("port \(other.port) of 127.0.0.1 is in use"), "\(found.text)")
                #expect(found.text.hasSuffix("status 3\n"), "\(found.text)")
                #expect(try folder.read("a.ts").count > 10_000)
            }
        }
    #endif

    #if WebSocket
        @Test("beyond the machine itself it serves by a token alone, which stands in a file; nothing of it is shown")
        func places() async throws {
            try await withTemporaryDirectory { folder in
                try folder.write(Array("  correct-horse-battery\n".utf8), to: "token")
                try folder.write(Array("SECRET".utf8), to: "short")
                let serve = ["test", "--serve", "8080"]
                #if WebSocketTLS
                    let noCertificates = "certificates in"
                #else
                    let noCertificates = "a certificate,"
                #endif
                for (arguments, words) in [
                    (["--serve-host", "0.0.0.0"], "--serve 8080: 0.0.0.0, which others reach, without a token"),
                    (["--serve-host", "example.com"], "\"example.com\" to listen at"),
                    (
                        ["--serve-token", folder.path("short")],
                        "--serve-token: \(folder.path("short")): a token of 6 characters"
                    ),
                    (["--serve-token", folder.path("none")], "none"),
                    (["--serve-name", "a/b"], "name \"a/b\""),
                    (["--serve-key", folder.path("token")], "belong together"),
                    (
                        ["--serve-certificate", folder.path("token"), "--serve-key", folder.path("token")],
                        "--serve-certificate and --serve-key: \(noCertificates) \"\(folder.path("token"))\""
                    ),
                ] {
                    let error = #expect(throws: (any Error).self) { try Encpublish.parseAsRoot(serve + arguments) }
                    let message = error.map { Encpublish.message(for: $0) } ?? ""
                    #expect(message.contains(words) && !message.contains("SECRET"), "\(arguments): \(message)")
                }
                _ = try Encpublish.parseAsRoot(serve + ["--serve-host", "::", "--serve-token", folder.path("token")])
            }
        }
    #endif

    @Test("ports that are none are refused, and options of connections without one")
    func refused() {
        for arguments in [
            ["test", "--serve", "0"], ["test", "--serve", "65536"], ["test", "--serve", "x"],
            ["test", "--serve-host", "::1", "--to", "a.ts"],
            ["test", "--serve", "8080", "--tries", "2"], ["test", "--serve", "8080", "--adapt"],
        ] {
            let error = #expect(throws: (any Error).self) { try Encpublish.parseAsRoot(arguments) }
            #expect(error.map { Encpublish.exitCode(for: $0) } == .validationFailure, "\(arguments)")
        }
    }
}
