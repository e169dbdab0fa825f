// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// Our client at servers that are none, or break the rules.
    @Suite struct HostileServerTests {
        private func output(_ port: Int) throws -> Output {
            var output = try Output.webSocket(try WebSocketAddress("ws://127.0.0.1:\(port)/"))
            output.longestQueue = .milliseconds(60_000)
            output.retries = .never
            output.connection.connectTimeout = .milliseconds(500)
            return output
        }

        /// The error that an output fails with which connects there.
        private func failure(_ port: Int) async throws -> PublishingError? {
            let broadcast = try Broadcast(tracks: [.video], outputs: [output(port)])
            #expect(await broadcast.reaches { $0.state.isFinal })
            defer { broadcast.cancel() }
            return broadcast.onlyStatistics?.lastError
        }

        @Test("nobody there, and a server that says nothing, are told apart")
        func silence() async throws {
            #expect(try await failure(freePort())?.code == .refused)
            let silent = SilentListener()
            let error = try await failure(silent.port)
            #expect(
                error?.code == .timedOut && error?.reason.contains("within 0.5") == true,
                "\(String(describing: error))")
        }

        @Test(
            "an answer that is none of WebSocket fails by its kind",
            arguments: [
                ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .unsupported),
                ("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", .forbidden),
                ("HTTP/1.1 503 Later\r\n\r\n", .closedByPeer),
                ("HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", .unsupported),
                ("HTTP/1.1 101 Yes\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", .unsupported),
                (
                    "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: bm8=\r\n\r\n",
                    .unsupported
                ),
                ("SSH-2.0-OpenSSH_9.2\r\n", .unsupported), ("", .closedByPeer), ("HTTP/1.1 1", .closedByPeer),
            ] as [(String, PublishingError.Code)])
        func answers(answer: String, code: PublishingError.Code) async throws {
            let server = RawServer(answer: Array(answer.utf8))
            let error = try #require(try await failure(server.port))
            #expect(error.code == code, "\(answer): \(error)")
        }

        @Test(
            "an extension or a protocol that was not offered is refused by name", .requiresProgram("python3"),
            arguments: ["Sec-WebSocket-Extensions: permessage-deflate", "sec-websocket-protocol: chat"])
        func unoffered(header: String) async throws {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let server = try PeerProgram(
                    "python3", ["-c", Self.answeringServer, "\(port)", header], log: folder.path("log"))
                #expect(await eventually { isListened(at: port) }, "\(server.output)")
                let error = try #require(try await failure(port))
                let name = String(header.prefix { $0 != ":" }).lowercased()
                #expect(
                    error.code == .unsupported && error.reason.lowercased().hasSuffix(" by \(name), expected none"),
                    "\(error)")
            }
        }

        /// Takes one connection for WebSocket, with one header more, and reads what comes.
        private static let answeringServer = """
            import base64, hashlib, socket, sys
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            peer = listener.accept()[0]
            request = b""
            while b"\\r\\n\\r\\n" not in request: request += peer.recv(4096)
            lines = request.split(b"\\r\\n")
            key = next(line.split(b": ")[1] for line in lines if line.lower().startswith(b"sec-websocket-key:"))
            accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            answer = [b"HTTP/1.1 101 Yes", b"Upgrade: websocket", b"Connection: Upgrade"]
            answer += [b"Sec-WebSocket-Accept: " + accept, sys.argv[2].encode(), b"", b""]
            peer.sendall(b"\\r\\n".join(answer))
            while peer.recv(4096): pass
            """

        @Test("headers without an end are given up, and take no memory", .inTurn())
        func endlessHeaders() async throws {
            let line = Array("X-Long: \(String(repeating: "a", count: 8000))\r\n".utf8)
            let lines = [UInt8]((0..<2000).map { _ in line }.joined())
            let server = RawServer(answer: Array("HTTP/1.1 101 Yes\r\n".utf8) + lines)
            #expect(try await failure(server.port) != nil)
        }

        @Test("cancelling ends a wait for a server at once")
        func cancelled() async throws {
            let silent = SilentListener()
            var output = try output(silent.port)
            output.connection.connectTimeout = .seconds(60)
            let broadcast = try Broadcast(tracks: [.video], outputs: [output])
            #expect(await broadcast.reaches { $0.state == .connecting })
            let start = ContinuousClock.now
            broadcast.cancel()
            await broadcast.finish()
            #expect(ContinuousClock.now - start < .seconds(Patience.seconds / 2))
        }
    }
#endif
