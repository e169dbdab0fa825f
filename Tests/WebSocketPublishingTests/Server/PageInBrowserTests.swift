// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Publishing
    import RecordedStreams
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// The page in Debian's Chromium, which tells by its reports what it has decoded.
    @Suite(.requiresProgram("chromium", "openssl", .ffmpeg)) struct PageInBrowserTests {
        /// A way to play, and what is played.
        struct Row: Sendable, CustomTestStringConvertible {
            var profile: String
            var bFrames: Int
            var usesMSE = false
            var isSecure = false
            var testDescription: String {
                "\(profile), \(bFrames) B pictures, \(usesMSE ? "MSE" : "WebCodecs")\(isSecure ? ", TLS" : "")"
            }
        }

        private static let rows = [
            Row(profile: "high", bFrames: 2), Row(profile: "baseline", bFrames: 0),
            Row(profile: "high", bFrames: 2, usesMSE: true), Row(profile: "baseline", bFrames: 0, usesMSE: true),
            Row(profile: "high", bFrames: 2, isSecure: true),
            Row(profile: "high", bFrames: 2, usesMSE: true, isSecure: true),
        ]

        /// Three seconds of a test picture and a tone, as a session and an encoder of sound would give them.
        private func stream(_ row: Row, in folder: TemporaryDirectory) async throws -> RecordedStream {
            let (video, audio) = (folder.path("video.mp4"), folder.path("sound.aac"))
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30", "-t", "3", "-pix_fmt", "yuv420p", "-c:v",
                "libx264", "-preset", "veryfast", "-profile:v", row.profile, "-bf", "\(row.bFrames)", "-g", "30", video,
            ])
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "sine=f=440:r=48000", "-t", "3", "-c:a", "aac", "-ac", "2", "-f",
                "adts", audio,
            ])
            return try RecordedStream(video: video, codec: .h264, audio: audio)
        }

        @Test(
            "the page decodes every frame that was sent, and closes with code 1000", .thorough(),
            arguments: rows.filter { !$0.isSecure })
        func thoroughPlaying(row: Row) async throws { try await play(row) }

        @Test(
            "over TLS the page decodes every frame that was sent", .thorough(), .requiresTLS,
            arguments: rows.filter(\.isSecure))
        func thoroughPlayingOverTLS(row: Row) async throws { try await play(row) }

        private func play(_ row: Row) async throws {
            try await withTemporaryDirectory { folder in
                let stream = try await stream(row, in: folder)
                var configuration = WebSocketServer.Configuration()
                if row.isSecure {
                    try await TestCertificate.good.make(in: folder)
                    configuration.certificate = ServerCertificate(
                        certificateFile: folder.path("certificate.pem"), keyFile: folder.path("key.pem"))
                }
                let server = try WebSocketServer(configuration)
                let port = try await server.start()
                let browser = try PeerProgram(
                    "chromium",
                    [
                        "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder.path("profile"),
                        "--autoplay-policy=no-user-gesture-required",
                        // The certificate is of nobody whom the browser knows.
                        "--ignore-certificate-errors",
                        "\(row.isSecure ? "https" : "http")://127.0.0.1:\(port)/#sound\(row.usesMSE ? "&mse" : "")",
                    ], log: folder.path("chromium.log"))
                #expect(await eventually { server.statistics?.viewers == 1 }, "\(browser.output)")
                let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [server.output()])
                let start = ContinuousClock.now
                for packet in stream.packets {
                    try await Task.sleep(until: start + .seconds(packet.decodeTime.seconds), clock: .continuous)
                    try await broadcast.send(packet)
                }
                let sent = (pictures: stream.video.count, sound: stream.audio.count)
                await broadcast.finish()
                let report = try #require(server.statistics?.lastReport, "\(browser.output)")
                print("\(row.testDescription): sent \(sent), \(report)")
                #expect(report.receivedPictures == sent.pictures && report.decodedPictures == sent.pictures)
                #expect(report.receivedSound == report.decodedSound && report.receivedSound > 0 && report.errors == 0)
                #expect(server.statistics?.droppedFrames == 0 && server.statistics?.completedViewers == 1)
                browser.end()
                await server.stop()
            }
        }
    }
#endif
