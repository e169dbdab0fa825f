// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import RecordedStreams
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// The page in Debian's Chromium when something goes wrong: a server that starts again, a picture that is damaged.
    @Suite(.requiresProgram("chromium", .ffmpeg), .requiresPythonPeers) struct PageRecoveryTests {
        /// Two seconds of a test picture, with a key frame in each half of one.
        private func pictures(in folder: TemporaryDirectory) async throws -> [MediaPacket] {
            let path = folder.path("a.mp4")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30", "-t", "2", "-pix_fmt", "yuv420p",
                "-c:v", "libx264", "-preset", "veryfast", "-bf", "0", "-g", "15", path,
            ])
            return try RecordedStream.pictures(path, .h264)
        }

        private func send(_ packets: [MediaPacket], to broadcast: Broadcast) async throws {
            let (start, first) = (ContinuousClock.now, packets.first?.decodeTime ?? .zero)
            for packet in packets {
                let time = (packet.decodeTime - first).seconds
                try await Task.sleep(until: start + .seconds(time), clock: .continuous)
                try await broadcast.send(packet)
            }
        }

        private func decoded(_ page: BrowserPage) async throws -> Int {
            try await page.evaluate("(usesMSE && mse.source && mse.follow(), counts.decodedPictures)")
        }

        @Test(
            "who watched a server that ended watches the one in its place, whose times begin anew", .thorough(),
            arguments: ["", "#mse"])
        func thoroughRestart(fragment: String) async throws {
            try await withTemporaryDirectory { folder in
                let packets = try await pictures(in: folder)
                let port = freePort()
                var configuration = WebSocketServer.Configuration()
                configuration.place.port = port
                let first = try WebSocketServer(configuration)
                // Begun before the server, whose socket it would have too, and keep.
                let page = try BrowserPage("about:blank", in: folder)
                #expect(await eventually { (try? await page.evaluate("1")) == 1 }, "\(page.program.output)")
                try await first.start()
                let address = "{\"url\": \"http://127.0.0.1:\(port)/\(fragment)\"}"
                _ = try await page.call([("Page.navigate", address)])
                #expect(await eventually { first.statistics?.viewers == 1 }, "\(page.program.output)")
                let broadcast = try Broadcast(tracks: [.video], outputs: [first.output()])
                // The first one was at it for an hour.
                try await send(packets.map { $0.later(by: MediaTime(value: 3600, timescale: 1)) }, to: broadcast)
                #expect(try await eventually { try await decoded(page) >= 50 })
                await first.stop()
                broadcast.cancel()
                let second = try WebSocketServer(configuration)
                try await second.start()
                #expect(await eventually { second.statistics?.viewers == 1 }, "\(page.program.output)")
                let before = try await decoded(page)
                let other = try Broadcast(tracks: [.video], outputs: [second.output()])
                try await send(packets, to: other)
                var count = 0
                #expect(
                    try await eventually {
                        count = try await decoded(page) - before
                        return count >= 50
                    }, "\(count) of \(packets.count)")
                await other.finish()
                let errors: Int = try await page.evaluate("counts.errors")
                #expect(errors == 0)
                page.program.end()
                await second.stop()
            }
        }

        @Test("a damaged picture costs those up to the next key frame, and no more", .thorough())
        func thoroughDamage() async throws {
            try await withTemporaryDirectory { folder in
                var packets = try await pictures(in: folder)
                let server = try WebSocketServer()
                let page = try BrowserPage("http://127.0.0.1:\(try await server.start())/", in: folder)
                #expect(await eventually { server.statistics?.viewers == 1 }, "\(page.program.output)")
                // A slice without an end of its header: of the first key frame, so that nothing hides it.
                let whole = packets[15]
                let unit: [UInt8] = [0, 0, 0, 1, 0x65, 0, 0, 0]
                packets[15] = MediaPacket(
                    format: try #require(whole.format.video), presentationTime: whole.presentationTime,
                    decodeTime: whole.decodeTime, isKey: true, data: unit, nalUnits: [4..<8])
                let broadcast = try Broadcast(tracks: [.video], outputs: [server.output()])
                try await send(packets, to: broadcast)
                var counts: [Int] = []
                #expect(
                    try await eventually {
                        counts = try await page.evaluate("[counts.decodedPictures, counts.errors]")
                        return counts[0] >= 45
                    }, "\(counts)")
                #expect(counts[1] >= 1)
                await broadcast.finish()
                page.program.end()
                await server.stop()
            }
        }
    }
#endif
