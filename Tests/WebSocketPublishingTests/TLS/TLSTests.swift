// SPDX-License-Identifier: MIT

#if WebSocket
    import Publishing
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    @Suite(.requiresTLS, .requiresProgram("openssl")) struct TLSTests {
        private func server(
            _ folder: TemporaryDirectory, _ record: PublishedRecord = PublishedRecord(), key: String = "key.pem",
            certificate: String = "certificate.pem"
        ) throws -> WebSocketServer {
            var configuration = WebSocketServer.Configuration()
            configuration.token = try TestToken.make()
            configuration.onPublisher = { await record.take($0) }
            configuration.certificate = ServerCertificate(
                certificateFile: folder.path(certificate), keyFile: folder.path(key))
            return try WebSocketServer(configuration)
        }

        private func output(_ scheme: String, _ port: Int, issuers: String?, host: String = "localhost") throws
            -> Output
        {
            var options = WebSocketOptions()
            options.token = try TestToken.make()
            var output = try Output.webSocket(
                try WebSocketAddress("\(scheme)://\(host):\(port)/publish"), options: options)
            output.longestQueue = .milliseconds(60_000)
            output.connection.certificateFile = issuers
            output.retries.delays = [.milliseconds(50)]
            return output
        }

        @Test("frames go over TLS, to the last and with their times")
        func wholeStream() async throws {
            try await withTemporaryDirectory { folder in
                try await TestCertificate.good.make(in: folder)
                let record = PublishedRecord()
                let server = try server(folder, record)
                let port = try await server.start()
                let output = try output("wss", port, issuers: folder.path("certificate.pem"))
                let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
                #expect(
                    await broadcast.reaches { $0.state == .publishing },
                    "\(String(describing: broadcast.onlyStatistics))")
                let given = try Frames.stream(unitSize: 40_000)
                for packet in given { try await broadcast.send(packet) }
                await broadcast.finish()
                #expect(broadcast.onlyStatistics?.state == .ended, "\(String(describing: broadcast.onlyStatistics))")
                #expect(await eventually { record.outcomes == ["complete"] }, "\(record.outcomes)")
                let pictures = given.filter { $0.track == .video }
                #expect(
                    record.packets(of: .video).map(\.decodeTime) == pictures.map { $0.decodeTime - .milliseconds(80) })
                await server.stop()
            }
        }

        @Test(
            "only a certificate that is valid, of the server's name and of a known issuer will do",
            arguments: TestCertificate.allCases)
        func certificates(certificate: TestCertificate) async throws {
            try await withTemporaryDirectory { folder in
                try await certificate.make(in: folder)
                let server = try server(folder)
                let port = try await server.start()
                let issuers = certificate == .unknownIssuer ? nil : folder.path("certificate.pem")
                var unseen = try output("wss", port, issuers: issuers)
                let broadcast = try Broadcast(tracks: [.video], outputs: [unseen])
                #expect(await broadcast.reaches { $0.state == .publishing || $0.lastError != nil })
                let statistics = try #require(broadcast.onlyStatistics)
                if certificate == .good {
                    #expect(statistics.state == .publishing && statistics.lastError == nil, "\(statistics)")
                } else {
                    #expect(statistics.lastError?.code == .certificateRejected, "\(statistics)")
                    #expect(statistics.state.isFinal)
                }
                broadcast.cancel()
                unseen.connection.verifiesCertificates = false
                let trusting = try Broadcast(tracks: [.video], outputs: [unseen])
                #expect(await trusting.reaches { $0.state == .publishing })
                trusting.cancel()
                await server.stop()
            }
        }

        @Test("a certificate that does not fit its key, and files that are none, are refused by name")
        func files() async throws {
            try await withTemporaryDirectory { folder in
                try await TestCertificate.good.make(in: folder)
                for (name, kind) in [
                    ("other", ["rsa:2048"]), ("curve", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]),
                ] {
                    try await ExternalProgram("openssl").run(
                        ["req", "-x509", "-nodes", "-subj", "/CN=localhost", "-newkey"] + kind + [
                            "-keyout", folder.path("\(name).key"), "-out", folder.path("\(name).pem"),
                        ])
                    let error = #expect(throws: PublishingError.self) { try server(folder, key: "\(name).key") }
                    #expect(error?.code == .invalidValue)
                    for part in ["certificate.pem", "\(name).key", "does not fit"] {
                        #expect(error?.reason.contains(part) == true, "\(String(describing: error))")
                    }
                    _ = try server(folder, key: "\(name).key", certificate: "\(name).pem")
                }
                try folder.write(Array("no PEM".utf8), to: "text")
                var error = #expect(throws: PublishingError.self) { try server(folder, certificate: "text") }
                #expect(error?.reason.contains("certificates in") == true && error?.reason.contains("text") == true)
                error = #expect(throws: PublishingError.self) { try server(folder, key: "text") }
                #expect(error?.reason.contains("a key in") == true)
                error = #expect(throws: PublishingError.self) { try server(folder, key: "missing") }
                #expect(error?.reason.contains("missing") == true)
            }
        }

        @Test("either side without TLS fails by its kind, and the server goes on")
        func mixed() async throws {
            try await withTemporaryDirectory { folder in
                try await TestCertificate.good.make(in: folder)
                let server = try server(folder)
                let port = try await server.start()
                let plain = try Broadcast(tracks: [.video], outputs: [output("ws", port, issuers: nil)])
                #expect(await plain.reaches { $0.lastError != nil })
                plain.cancel()
                let none = RawServer(answer: Array("HTTP/1.1 400 Bad\r\n\r\n".utf8))
                let secure = try Broadcast(tracks: [.video], outputs: [output("wss", none.port, issuers: nil)])
                #expect(await secure.reaches { $0.lastError != nil })
                secure.cancel()
                let client = RawClient(port: port)
                client.send([UInt8](repeating: 0x41, count: 4096))
                #expect(client.rest().count < 4096)
                // Half a greeting, and its end.
                for length in [1, 5, 9] {
                    RawClient(port: port).send(Array([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC].prefix(length)))
                }
                let issuers = folder.path("certificate.pem")
                let good = try Broadcast(tracks: [.video], outputs: [output("wss", port, issuers: issuers)])
                #expect(await good.reaches { $0.state == .publishing })
                good.cancel()
                await server.stop()
            }
        }

        @Test("clients of others watch over TLS", .requiresPythonPeers)
        func viewers() async throws {
            try await withTemporaryDirectory { folder in
                try await TestCertificate.good.make(in: folder)
                var configuration = WebSocketServer.Configuration()
                configuration.viewers.duration = .milliseconds(10_000)
                configuration.certificate = ServerCertificate(
                    certificateFile: folder.path("certificate.pem"), keyFile: folder.path("key.pem"))
                let server = try WebSocketServer(configuration)
                let port = try await server.start()
                let given = try Frames.stream()
                var output = server.output()
                output.longestQueue = .milliseconds(60_000)
                let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [output])
                let peer = try PythonPeer(
                    .aiohttp, "watch", "wss://localhost:\(port)/watch", [folder.path("certificate.pem")], in: folder)
                #expect(await eventually { server.statistics?.viewers == 1 }, "\(peer.program.output)")
                for packet in given { try await broadcast.send(packet) }
                await broadcast.finish()
                #expect(await peer.program.exitStatus(within: Patience.seconds) == 0, "\(peer.program.output)")
                #expect(peer.toldClosing(1000))
                var reader = MessageReader()
                let frames = try peer.messages().compactMap {
                    if case .frame(let packet) = try reader.read($0.bytes) { packet } else { nil }
                }
                #expect(frames.count == given.count)
                await server.stop()
            }
        }
    }
#endif
