// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Glibc
    import Publishing
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// Our client at servers of others, and clients of others at our server.
    @Suite(.requiresPythonPeers) struct PythonPeerTests {
        private func output(
            _ port: Int, _ framing: WebSocketOptions.Framing = .messages
        ) throws -> Output {
            var options = WebSocketOptions()
            options.framing = framing
            var output = try Output.webSocket(try WebSocketAddress("ws://127.0.0.1:\(port)/in"), options: options)
            output.longestQueue = .milliseconds(60_000)
            output.retries.delays = [.milliseconds(50)]
            return output
        }

        private func frames(_ messages: [PythonPeer.Message]) throws -> [MediaPacket] {
            var reader = MessageReader()
            return try messages.compactMap { message in
                if case .frame(let packet) = try reader.read(message.bytes) { packet } else { nil }
            }
        }

        /// Sends all packets, and waits for the end.
        private func publish(_ given: [MediaPacket], to output: Output) async throws -> OutputStatistics {
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
            #expect(await broadcast.reaches { $0.state == .publishing })
            for packet in given { try await broadcast.send(packet) }
            await broadcast.finish()
            return try #require(broadcast.onlyStatistics)
        }

        private func expectSame(_ got: [MediaPacket], _ given: [MediaPacket]) {
            for track in [TrackID.video, .audio] {
                let (got, given) = (got.filter { $0.track == track }, given.filter { $0.track == track })
                #expect(got.map(\.decodeTime) == given.map { $0.decodeTime - .milliseconds(80) })
                #expect(got.map(\.presentationTime) == given.map { $0.presentationTime - .milliseconds(80) })
            }
        }

        @Test(
            "servers get each message, binary and with its times, and the code 1000",
            arguments: PythonPeer.Library.debian)
        func servers(library: PythonPeer.Library) async throws {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let peer = try await PythonPeer.server(library, at: port, in: folder)
                // Some messages have lengths of seven bits, of sixteen, and of 64.
                let given = try Frames.stream(to: 30) + Frames.stream(from: 30, to: 50, unitSize: 70_000)
                let statistics = try await publish(given, to: try output(port))
                #expect(statistics.state == .ended && statistics.droppedPackets == 0, "\(statistics)")
                #expect(await eventually { peer.toldClosing(1000) }, "\(peer.program.output)")
                let messages = try peer.messages()
                #expect(messages.allSatisfy { $0.isBinary })
                expectSame(try frames(messages), given)
                var reader = MessageReader()
                let ends = try messages.map { try reader.read($0.bytes) }.suffix(2)
                #expect(ends.allSatisfy { if case .end = $0 { true } else { false } })
            }
        }

        @Test(
            "in the one-NAL mode servers get the byte stream, and parameter sets before each key frame",
            arguments: PythonPeer.Library.debian)
        func nalUnits(library: PythonPeer.Library) async throws {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let peer = try await PythonPeer.server(library, at: port, in: folder)
                let given = try Frames.stream(to: 60)
                let statistics = try await publish(given, to: try output(port, .nalUnits))
                #expect(statistics.state == .ended && statistics.droppedPackets == 0, "\(statistics)")
                #expect(await eventually { peer.toldClosing(1000) }, "\(peer.program.output)")
                var expected = NALUnitMessages()
                let units = given.flatMap { expected.messages(of: $0) }
                #expect(try peer.messages() == units.map { PythonPeer.Message(isBinary: true, bytes: $0) })
                #expect(units.filter { $0[4] & 31 == 7 }.count == 3)
            }
        }

        @Test(
            "a server that closes is tried again where its code says that this may help, and else not",
            arguments: [(1011, .closedByPeer), (1003, .unsupported), (1008, .forbidden), (4000, .closedByPeer)]
                as [(Int, PublishingError.Code)])
        func closing(closeCode: Int, code: PublishingError.Code) async throws {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let peer = try await PythonPeer.server(.websockets, at: port, closingWith: closeCode, in: folder)
                let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output(port)])
                #expect(await broadcast.reaches { $0.state == .publishing })
                var rest = try Frames.stream(to: 2000)[...]
                while broadcast.onlyStatistics?.lastError == nil, let packet = rest.popFirst() {
                    try await broadcast.send(packet)
                }
                let error = try #require(broadcast.onlyStatistics?.lastError, "\(peer.program.output)")
                #expect(error.code == code && error.reason.contains("code \(closeCode)"), "\(error)")
                #expect(await broadcast.reaches { code.isPermanent == $0.state.isFinal })
                broadcast.cancel()
            }
        }

        @Test("servers and clients of an aiohttp as it is now do the same", .requiresNewerAIOHTTP)
        func newerAIOHTTP() async throws {
            try await servers(library: .newerAIOHTTP)
            try await nalUnits(library: .newerAIOHTTP)
            try await viewers(library: .newerAIOHTTP)
            try await publishers(library: .newerAIOHTTP)
        }

        @Test("a server that stops reading is given up when the time to write is over")
        func unread() async throws {
            try await withTemporaryDirectory { folder in
                let port = freePort()
                let peer = try await PythonPeer.server(.aiohttp, at: port, in: folder)
                var output = try output(port)
                output.connection.writeTimeout = .milliseconds(300)
                output.connection.sendBufferSize = 4096
                // Nothing is left out before the output's thread takes its first packet, however late that is.
                output.largestQueue = 1 << 30
                output.longestQueue = .milliseconds(60_000)
                let broadcast = try Broadcast(tracks: [.video], outputs: [output])
                #expect(await broadcast.reaches { $0.state == .publishing })
                peer.program.signal(SIGSTOP)
                for packet in try Frames.stream(to: 100, unitSize: 200_000) where packet.track == .video {
                    try await broadcast.send(packet)
                }
                #expect(
                    await broadcast.reaches { $0.lastError?.code == .timedOut },
                    "\(String(describing: broadcast.onlyStatistics))")
                broadcast.cancel()
                peer.program.signal(SIGCONT)
            }
        }

        @Test("clients of others watch our server", arguments: PythonPeer.Library.debian)
        func viewers(library: PythonPeer.Library) async throws {
            try await withTemporaryDirectory { folder in
                var configuration = WebSocketServer.Configuration()
                configuration.viewers.duration = .milliseconds(10_000)
                let server = try WebSocketServer(configuration)
                let port = try await server.start()
                let peer = try PythonPeer(library, "watch", "ws://127.0.0.1:\(port)/watch", in: folder)
                #expect(await eventually { server.statistics?.viewers == 1 }, "\(peer.program.output)")
                let given = try Frames.stream()
                var output = server.output()
                output.longestQueue = .milliseconds(60_000)
                let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
                for packet in given { try await broadcast.send(packet) }
                await broadcast.finish()
                #expect(await peer.program.exitStatus(within: Patience.seconds) == 0, "\(peer.program.output)")
                #expect(peer.toldClosing(1000))
                expectSame(try frames(try peer.messages()), given)
                await server.stop()
            }
        }

        @Test("clients of others publish to our server", arguments: PythonPeer.Library.debian)
        func publishers(library: PythonPeer.Library) async throws {
            try await withTemporaryDirectory { folder in
                let record = PublishedRecord()
                var configuration = WebSocketServer.Configuration()
                configuration.token = try TestToken.make()
                configuration.onPublisher = { await record.take($0) }
                let server = try WebSocketServer(configuration)
                let port = try await server.start()
                let (given, writer) = (try Frames.stream(), try MessageWriter())
                let formats = try [0, 1].map { try writer.format(of: given[$0]) }
                let messages = try given.map { try writer.frame(of: $0) }
                try PythonPeer.write(formats + messages + [writer.end(of: .video), writer.end(of: .audio)], in: folder)
                let peer = try PythonPeer(
                    library, "publish", "ws://127.0.0.1:\(port)/publish?token=\(TestToken.text)", in: folder)
                #expect(
                    await eventually { record.outcomes == ["complete"] }, "\(record.outcomes) \(peer.program.output)")
                #expect(record.packets.map(\.decodeTime) == given.map(\.decodeTime))
                #expect(record.packets.map(\.data.count) == given.map(\.data.count))
                await server.stop()
            }
        }
    }
#endif
