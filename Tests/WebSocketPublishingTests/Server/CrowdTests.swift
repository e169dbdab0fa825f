// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import Synchronization
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// Viewers and publishers that come and go from several threads while frames are sent and the server stops:
    /// the thread sanitizer has something to watch.
    @Suite struct CrowdTests {
        /// What all threads of a round share.
        private final class Round: Sendable {
            let isOver = Mutex(false)
            let faults = Mutex<[String]>([])
            /// Publishers that have come, and that have gone.
            let begun = Mutex(0)
            let ended = Mutex(0)
            let record = PublishedRecord()
        }

        /// How a peer leaves.
        private enum Leaving: CaseIterable {
            case inItsRequest, atOnce, afterFrames, byClose, byBrokenFrame
        }

        private static let authorization = "Authorization: Bearer \(TestToken.text)"

        /// Joins and leaves.
        ///
        /// - Returns: What is wrong with what came; nil for nothing.
        private static func watch(_ port: Int, _ random: inout SeededGenerator) -> String? {
            let client = RawClient(port: port)
            let leaving = Leaving.allCases.randomElement(using: &random) ?? .atOnce
            if leaving == .inItsRequest {
                let request = RawClient.request(headers: [authorization])
                client.send(String(request.prefix(.random(in: 0...request.count, using: &random))))
                return nil
            }
            guard client.upgrade(headers: [authorization]) == 101, leaving != .atOnce else { return nil }
            if leaving == .byBrokenFrame { client.send(frame: 2, [1], isMasked: false) }
            var (reader, hasBegun) = (MessageReader(), false)
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                guard let frame = client.message(), frame.opcode == 2 else { return nil }
                guard let message = try? reader.read(frame.payload) else { return "a message that cannot be read" }
                guard case .frame(let packet) = message, packet.track == .video else { continue }
                if !hasBegun, !packet.isKey { return "a beginning between key frames" }
                hasBegun = true
            }
            if leaving == .byClose {
                client.send(frame: 8, [0x03, 0xE8])
                _ = client.rest()
            }
            return nil
        }

        /// Sends a few frames, and leaves.
        private static func publish(_ port: Int, _ random: inout SeededGenerator) {
            let client = RawClient(port: port)
            guard client.upgrade("/publish", headers: [authorization]) == 101 else { return }
            guard let writer = try? MessageWriter(), let packets = try? Frames.stream(to: 3) else { return }
            for packet in packets {
                for message in [try? writer.format(of: packet), try? writer.frame(of: packet)] {
                    client.send(frame: 2, message ?? [])
                }
            }
            if Bool.random(using: &random) { client.send(frame: 8, [0x03, 0xE8]) }
        }

        @Test("whoever comes and goes, and whenever the server stops, viewers begin with key frames and all ends")
        func comingAndGoing() async throws {
            var random = SeededGenerator()
            for number in 0..<(Sample.depth() == .usual ? 4 : Sample.depth() == .thorough ? 10 : 40) {
                var configuration = WebSocketServer.Configuration()
                configuration.token = try TestToken.make()
                let round = Round()
                configuration.onPublisher = { stream in
                    round.begun.withLock { $0 += 1 }
                    await round.record.take(stream)
                    round.ended.withLock { $0 += 1 }
                }
                let server = try WebSocketServer(configuration)
                let port = try await server.start()
                let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [server.output()]) {}
                let seeds = (0..<5).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
                let joins = Int.random(in: 5...30, using: &random)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (place, seed) in seeds.enumerated() {
                        group.addTask {
                            try await onThread {
                                var random = SeededGenerator(seed: seed)
                                while !round.isOver.withLock({ $0 }) {
                                    if place == 0 { Self.publish(port, &random) }
                                    guard let fault = Self.watch(port, &random) else { continue }
                                    round.faults.withLock { $0.append(fault) }
                                }
                            }
                        }
                    }
                    group.addTask {
                        var second = 0
                        while !round.isOver.withLock({ $0 }) {
                            for packet in try Frames.stream(from: second * 25, to: (second + 1) * 25) {
                                try await broadcast.send(packet)
                                try await Task.sleep(for: .milliseconds(2))
                            }
                            second += 1
                        }
                    }
                    let isCrowded = await eventually { server.statistics?.joinedViewers ?? 0 >= joins }
                    #expect(isCrowded, "\(String(describing: server.statistics))")
                    if number % 2 == 0 {
                        await server.stop()
                    } else {
                        async let stopping: Void = server.stop()
                        broadcast.cancel()
                        await stopping
                    }
                    round.isOver.withLock { $0 = true }
                    do {
                        try await group.waitForAll()
                    } catch let error as PublishingError {
                        // The broadcast was cancelled under the frames.
                        #expect(error.code == .invalidState || error.code == .cancelled, "\(error)")
                    }
                }
                await broadcast.finish()
                let faults = round.faults.withLock { $0 }
                #expect(faults.isEmpty, "\(faults)")
                #expect(server.statistics == nil)
                #expect(await eventually { round.begun.withLock { $0 } == round.ended.withLock { $0 } })
            }
        }
    }
#endif
