// SPDX-License-Identifier: MIT

#if WebSocket
    import Publishing
    import Synchronization
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// Publishers made by hand at our server.
    @Suite struct HostilePublisherTests {
        private func server(
            _ onPublisher: @escaping @Sendable (PublishedStream) async -> Void,
            _ change: (inout WebSocketServer.Configuration) -> Void = { _ in }
        ) throws -> WebSocketServer {
            var configuration = WebSocketServer.Configuration()
            configuration.token = try TestToken.make()
            configuration.onPublisher = onPublisher
            configuration.limits.messageBytes = 100_000
            change(&configuration)
            return try WebSocketServer(configuration)
        }

        private static let target = "/publish?token=\(TestToken.text)"

        private struct Messages {
            let format: [UInt8]
            let frame: [UInt8]
            let end: [UInt8]
            let size: Int

            init(unitSize: Int = 400) throws {
                let (writer, packet) = (try MessageWriter(), try Frames.stream(to: 1, unitSize: unitSize)[0])
                format = try writer.format(of: packet)
                frame = try writer.frame(of: packet)
                end = writer.end(of: .video)
                size = packet.byteCount
            }
        }

        /// What is done wrong, in words.
        enum Fault: String, CaseIterable, Sendable {
            case frameFirst = "a frame before its format"
            case unknownVersion = "a message of version 2"
            case cut = "a message that is cut"
            case text = "text"
            case tooLong = "a message that is too long"
            case tooLongInParts = "parts that are too long together"
            case behindEnd = "a frame behind the end"
            case endOfNothing = "the end of a track of which nothing came"
            case otherLength = "a NAL unit whose length goes beyond the message"

            var closeCode: Int {
                switch self {
                case .frameFirst, .cut, .behindEnd, .endOfNothing, .otherLength: 1007
                case .unknownVersion, .text: 1003
                case .tooLong, .tooLongInParts: 1009
                }
            }
        }

        @Test(
            "what breaks the rules closes with its code; what came before is handed on", .inTurn(),
            arguments: Fault.allCases)
        func faults(fault: Fault) async throws {
            let record = PublishedRecord()
            let server = try server { await record.take($0) }
            let client = RawClient(port: try await server.start())
            #expect(client.upgrade(Self.target) == 101)
            let messages = try Messages()
            if fault != .frameFirst {
                client.send(frame: 2, messages.format)
                client.send(frame: 2, messages.frame)
            }
            switch fault {
            case .frameFirst: client.send(frame: 2, messages.frame)
            case .unknownVersion: client.send(frame: 2, [2] + messages.frame.dropFirst())
            case .cut: client.send(frame: 2, Array(messages.frame.prefix(20)))
            case .text: client.send(frame: 1, messages.frame)
            case .tooLong: client.send([0x82, 0xFF, 0, 0, 0, 0, 0, 2, 0, 0, 1, 2, 3, 4])
            case .tooLongInParts:
                client.send(frame: 2, [UInt8](repeating: 0, count: 60_000), isFinal: false)
                client.send(frame: 0, [UInt8](repeating: 0, count: 60_000))
            case .behindEnd:
                client.send(frame: 2, messages.end)
                client.send(frame: 2, messages.frame)
            case .endOfNothing: client.send(frame: 2, try MessageWriter().end(of: .audio))
            case .otherLength:
                var message = messages.frame
                message[MessageHeader.byteCount + 1] = 1
                client.send(frame: 2, message)
            }
            #expect(client.message()?.closeCode == fault.closeCode)
            #expect(await eventually { record.outcomes.count == 1 })
            #expect(record.packets.count == (fault == .frameFirst ? 0 : 1))
            #expect(record.outcomes.first != "complete", "\(record.outcomes)")
            #expect(server.statistics?.closedForCause == 1)
            await server.stop()
        }

        @Test("an end without a close, and a close without an end, are incomplete")
        func incomplete() async throws {
            let record = PublishedRecord()
            let server = try server({ await record.take($0) }) { $0.limits.publishers = 2 }
            let port = try await server.start()
            let messages = try Messages()
            func begin() -> RawClient {
                let client = RawClient(port: port)
                #expect(client.upgrade(Self.target) == 101)
                client.send(frame: 2, messages.format)
                client.send(frame: 2, messages.frame)
                return client
            }
            let closing = begin()
            closing.send(frame: 8, [0x03, 0xE8])
            #expect(closing.message()?.closeCode == 1000)
            do {
                let breaking = begin()
                breaking.send(frame: 2, messages.end)
                #expect(await eventually { record.packets.count == 2 })
            }
            #expect(await eventually { record.outcomes.count == 2 })
            #expect(record.outcomes.allSatisfy { $0.hasPrefix("closedByPeer: ") }, "\(record.outcomes)")
            await server.stop()
        }

        @Test(
            "a publisher whose packets nobody takes waits, and is not given up; all arrive when they are taken",
            .inTurn())
        func backPressure() async throws {
            let isTaking = Mutex(false)
            let count = Mutex(0)
            let record = PublishedRecord()
            let server = try server({ stream in
                _ = await eventually(within: 60) { isTaking.withLock { $0 } }
                await record.take(stream)
            }) { $0.limits.idleSeconds = 2 }
            let client = RawClient(port: try await server.start())
            #expect(client.upgrade(Self.target) == 101)
            let messages = try Messages(unitSize: 50_000)
            client.send(frame: 2, messages.format)
            let frame = RawClient.frame(2, messages.frame)
            let sent = 600
            let sending = Task.detached {
                for _ in 0..<sent {
                    guard client.send(frame) else { return }
                    count.withLock { $0 += 1 }
                }
            }
            #expect(await eventually { server.statistics?.receivedFrames ?? 0 > 2 })
            // Longer than it may give no sign of life; what the server and the system between hold is less than all.
            try await Task.sleep(for: .milliseconds(2500))
            #expect(server.statistics?.publishers == 1 && count.withLock { $0 } < sent)
            // The limit, the message that passes it, and four reads of 64 KiB, which one turn of the loop may make.
            let most = (100_000 + 50_000 + 4 * 65_536) / 50_000
            #expect((server.statistics?.receivedFrames ?? 0) <= most)
            isTaking.withLock { $0 = true }
            await sending.value
            client.send(frame: 2, messages.end)
            client.send(frame: 8, [0x03, 0xE8])
            #expect(await eventually { record.outcomes == ["complete"] }, "\(record.outcomes)")
            #expect(record.packets.count == sent)
            await server.stop()
        }

        @Test("when nobody reads any more the publisher is closed, and so it is when the server stops")
        func leaving() async throws {
            let server = try server { stream in
                var iterator = stream.makeAsyncIterator()
                _ = try? await iterator.next()
            }
            let port = try await server.start()
            let messages = try Messages()
            let client = RawClient(port: port)
            #expect(client.upgrade(Self.target) == 101)
            client.send(frame: 2, messages.format)
            client.send(frame: 2, messages.frame)
            #expect(client.message()?.closeCode == 1001)
            client.send(frame: 8, [0x03, 0xE9])
            #expect(await eventually { server.statistics?.publishers == 0 })
            let other = RawClient(port: port)
            #expect(other.upgrade(Self.target) == 101)
            async let stopping: Void = server.stop()
            #expect(other.message()?.closeCode == 1001)
            await stopping
        }

        @Test("what takes a publisher's packets may end after the server has stopped")
        func endingLate() async throws {
            let (hasStopped, hasEnded) = (OneFlag(), OneFlag())
            let server = try server { stream in
                var iterator = stream.makeAsyncIterator()
                while !hasStopped.isRaised { _ = await eventually(within: 1) { hasStopped.isRaised } }
                while let _ = try? await iterator.next() {}
                hasEnded.raise()
            }
            let client = RawClient(port: try await server.start())
            let messages = try Messages()
            #expect(client.upgrade(Self.target) == 101)
            client.send(frame: 2, messages.format)
            client.send(frame: 2, messages.frame)
            #expect(await eventually { server.statistics?.receivedFrames == 1 })
            await server.stop()
            hasStopped.raise()
            #expect(await eventually { hasEnded.isRaised })
        }
    }
#endif
