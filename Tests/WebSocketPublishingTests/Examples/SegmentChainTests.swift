// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import FoundationEssentials
    import Publishing
    import Synchronization
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// From a session over WebSocket to transport streams of three seconds: by a server that others wrote, which takes
    /// NAL units and invents their times, and by one of ours, in which the times travel with the frames.
    @Suite(.requiresPythonPeers, .requiresProgram(.ffmpeg, .ffprobe)) struct SegmentChainTests {
        /// Python's `websockets`, which writes what comes to ffmpeg's standard input.
        static let server = """
            import asyncio, subprocess, sys
            import websockets
            async def handle(peer):
                ffmpeg = subprocess.Popen(["ffmpeg", "-v", "error", "-r", "30", "-f", "h264", "-i", "pipe:0", "-c", "copy",
                    "-f", "segment", "-segment_time", "3", "-segment_format", "mpegts", "-reset_timestamps", "1",
                    sys.argv[2] + "/part_%06d.ts"], stdin=subprocess.PIPE)
                async for message in peer: ffmpeg.stdin.write(message)
                ffmpeg.stdin.close()
                print("ended", ffmpeg.wait(), flush=True)
            async def main():
                async with websockets.serve(handle, "127.0.0.1", int(sys.argv[1]), max_size=None): await asyncio.Future()
            asyncio.run(main())
            """
        private static let (pictureCount, ticksOfPicture) = (285, Int64(3000))

        /// When a picture is captured, in ticks of 90 kHz: a camera's clock is never quite even.
        private static func ticks(_ number: Int) -> Int64 {
            Int64(number) * ticksOfPicture + [0, 11, -7][number % 3]
        }

        /// Pictures of ffmpeg's test source at the pace of their times.
        private func camera(_ clip: TestClip) -> AsyncThrowingStream<(PixelBuffer, MediaTime), any Error> {
            let (stream, continuation) = AsyncThrowingStream<(PixelBuffer, MediaTime), any Error>.makeStream()
            Task {
                do {
                    let start = ContinuousClock.now
                    for number in 0..<Self.pictureCount {
                        let time = MediaTime(value: Self.ticks(number), timescale: 90_000)
                        try await Task.sleep(until: start + .seconds(time.seconds), clock: .continuous)
                        continuation.yield((try clip.pixelBuffer(number % clip.frames.count), time))
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            return stream
        }

        /// The times of all pictures of a file, in ticks.
        private func ticks(of path: String) async throws -> [Int64] {
            let output = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts", "-of", "csv=p=0:nk=1", path,
            ])
            return output.text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Int64($0) }.sorted()
        }

        /// A digest of each decoded picture.
        private func digests(of path: String) async throws -> [Substring] {
            let output = try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-",
            ])
            return output.text.split(separator: "\n").filter { $0.first != "#" }.compactMap {
                $0.split(separator: " ").last
            }
        }

        private func files(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ts") }.sorted().map {
                "\(folder)/\($0)"
            }
        }

        @Test(
            "segments of both servers have three seconds and all pictures; ours has their times to the tick",
            .thorough())
        func thoroughChain() async throws {
            try await withTemporaryDirectory { folder in
                for name in ["theirs", "ours"] {
                    try FileManager.default.createDirectory(
                        atPath: folder.path(name), withIntermediateDirectories: true)
                }
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30", "-frames:v", "45", "-pix_fmt",
                    "yuv420p", folder.path("clip.y4m"),
                ])
                let clip = try TestClip(y4m: folder.read("clip.y4m"), frameLimit: 45)
                let port = freePort()
                let theirs = try PeerProgram(
                    PythonPeer.python, ["-c", Self.server, "\(port)", folder.path("theirs")], log: folder.path("log"))
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
                let addresses = try [("ws://127.0.0.1:\(port)/", unit), ("ws://127.0.0.1:\(ourPort)/publish", message)]
                    .map { try Output.webSocket(try WebSocketAddress($0.0), options: $0.1) }
                let outputs = try addresses + [.file(folder.path("given.264"), container: .annexB)]
                let statistics = try await sendLive(camera(clip), to: outputs) { broadcast in
                    #expect(await eventually { broadcast.statistics.values.allSatisfy { $0.state == .publishing } })
                }
                for output in statistics {
                    #expect(output.state == .ended && output.writtenPackets == Self.pictureCount, "\(output)")
                }
                #expect(await eventually { theirs.output.contains("ended 0") }, "\(theirs.output)")
                #expect(await eventually { ended.isRaised })
                await server.stop()
                let given = try await digests(of: folder.path("given.264"))
                #expect(given.count == Self.pictureCount && Set(given).count > 30)
                for name in ["theirs", "ours"] {
                    let files = try files(folder.path(name))
                    let times = try await files.asyncMap { try await ticks(of: $0) }
                    // Three whole segments, and what is left.
                    #expect(times.map(\.count) == [90, 90, 90, 15], "\(name): \(times.map(\.count))")
                    var decoded: [Substring] = []
                    for file in files { decoded += try await digests(of: file) }
                    #expect(decoded == given, "\(name)")
                    print(name, times.map { Double(($0.last ?? 0) - ($0.first ?? 0) + Self.ticksOfPicture) / 90_000 })
                    guard name == "ours" else {
                        for times in times { #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 3000 }) }
                        continue
                    }
                    let all = times.flatMap(\.self)
                    #expect(all.map { $0 - all[0] } == (0..<Self.pictureCount).map(Self.ticks))
                    #expect(times[1][0] - times[0][0] == 270_000 && times[2][0] - times[1][0] == 270_000)
                }
            }
        }
    }

    /// Something that has happened.
    final class OneFlag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }

    extension Array {
        func asyncMap<Other>(_ transform: (Element) async throws -> Other) async rethrows -> [Other] {
            var others: [Other] = []
            for element in self { others.append(try await transform(element)) }
            return others
        }
    }
#endif
