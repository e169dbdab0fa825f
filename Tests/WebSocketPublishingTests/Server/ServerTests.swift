// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import Synchronization
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    @Suite struct ServerTests {
        private func broadcast(
            _ server: WebSocketServer, onKeyFrameWanted: @escaping @Sendable () -> Void = {}
        ) throws -> Broadcast {
            var output = server.output()
            // Packets come at once here.
            output.longestQueue = .milliseconds(60_000)
            return try Broadcast(tracks: [.video, .audio], outputs: [output], onKeyFrameWanted: onKeyFrameWanted)
        }

        /// Reads messages up to the close, and says how it came.
        private func messages(_ client: RawClient) throws -> (messages: [StreamMessage], code: Int?) {
            var (reader, messages) = (MessageReader(), [StreamMessage]())
            while let frame = client.message() {
                guard frame.opcode == 2 else { return (messages, frame.closeCode) }
                messages.append(try reader.read(frame.payload))
                if case .end(.audio) = messages.last { client.send(frame: 8, [0x03, 0xE8]) }
            }
            return (messages, nil)
        }

        private func frames(_ messages: [StreamMessage]) -> [MediaPacket] {
            messages.compactMap { if case .frame(let packet) = $0 { packet } else { nil } }
        }

        @Test("a viewer gets each frame with its times, the formats before them, and the end with code 1000")
        func wholeStream() async throws {
            // All at once: as much waits as the viewer needs for three seconds of stream.
            var configuration = WebSocketServer.Configuration()
            configuration.viewers.duration = .milliseconds(10_000)
            let server = try WebSocketServer(configuration)
            let client = RawClient(port: try await server.start())
            let broadcast = try broadcast(server)
            #expect(client.upgrade() == 101)
            #expect(await eventually { server.statistics?.viewers == 1 })
            let given = try Frames.stream()
            for packet in given { try await broadcast.send(packet) }
            async let finishing: Void = broadcast.finish()
            let (messages, code) = try messages(client)
            await finishing
            #expect(code == 1000)
            guard case .format(.video, _) = messages.first else {
                Issue.record("\(String(describing: messages.first)) came first")
                return
            }
            let got = frames(messages)
            #expect(got.count == given.count)
            for track in [TrackID.video, .audio] {
                let (got, given) = (got.filter { $0.track == track }, given.filter { $0.track == track })
                // The broadcast's zero is when its first picture is shown.
                for (got, given) in zip(got, given) {
                    #expect(got.isKey == given.isKey && got.duration == given.duration)
                    #expect(got.presentationTime == given.presentationTime - .milliseconds(80))
                    #expect(got.decodeTime == given.decodeTime - .milliseconds(80))
                }
            }
            let statistics = try #require(server.statistics)
            #expect(statistics.sentFrames == given.count && statistics.droppedFrames == 0)
            #expect(statistics.completedViewers == 1 && statistics.joinedViewers == 1)
            await server.stop()
        }

        @Test("who joins in the middle begins with a key frame, asked for once for all who wait")
        func joining() async throws {
            let wishes = Mutex(0)
            let server = try WebSocketServer()
            let port = try await server.start()
            let broadcast = try broadcast(server) { wishes.withLock { $0 += 1 } }
            for packet in try Frames.stream(to: 10) { try await broadcast.send(packet) }
            // Some wait to be put in order.
            #expect(await eventually { (broadcast.statistics.values.first?.writtenPackets ?? 0) > 10 })
            #expect(wishes.withLock { $0 } == 0)
            let clients = (0..<3).map { _ in RawClient(port: port) }
            for client in clients { #expect(client.upgrade() == 101) }
            #expect(await eventually { server.statistics?.viewers == 3 })
            for packet in try Frames.stream(from: 10, to: 40) { try await broadcast.send(packet) }
            async let finishing: Void = broadcast.finish()
            for client in clients {
                let got = frames(try messages(client).messages)
                #expect(got.first?.track == .video && got.first?.isKey == true)
                #expect(got.first?.decodeTime == .milliseconds(23 * 40))
                #expect(got.count == 30)
            }
            await finishing
            #expect(wishes.withLock { $0 } == 1)
            await server.stop()
        }

        @Test("the format that a late viewer is told has the times of its first frame")
        func lateFormat() async throws {
            let server = try WebSocketServer()
            let port = try await server.start()
            let broadcast = try broadcast(server)
            for packet in try Frames.stream(to: 10) { try await broadcast.send(packet) }
            #expect(await eventually { (broadcast.statistics.values.first?.writtenPackets ?? 0) > 10 })
            let client = RawClient(port: port)
            #expect(client.upgrade() == 101)
            #expect(await eventually { server.statistics?.viewers == 1 })
            for packet in try Frames.stream(from: 10, to: 40) { try await broadcast.send(packet) }
            async let finishing: Void = broadcast.finish()
            // By kind and track: the bytes of timescale and times (see MessageLayout).
            var firsts: [[UInt8]: ArraySlice<UInt8>] = [:]
            while let frame = client.message(), frame.opcode == 2, frame.payload[1] != 3 {
                let place = [frame.payload[1], frame.payload[2]]
                if firsts[place] == nil { firsts[place] = frame.payload[4..<24] }
            }
            client.send(frame: 8, [0x03, 0xE8])
            await finishing
            await server.stop()
            #expect(firsts.count == 4)
            for track: UInt8 in [0, 0x80] { #expect(firsts[[1, track]] == firsts[[2, track]], "\(track)") }
        }

        @Test("a viewer that takes the last frames late, and does not close, is closed with code 1000", .thorough())
        func thoroughLateEnd() async throws {
            let server = try WebSocketServer()
            let client = RawClient(port: try await server.start(), receiveBuffer: 4096)
            #expect(client.upgrade() == 101)
            #expect(await eventually { server.statistics?.viewers == 1 })
            let broadcast = try broadcast(server)
            for packet in try Frames.stream(to: 20, unitSize: 60_000) { try await broadcast.send(packet) }
            async let finishing: Void = broadcast.finish()
            let end = ContinuousClock.now
            #expect(await eventually { .now - end > .seconds(1) })
            var last: Int?
            while let frame = client.message() { last = frame.closeCode }
            #expect(last == 1000)
            await finishing
            await server.stop()
        }

        @Test("a viewer that reads nothing is left behind: the other gets all, and it goes on with a key frame")
        func slowViewer() async throws {
            let server = try WebSocketServer()
            let port = try await server.start()
            let broadcast = try broadcast(server)
            let (slow, fast) = (RawClient(port: port, receiveBuffer: 4096), RawClient(port: port))
            #expect(slow.upgrade() == 101 && fast.upgrade() == 101)
            #expect(await eventually { server.statistics?.viewers == 2 })
            // 60 KB a picture: what the system takes of a socket that nobody reads is over soon.
            let given = try Frames.stream(to: 200, unitSize: 60_000)
            var reader = MessageReader()
            var (sent, got) = (0, 0)
            func send(_ packets: [MediaPacket]) async throws {
                for packet in packets {
                    try await broadcast.send(packet)
                    sent += 1
                    // Some wait to be put in order.
                    while got < sent - 10, let frame = fast.message() {
                        if case .frame = try reader.read(frame.payload) { got += 1 }
                    }
                }
            }
            try await send(given)
            #expect((server.statistics?.droppedFrames ?? 0) > 200)
            // The queue of the slow one holds a second at most, and its socket's buffers are small.
            let shown = Mutex([MediaPacket]())
            let last = MediaTime.milliseconds(249 * 40 - 80)
            let reading = Task.detached {
                var reader = MessageReader()
                while let frame = slow.message(), frame.opcode == 2 {
                    guard case .frame(let packet) = try reader.read(frame.payload) else { continue }
                    shown.withLock { $0.append(packet) }
                    if packet.track == .video, packet.decodeTime == last { break }
                }
            }
            try await send(try Frames.stream(from: 200, to: 250))
            let finishing = Task { await broadcast.finish() }
            while let frame = fast.message(), frame.opcode == 2 {
                switch try reader.read(frame.payload) {
                case .frame: got += 1
                case .end(.audio): fast.send(frame: 8, [0x03, 0xE8])
                default: break
                }
            }
            #expect(got == 500)
            await finishing.value
            _ = try await reading.value
            let pictures = shown.withLock { $0.filter { $0.track == .video } }
            var gaps = 0
            for (one, next) in zip(pictures, pictures.dropFirst())
            where next.decodeTime != one.decodeTime + .milliseconds(40) {
                gaps += 1
                #expect(next.isKey, "a gap before \(next.decodeTime)")
            }
            #expect(gaps > 0)
            await server.stop()
        }

        @Test("the page is served with a policy that lets it load nothing; it needs no token")
        func page() async throws {
            var configuration = WebSocketServer.Configuration()
            configuration.token = .random()
            let server = try WebSocketServer(configuration)
            let client = RawClient(port: try await server.start())
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try #require(client.answer())
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("default-src 'none'"))
            let body = client.rest()
            #expect(body == ViewerPage.bytes && body.count > 10_000)
            await server.stop()
        }

        @Test("a broadcast goes on where the server stops: its output fails by name, and the file beside it is whole")
        func stoppedBefore() async throws {
            try await withTemporaryDirectory { folder in
                let server = try WebSocketServer()
                let port = try await server.start()
                let client = RawClient(port: port)
                #expect(client.upgrade() == 101)
                let broadcast = try Broadcast(
                    tracks: [.video, .audio], outputs: [server.output(), .file(folder.path("all.mkv"))])
                let packets = try Frames.stream()
                for packet in packets.prefix(40) { try await broadcast.send(packet) }
                // Else the output may open after the server has stopped, which is refused in other words.
                #expect(await eventually { (server.statistics?.sentFrames ?? 0) > 0 })
                async let stopping: Void = server.stop()
                for packet in packets[40..<80] { try await broadcast.send(packet) }
                await stopping
                for packet in packets.dropFirst(80) { try await broadcast.send(packet) }
                await broadcast.finish()
                var (reasons, written) = ([String](), [Int]())
                for output in broadcast.statistics.values {
                    if case .failed(let error) = output.state {
                        reasons.append("\(error.code.rawValue): \(error.reason)")
                    } else {
                        #expect(output.state == .ended)
                        written.append(output.writtenPackets)
                    }
                }
                #expect(reasons == ["invalidState: the server has stopped"] && written == [packets.count])
            }
        }

        @Test("a port in use, a second start and an output without a server are refused by name")
        func refusals() async throws {
            let server = try WebSocketServer()
            let port = try await server.start()
            var configuration = WebSocketServer.Configuration()
            configuration.place.port = port
            let second = try WebSocketServer(configuration)
            var error = await #expect(throws: PublishingError.self) { try await second.start() }
            #expect(error?.code == .cannotOpen && error?.reason.contains("port \(port) of 127.0.0.1 is in use") == true)
            error = await #expect(throws: PublishingError.self) { try await server.start() }
            #expect(error?.code == .invalidState)
            configuration.place.port = freePort()
            let third = try WebSocketServer(configuration)
            try await third.start()
            error = await #expect(throws: PublishingError.self) { try await third.start() }
            #expect(error?.code == .invalidState)
            await third.stop()
            configuration.place.host = "0.0.0.0"
            error = #expect(throws: PublishingError.self) { try WebSocketServer(configuration) }
            #expect(error?.reason.contains("without a token") == true)
            await server.stop()
            let broadcast = try broadcast(server)
            #expect(
                await eventually {
                    if case .failed(let error) = broadcast.statistics.values.first?.state {
                        error.code == .invalidState
                    } else {
                        false
                    }
                })
            await broadcast.finish()
        }
    }
#endif
