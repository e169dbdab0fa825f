// SPDX-License-Identifier: MIT

#if WebSocket
    import TestSupport
    import Testing

    /// The built program, sending to servers of WebSocket that others made.
    @Suite(.requiresPythonPeers, .serialized) struct WebSocketServerTests {
        private static let quick = ["--preset", "ultrafast", "--size", "160x90", "--frame-rate", "25"]

        /// Runs the program with one output.
        ///
        /// - Returns: What the server got.
        private func messages(_ prefix: String, _ library: PythonPeer.Library) async throws -> [PythonPeer.Message] {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let peer = try await PythonPeer.server(library, at: port, in: folder)
                let program = try PeerProgram(
                    ExternalProgram(PublishProgram.path),
                    ["test", "--to", "\(prefix)ws://127.0.0.1:\(port)/in?token=SECRET", "--duration", "3"]
                        + Self.quick, log: folder.path("log"))
                #expect(await program.exitStatus(within: 30) == 0, "\(program.output)")
                #expect(!program.output.contains("SECRET"), "\(program.output)")
                #expect(await eventually { peer.toldClosing(1000) }, "\(peer.program.output)")
                return try peer.messages()
            }
        }

        @Test("a server gets formats, frames of pictures and sound, and the ends")
        func withTimes() async throws {
            let messages = try await messages("", .websockets)
            #expect(messages.allSatisfy { $0.isBinary && $0.bytes.count >= 28 && $0.bytes[0] == 1 })
            let kinds = messages.filter { $0.bytes.count > 1 }.map { $0.bytes[1] }
            #expect(kinds.filter { $0 == 1 }.count == 2 && kinds.suffix(2) == [3, 3])
            #expect(kinds.filter { $0 == 2 }.count > 60)
        }

        @Test("behind annexb: each message is one NAL unit, and the first a parameter set", .inTurn())
        func units() async throws {
            let messages = try await messages("annexb:", .aiohttp)
            #expect(messages.count > 40 && messages.allSatisfy { $0.isBinary && $0.bytes.starts(with: [0, 0, 0, 1]) })
            #expect(messages.first.map { $0.bytes[4] & 31 } == 7)
            let starts = messages.reduce(0) { count, message in
                count + zip(message.bytes, message.bytes.dropFirst()).filter { $0 == (0, 0) }.count
            }
            // Two pairs of zero bytes are in each start code, and none elsewhere but by chance.
            #expect(starts < messages.count * 4)
        }
    }
#endif
