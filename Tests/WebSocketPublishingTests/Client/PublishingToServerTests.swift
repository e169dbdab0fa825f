// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// Our client at our server.
    @Suite struct PublishingToServerTests {
        private func server(_ record: PublishedRecord, port: Int = 0) throws -> WebSocketServer {
            var configuration = WebSocketServer.Configuration()
            configuration.token = try TestToken.make()
            configuration.place.port = port
            configuration.onPublisher = { await record.take($0) }
            return try WebSocketServer(configuration)
        }

        private func output(_ port: Int, path: String = "/publish", token: String? = TestToken.text) throws -> Output {
            var options = WebSocketOptions()
            options.token = try token.map { try AccessToken($0) }
            var output = try Output.webSocket(try WebSocketAddress("ws://127.0.0.1:\(port)\(path)"), options: options)
            // Packets come at once here.
            output.longestQueue = .milliseconds(60_000)
            output.retries.delays = [.milliseconds(50)]
            return output
        }

        @Test("a server hands on each packet with its times, and the end")
        func wholeStream() async throws {
            let record = PublishedRecord()
            let server = try server(record)
            let port = try await server.start()
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output(port)])
            #expect(await broadcast.reaches { $0.state == .publishing })
            let given = try Frames.stream()
            for packet in given { try await broadcast.send(packet) }
            await broadcast.finish()
            let statistics = try #require(broadcast.onlyStatistics)
            #expect(statistics.state == .ended && statistics.droppedPackets == 0, "\(statistics)")
            #expect(await eventually { record.outcomes == ["complete"] }, "\(record.outcomes)")
            for track in [TrackID.video, .audio] {
                let (got, given) = (record.packets(of: track), given.filter { $0.track == track })
                #expect(got.count == given.count)
                // The broadcast's zero is when its first picture is shown.
                for (got, given) in zip(got, given) {
                    #expect(got.isKey == given.isKey && got.duration == given.duration && got.format == given.format)
                    #expect(got.presentationTime == given.presentationTime - .milliseconds(80))
                    #expect(got.decodeTime == given.decodeTime - .milliseconds(80))
                }
            }
            #expect(server.statistics?.receivedFrames == given.count && server.statistics?.closedForCause == 0)
            #expect(await eventually { server.statistics?.publishers == 0 })
            await server.stop()
        }

        @Test("a track of which nothing came has no end either")
        func silentTrack() async throws {
            let record = PublishedRecord()
            let server = try server(record)
            let port = try await server.start()
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output(port)])
            #expect(await broadcast.reaches { $0.state == .publishing })
            let given = try Frames.stream().filter { $0.track == .video }
            for packet in given { try await broadcast.send(packet) }
            await broadcast.finish()
            #expect(broadcast.onlyStatistics?.state == .ended, "\(String(describing: broadcast.onlyStatistics))")
            #expect(await eventually { record.outcomes == ["complete"] }, "\(record.outcomes)")
            #expect(record.packets.count == given.count)
            await server.stop()
        }

        @Test("the token may stand in the address; without it, or at another path, the output fails by its kind")
        func tokens() async throws {
            let record = PublishedRecord()
            let server = try server(record)
            let port = try await server.start()
            let rows: [(path: String, token: String?, code: PublishingError.Code)] = [
                ("/publish", nil, .forbidden), ("/publish?token=another-one-another-one", nil, .forbidden),
                ("/publish", "another-one-another-one", .forbidden),
                ("/elsewhere", TestToken.text, .unknownApplication),
            ]
            for row in rows {
                let broadcast = try Broadcast(
                    tracks: [.video], outputs: [output(port, path: row.path, token: row.token)])
                #expect(await broadcast.reaches { $0.state.isFinal })
                let error = try #require(broadcast.onlyStatistics?.lastError)
                #expect(error.code == row.code, "\(row): \(error)")
                #expect(!"\(error)".contains("another-one") && !"\(error)".contains(TestToken.text))
                await broadcast.finish()
            }
            #expect(server.statistics?.refused == rows.count && record.outcomes.isEmpty)
            let broadcast = try Broadcast(
                tracks: [.video], outputs: [output(port, path: "/publish?token=\(TestToken.text)", token: nil)])
            #expect(await broadcast.reaches { $0.state == .publishing })
            broadcast.cancel()
            await server.stop()
        }

        @Test("publishers without a token are refused when the server is made")
        func withoutToken() throws {
            var configuration = WebSocketServer.Configuration()
            configuration.onPublisher = { _ in }
            let error = #expect(throws: PublishingError.self) { try WebSocketServer(configuration) }
            #expect(error?.code == .invalidValue && error?.reason == "publishers without a token, expected a token")
        }

        @Test("a second publisher is told that there is one, and publishes when that has gone")
        func nameInUse() async throws {
            let record = PublishedRecord()
            let server = try server(record)
            let port = try await server.start()
            let first = try Broadcast(tracks: [.video], outputs: [output(port)])
            #expect(await first.reaches { $0.state == .publishing })
            let second = try Broadcast(tracks: [.video], outputs: [output(port)])
            #expect(await second.reaches { $0.lastError?.code == .nameInUse })
            first.cancel()
            #expect(await second.reaches { $0.state == .publishing })
            second.cancel()
            await server.stop()
        }

        @Test("after a server's end the output goes on at the one in its place, with a key frame and its times")
        func reconnecting() async throws {
            let (before, after) = (PublishedRecord(), PublishedRecord())
            let first = try server(before)
            let port = try await first.start()
            let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output(port)])
            #expect(await broadcast.reaches { $0.state == .publishing })
            let given = try Frames.stream(to: 200)
            var rest = given[...]
            for packet in rest.prefix(60) { try await broadcast.send(packet) }
            rest = rest.dropFirst(60)
            #expect(await eventually { before.packets.count > 40 })
            await first.stop()
            #expect(await eventually { before.outcomes.count == 1 })
            // What breaks shows when something is sent.
            while broadcast.onlyStatistics?.lastError == nil, let packet = rest.popFirst() {
                try await broadcast.send(packet)
            }
            let second = try server(after, port: port)
            try await second.start()
            #expect(await broadcast.reaches { $0.state == .publishing })
            for packet in rest { try await broadcast.send(packet) }
            await broadcast.finish()
            #expect(await eventually { after.outcomes == ["complete"] }, "\(after.outcomes)")
            let pictures = after.packets(of: .video)
            #expect(after.packets.first?.track == .video && pictures.first?.isKey == true)
            #expect(pictures.last?.decodeTime == .milliseconds(197 * 40))
            for (one, next) in zip(pictures, pictures.dropFirst()) {
                #expect(next.decodeTime == one.decodeTime + .milliseconds(40))
            }
            await second.stop()
        }
    }
#endif
