// SPDX-License-Identifier: MIT

#if WebSocket
    import Glibc
    import Publishing
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    @Suite struct HostilePeerTests {
        private static let secret = "correct-horse-battery"

        private func withServer(
            _ change: (inout WebSocketServer.Configuration) -> Void = { _ in },
            _ body: (WebSocketServer, Int) async throws -> Void
        ) async throws {
            var configuration = WebSocketServer.Configuration()
            change(&configuration)
            let server = try WebSocketServer(configuration)
            let port = try await server.start()
            try await body(server, port)
            await server.stop()
        }

        @Test("pages of others, other names and wrong tokens get the status that says so, and no frame")
        func refused() async throws {
            try await withServer({ $0.token = try? AccessToken(Self.secret) }) { server, port in
                for (target, host, headers, status) in [
                    ("/watch", "127.0.0.1:\(port)", [], 403),
                    ("/watch?token=wrong-wrong-wrong-wrong", "127.0.0.1:\(port)", [], 403),
                    ("/watch?token=\(Self.secret)", "evil.example:\(port)", [], 421),
                    ("/watch?token=\(Self.secret)", "127.0.0.1:\(port)", ["Origin: http://evil.example"], 403),
                    ("/watch?token=\(Self.secret)", "127.0.0.1:\(port)", ["Origin: null"], 403),
                    ("/publish?token=\(Self.secret)", "127.0.0.1:\(port)", [], 404),
                    ("/watch?token=\(Self.secret)", "127.0.0.1:\(port)", ["Origin: http://127.0.0.1:\(port)"], 101),
                    ("/watch", "127.0.0.1:\(port)", ["Authorization: Bearer \(Self.secret)"], 101),
                ] {
                    #expect(
                        RawClient(port: port).upgrade(target, host: host, headers: headers) == status,
                        "\(target) \(host) \(headers)")
                }
                #expect(server.statistics?.refused == 6)
            }
        }

        @Test("a request that lacks something WebSocket asks for is told so; blanks behind a value are none of it")
        func incompleteRequests() async throws {
            try await withServer { _, port in
                let key = "dGhlIHNhbXBsZSBub25jZQ=="
                for (part, other, status) in [
                    ("Connection: Upgrade", "Connection: close", "426"), ("Upgrade: websocket", "Upgrade: h2c", "426"),
                    ("HTTP/1.1", "HTTP/1.0", "426"), ("GET", "POST", "426"), ("Version: 13", "Version: 8", "400"),
                    (key, "abc", "400"), (key, String(key.dropLast(2)), "400"), (key, "é" + key.dropFirst(2), "400"),
                    ("127.0.0.1", "127.0.0.1 \t ", "101"), (key, key + " ", "101"),
                    ("Connection: Upgrade", "Connection: keep-alive, upgrade", "101"),
                ] {
                    let client = RawClient(port: port)
                    client.send(RawClient.request().replacing(part, with: other))
                    #expect(client.answer()?.hasPrefix("HTTP/1.1 \(status)") == true, "\(other)")
                }
            }
        }

        @Test("frames that break the protocol close the connection with its code, and no other")
        func brokenFrames() async throws {
            try await withServer { server, port in
                let other = RawClient(port: port)
                #expect(other.upgrade() == 101)
                let rows: [(String, Int, (RawClient) -> Void)] = [
                    ("without a mask", 1002, { $0.send(frame: 2, [1], isMasked: false) }),
                    ("reserved bits", 1002, { $0.send(frame: 2, [1], reserved: 4) }),
                    ("unknown opcode", 1002, { $0.send(frame: 3, [1]) }),
                    ("a continuation of nothing", 1002, { $0.send(frame: 0, [1]) }),
                    ("a ping in parts", 1002, { $0.send(frame: 9, [1], isFinal: false) }),
                    ("a long ping", 1002, { $0.send(frame: 9, [UInt8](repeating: 0, count: 126)) }),
                    ("a code nobody sends", 1002, { $0.send(frame: 8, [0x03, 0xED]) }),
                    ("text", 1003, { $0.send(frame: 1, Array("{}".utf8)) }),
                    ("a message that is no report", 1007, { $0.send(frame: 2, [1, 2, 3]) }),
                    ("a frame that is too long", 1009, { $0.send(frame: 2, [UInt8](repeating: 0, count: 2000)) }),
                    // Refused by its head: what it states never comes.
                    ("a stated length of 2000", 1009, { $0.send([0x82, 0xFE, 0x07, 0xD0, 1, 2, 3, 4]) }),
                    (
                        "a stated length of 2^31 - 1", 1009,
                        { $0.send([0x82, 0xFF, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4]) }
                    ),
                    (
                        "a stated length of 2^63", 1009,
                        { $0.send([0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7)) }
                    ),
                    (
                        "parts that are too long together", 1009,
                        { client in
                            client.send(frame: 2, [UInt8](repeating: 0, count: 1000), isFinal: false)
                            client.send(frame: 0, [UInt8](repeating: 0, count: 1000))
                        }
                    ),
                    (
                        "a thousand and more empty parts", 1009,
                        { client in
                            client.send(frame: 2, [], isFinal: false)
                            for _ in 0..<1100 { client.send(frame: 0, [], isFinal: false) }
                        }
                    ),
                ]
                let clients = rows.map { _ in RawClient(port: port) }
                for (client, row) in zip(clients, rows) {
                    #expect(client.upgrade() == 101)
                    row.2(client)
                }
                for (client, (name, code, _)) in zip(clients, rows) {
                    #expect(client.message()?.closeCode == code, "\(name)")
                    #expect(client.message() == nil, "\(name): the connection goes on")
                }
                let isCounted = await eventually { server.statistics?.closedForCause == rows.count }
                #expect(isCounted, "\(String(describing: server.statistics))")
                #expect(server.statistics?.viewers == 1)
                other.send(frame: 9, [7])
                #expect(other.frame() == RawClient.Frame(opcode: 10, payload: [7]))
            }
        }

        @Test("a ping is answered, and pings without end from one who reads no answer take no memory")
        func pings() async throws {
            try await withServer { server, port in
                let client = RawClient(port: port, receiveBuffer: 4096)
                #expect(client.upgrade() == 101)
                let payload = [UInt8](repeating: 9, count: 125)
                var frame: [UInt8] = [0x89, 0x80 | 125, 0, 0, 0, 0]
                frame += payload
                let many = [UInt8]((0..<100).map { _ in frame }.joined())
                // 8 MB of pings: if each answer waited, as much would.
                let before = residentBytes()
                for _ in 0..<600 where !client.send(many) { Issue.record("the server took no more") }
                #expect(keepsFreedMemory || residentBytes() - before < 4 << 20)
                #expect(client.frame()?.payload == payload)
                #expect(server.statistics?.viewers == 1)
            }
        }

        @Test("requests that are too large, or never whole, end; so do connections that say nothing")
        func requests() async throws {
            try await withServer({ $0.limits.requestSeconds = 1 }) { server, port in
                let large = RawClient(port: port)
                large.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "a", count: 9000))
                #expect(large.answer() == nil)
                let half = RawClient(port: port)
                half.send(String(RawClient.request().dropLast(4)))
                #expect(half.answer() == nil)
                let silent = RawClient(port: port)
                #expect(silent.answer() == nil)
                // The address sanitizer tells of connections that the server keeps.
                for header in ["Content-Length: 100", "Content-Length: 1", "Transfer-Encoding: chunked"] {
                    let body = RawClient(port: port)
                    body.send(RawClient.request(headers: [header]))
                    #expect(body.answer()?.hasPrefix("HTTP/1.1 400") == true, "\(header)")
                }
                #expect(RawClient(port: port).upgrade(headers: ["Content-Length: 0"]) == 101)
                // Who goes before the answer comes.
                for _ in 0..<20 { RawClient(port: port).send(RawClient.request()) }
                let nonsense = RawClient(port: port)
                nonsense.send("\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n")
                #expect(nonsense.answer()?.hasPrefix("HTTP/1.1 400") == true)
                #expect(await eventually { server.statistics?.connections == 0 })
                #expect(server.statistics?.closedForCause == 4 && server.statistics?.refused == 3)
            }
        }

        @Test("connections beyond the limit are closed at once, and there is room again when one has gone")
        func connectionLimit() async throws {
            try await withServer({ $0.limits.connections = 3 }) { server, port in
                var clients = (0..<3).map { _ in RawClient(port: port) }
                for client in clients { #expect(client.upgrade() == 101) }
                for _ in 0..<200 { #expect(RawClient(port: port).upgrade() == nil) }
                #expect(server.statistics?.connections == 3 && server.statistics?.refused == 200)
                clients.removeLast()
                #expect(await eventually { server.statistics?.connections == 2 })
                #expect(RawClient(port: port).upgrade() == 101)
            }
        }

        @Test("who gives no sign of life is asked for one, and closed when none comes", .inTurn())
        func idle() async throws {
            try await withServer({ $0.limits.idleSeconds = 2 }) { server, port in
                let client = RawClient(port: port)
                #expect(client.upgrade() == 101)
                #expect(client.frame()?.opcode == 9)
                #expect(client.message()?.closeCode == 1001)
                #expect(await eventually { server.statistics?.connections == 0 })
            }
        }
    }

    /// Whether the allocator is the address sanitizer's.
    private let keepsFreedMemory = dlsym(nil, "__asan_init") != nil

    /// Bytes of memory that the process has.
    private func residentBytes() -> Int {
        let file = open("/proc/self/statm", O_RDONLY)
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: 256) { max(0, read(file, $0.baseAddress, $0.count)) }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }
#endif
