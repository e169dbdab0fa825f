// SPDX-License-Identifier: MIT

#if WebSocket
    import Capture
    import EncoderAPI
    import Glibc
    import Publishing
    import Synchronization
    import TestSupport
    import Testing
    import X264Backend

    @testable import WebSocketPublishing

    /// From a screen to its decoding in the page: each picture has the time in it at which it was drawn.
    @Suite(.requiresPythonPeers, .requiresProgram("chromium", "Xvfb", "python3")) struct ScreenToPageTests {
        /// What the page notes of each picture: its time in the stream, what it shows, when it came and when it was
        /// decoded, both in microseconds of the time of day.
        private static let noting = """
            globalThis.noted = []; globalThis.came = new Map();
            const day = () => (performance.timeOrigin + performance.now()) * 1000;
            const taking = codecs.take.bind(codecs);
            codecs.take = message => {
              if (!message.isSound) came.set(Math.round(message.shown * 1e6), day());
              taking(message);
            };
            const board = new OffscreenCanvas(128, 64).getContext("2d", { willReadFrequently: true });
            codecs.waiting.push = function (frame) {
              const decoded = day();
              board.drawImage(frame, 0, 0);
              let value = 0;
              const data = board.getImageData(0, 0, 128, 64).data;
              for (let bit = 0; bit < 32; bit++)
                value = value * 2 + (data[(((bit >> 3) * 16 + 8) * 128 + (bit & 7) * 16 + 8) * 4] > 127 ? 1 : 0);
              noted.push([frame.timestamp, value, came.get(frame.timestamp), decoded]);
              return Array.prototype.push.call(this, frame);
            };
            0
            """

        /// When a picture was captured, given to the session, given by it and given to the broadcast; microseconds.
        private struct Way: Sendable {
            var captured: Int64
            var given: Int64
            var encoded: Int64 = 0
            var sent: Int64 = 0
        }

        private static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        }

        private func median(_ values: [Double]) -> Double {
            values.isEmpty ? .nan : values.sorted()[values.count / 2]
        }

        @Test(
            "a screen is decoded in the page a few frames after it was drawn, at most one of them in the session",
            .thorough())
        func thoroughDelay() async throws {
            try await withTemporaryDirectory { folder in
                let screen = try #require(try await XServer(in: folder, size: ScreenClock.size))
                let clock = try #require(try await ScreenClock(on: screen.display, in: folder))
                let server = try WebSocketServer(WebSocketServer.Configuration())
                let page = try BrowserPage("http://127.0.0.1:\(try await server.start())/", in: folder)
                #expect(await eventually { server.statistics?.viewers == 1 }, "\(page.program.output)")
                let _: Int = try await page.evaluate(Self.noting)
                let ways = try await send(from: screen.display, count: 150, to: server)
                let noted: [[Double]] = try await page.evaluate("noted")
                let offset = Double(Self.now(CLOCK_REALTIME) - Self.now())
                withExtendedLifetime(clock) {}
                #expect(server.statistics?.droppedFrames == 0 && noted.count == ways.count, "\(noted.count)")
                let first = try #require(ways.first)
                let order = ["drawn to captured", "to session", "session", "to server", "to page", "decoding", "all"]
                var parts: [String: [Double]] = [:]
                for row in noted where row.count == 4 {
                    let time = first.captured + Int64(row[0])
                    let way = try #require(ways.min { abs($0.captured - time) < abs($1.captured - time) })
                    #expect(abs(way.captured - time) <= 50, "no picture is of \(time)")
                    // What is drawn has tenths of a millisecond, in 32 bits.
                    let age = (Double(way.captured / 100) - row[1]).remainder(dividingBy: 4_294_967_296) * 100
                    let drawn = Double(way.captured) - age
                    let times = [way.captured, way.given, way.encoded, way.sent].map(Double.init)
                    let all = [drawn] + times + [row[2] - offset, row[3] - offset]
                    for (place, name) in order.dropLast().enumerated() {
                        parts[name, default: []].append((all[place + 1] - all[place]) / 1000)
                    }
                    parts["all", default: []].append((row[3] - offset - drawn) / 1000)
                }
                let frame = 1000.0 / 30
                for name in order {
                    let value = median(parts[name] ?? [])
                    let frames = (value / frame * 100).rounded() / 100
                    print("\(name): median \((value * 10).rounded() / 10) ms, \(frames) frames")
                }
                #expect(median(parts["session"] ?? []) <= frame)
                #expect((0...5 * frame).contains(median(parts["all"] ?? [])))
                page.program.end()
                await server.stop()
            }
        }

        /// Captures a screen in real time, and gives it to a server's viewers.
        private func send(from display: String, count: Int, to server: WebSocketServer) async throws -> [Way] {
            let capture = try PictureCapture(CaptureSource("x11:\(display)"))
            defer { capture.stop() }
            var configuration = SessionConfiguration(
                codec: .h264, width: capture.format.width, height: capture.format.height,
                pixelFormat: capture.format.pixelFormat)
            configuration.realTime = true
            configuration.allowFrameReordering = false
            configuration.preset = "superfast"
            configuration.live.expectedFrameRate = 30
            let session = try CompressionSession(configuration, encoder: X264Backend())
            capture.fill(session.pixelBufferPool)
            let broadcast = try Broadcast(tracks: [.video], outputs: [server.output()]) {
                try? session.requestKeyFrame()
            }
            let ways = Mutex<[Way]>([])
            async let giving: Void = {
                for _ in 0..<count {
                    guard let picture = try await onThread({ try capture.next() }) else { break }
                    ways.withLock { $0.append(Way(captured: picture.time.value, given: Self.now())) }
                    try await session.encode(picture.picture, at: picture.time)
                }
                try await session.finish()
            }()
            var place = 0
            for try await frame in session.encodedFrames {
                let encoded = Self.now()
                try await broadcast.send(frame)
                ways.withLock { ($0[place].encoded, $0[place].sent) = (encoded, Self.now()) }
                place += 1
            }
            try await giving
            await broadcast.finish()
            return ways.withLock { $0 }
        }
    }
#endif
