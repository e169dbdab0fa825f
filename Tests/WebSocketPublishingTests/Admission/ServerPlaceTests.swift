// SPDX-License-Identifier: MIT

import Publishing
import Testing

@testable import WebSocketPublishing

@Suite struct ServerPlaceTests {
    private func place(_ host: String, port: Int = 0) -> ServerPlace {
        var place = ServerPlace()
        (place.host, place.port) = (host, port)
        return place
    }

    @Test(
        "beyond the machine itself a server needs a token",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("localhost", true), ("::ffff:127.0.0.1", true),
            ("0.0.0.0", false), ("::", false), ("192.168.1.1", false), ("::ffff:10.0.0.1", false), ("128.0.0.1", false),
        ])
    func loopback(host: String, isLoopback: Bool) throws {
        #expect(place(host).isLoopback == isLoopback)
        try place(host).check(.random())
        guard !isLoopback else { return try place(host).check(nil) }
        let error = #expect(throws: PublishingError.self) { try place(host).check(nil) }
        #expect(error?.code == .invalidValue && error?.reason.contains(host) == true)
        #expect(error?.reason.contains("token") == true)
    }

    @Test("values that cannot be are refused by name")
    func refused() throws {
        for host in ["", "example.com", "127.0.0.1:80", "[::1]", "1.2.3", "127.0.0.1\0"] {
            #expect(throws: PublishingError.self) { try place(host).check(.random()) }
        }
        for port in [-1, 65_536] {
            let error = #expect(throws: PublishingError.self) { try place("::1", port: port).check(nil) }
            #expect(error?.reason == "port \(port), expected 0...65535")
        }
        var named = ServerPlace()
        for name in ["host:80", "", "a b", "a/b", "\u{FC}ber.example", "[::1]", "user@host"] {
            named.names = [name]
            #expect(throws: PublishingError.self, "\(name)") { try named.check(nil) }
        }
        named.names = ["host.local"]
        named.origins = ["example.com"]
        #expect(throws: PublishingError.self) { try named.check(nil) }
        named.origins = ["https://example.com"]
        try named.check(nil)
    }

    @Test("limits name their ranges")
    func limits() throws {
        try ServerLimits().check()
        for change: (inout ServerLimits) -> Void in [
            { $0.connections = 0 }, { $0.connections = 10_001 }, { $0.messageBytes = 1023 },
            { $0.headerBytes = 1 << 20 },
            { $0.idleSeconds = 1 }, { $0.requestSeconds = 0 },
        ] {
            var limits = ServerLimits()
            change(&limits)
            let error = #expect(throws: PublishingError.self) { try limits.check() }
            #expect(error?.reason.contains("expected") == true)
        }
    }
}
