// SPDX-License-Identifier: MIT

#if WebSocket
    import Capture
    import EncoderAPI
    import FoundationEssentials
    import PictureTransfer
    import Publishing
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// The chain of ``SegmentChainTests`` behind a camera that lies on its side and is dark at first.
    @Suite(.requiresPythonPeers, .requiresProgram(.ffmpeg, .ffprobe)) struct TurnedChainTests {
        private static let (pictureCount, darkCount) = (120, 15)
        private static let upright = "testsrc2=size=720x1280:rate=30"

        /// How pictures come to stand upright.
        enum Way: String, CaseIterable {
            /// Players are told to turn them a quarter clockwise.
            case signalled
            /// They are turned before they are encoded.
            case turned

            /// Turns as FFmpeg has them: the one that makes a decoded picture upright, and those that do not.
            var filters: (right: String, wrong: [String]) {
                self == .signalled
                    ? ("transpose=clock,", ["", "transpose=cclock,"]) : ("", ["transpose=clock,", "transpose=cclock,"])
            }
        }

        /// Turns pictures of 1280x720 a quarter clockwise.
        private struct Turner {
            let transfer: PixelTransferSession
            let pool: PixelBufferPool

            init() throws {
                var options = PixelTransferOptions()
                options.rotation = .degrees90
                transfer = PixelTransferSession(options)
                pool = try PixelBufferPool(format: .i420, width: 720, height: 1280)
            }

            func turn(_ picture: PixelBuffer) throws -> PixelBuffer {
                var target = try pool.makeMutablePixelBuffer()
                try transfer.transfer(picture, to: &target)
                return PixelBuffer(target)
            }
        }

        /// What the camera gives: turned a quarter anticlockwise, from black on.
        private func camera(
            _ capture: PictureCapture, _ turner: Turner?
        ) -> AsyncThrowingStream<(PixelBuffer, MediaTime), any Error> {
            let (stream, continuation) = AsyncThrowingStream<(PixelBuffer, MediaTime), any Error>.makeStream()
            Task {
                do {
                    try await onThread {
                        for _ in 0..<Self.pictureCount {
                            guard let picture = try capture.next() else { break }
                            let shown = try turner?.turn(picture.picture) ?? picture.picture
                            continuation.yield((shown, picture.time))
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            return stream
        }

        /// Pictures in small, each of 72x128 samples of luma.
        private func small(_ input: [String], _ filters: String, count: Int) async throws -> [[UInt8]] {
            let output = try await ExternalProgram.ffmpeg.run(
                ["-v", "error", "-noautorotate"] + input + [
                    "-frames:v", "\(count)", "-vf", "\(filters)scale=72:128:flags=area,format=gray", "-f", "rawvideo",
                    "-",
                ])
            let bytes = [UInt8](output.standardOutput)
            let size = 72 * 128
            return (0..<bytes.count / size).map { Array(bytes[$0 * size..<($0 + 1) * size]) }
        }

        private func mean(_ picture: [UInt8]) -> Double {
            Double(picture.reduce(0) { $0 + Int($1) }) / Double(picture.count)
        }

        /// The least mean distance of a picture's samples from those of one of `others`.
        private func distance(_ picture: [UInt8], _ others: [[UInt8]]) -> Double {
            let sums = others.map { other in zip(picture, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } }
            return Double(sums.min() ?? .max) / Double(picture.count)
        }

        @Test(
            "pictures are upright behind both servers, and the first is as bright as those that follow", .thorough(),
            arguments: Way.allCases)
        func thoroughTurned(way: Way) async throws {
            try await withTemporaryDirectory { folder in
                for name in ["theirs", "ours"] {
                    try FileManager.default.createDirectory(
                        atPath: folder.path(name), withIntermediateDirectories: true)
                }
                let port = freePort()
                let theirs = try PeerProgram(
                    PythonPeer.python, ["-c", SegmentChainTests.server, "\(port)", folder.path("theirs")],
                    log: folder.path("log"))
                #expect(await eventually { isListened(at: port) }, "\(theirs.output)")
                var configuration = WebSocketServer.Configuration()
                configuration.token = try TestToken.make()
                let ended = OneFlag()
                configuration.onPublisher = { stream in
                    await recordSegments(stream, in: folder.path("ours"))
                    ended.raise()
                }
                let server = try WebSocketServer(configuration)
                var (unit, message) = (WebSocketOptions(), WebSocketOptions())
                unit.framing = .nalUnits
                message.token = configuration.token
                let ourPort = try await server.start()
                let outputs = try [
                    Output.webSocket(WebSocketAddress("ws://127.0.0.1:\(port)/"), options: unit),
                    Output.webSocket(WebSocketAddress("ws://127.0.0.1:\(ourPort)/publish"), options: message),
                ]
                var options = CaptureOptions()
                options.darkFrames = .untilSteady
                let graph = "\(Self.upright),transpose=cclock,fade=in:0:\(Self.darkCount),format=yuv420p"
                let capture = try PictureCapture(CaptureSource("lavfi:\(graph)"), options)
                // The session is told of no color.
                capture.fill(try PixelBufferPool(format: .i420, width: 1280, height: 720))
                let isSignalled = way == .signalled
                let pictures = camera(capture, isSignalled ? nil : try Turner())
                _ = try await sendLive(
                    pictures, of: isSignalled ? (1280, 720) : (720, 1280), turnedBy: isSignalled ? .degrees90 : .none,
                    to: outputs
                ) { broadcast in
                    #expect(await eventually { broadcast.statistics.values.allSatisfy { $0.state == .publishing } })
                }
                capture.stop()
                #expect(capture.statistics.dark >= Self.darkCount - 3, "\(capture.statistics)")
                #expect(await eventually { theirs.output.contains("ended 0") }, "\(theirs.output)")
                #expect(await eventually { ended.isRaised })
                await server.stop()
                let wanted = try await small(
                    ["-f", "lavfi", "-i", Self.upright], "", count: Self.darkCount + 45)
                for name in ["theirs", "ours"] {
                    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(name))
                        .filter { $0.hasSuffix(".ts") }.sorted().map { "\(folder.path(name))/\($0)" }
                    let first = try #require(files.first)
                    // Each segment says how it is to be turned, as FFmpeg reads it, or nothing of that.
                    for file in files {
                        let told = try await ExternalProgram.ffprobe.run([
                            "-v", "error", "-select_streams", "v", "-read_intervals", "%+#1", "-show_entries",
                            "frame_side_data=rotation", "-of", "csv=p=0", file,
                        ]).text
                        let isTold = isSignalled ? told.contains("-90") : !told.contains("90")
                        #expect(isTold, "\(file): \(told)")
                    }
                    let shown = try await small(["-i", first], way.filters.right, count: 10)
                    try #require(shown.count == 10)
                    #expect(abs(mean(shown[0]) - mean(shown[9])) <= 5, "\(name): \(shown.map(mean))")
                    let right = distance(shown[0], wanted)
                    let others = try await way.filters.wrong.asyncMap {
                        distance(try await small(["-i", first], $0, count: 1)[0], wanted)
                    }
                    print(name, "means \(shown.map { Int(mean($0)) }), distances \(right) and \(others)")
                    #expect(right < 4 && others.allSatisfy { $0 > 20 }, "\(name): \(right), \(others)")
                }
            }
        }
    }
#endif
