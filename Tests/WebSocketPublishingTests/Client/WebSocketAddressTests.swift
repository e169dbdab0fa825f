// SPDX-License-Identifier: MIT

import Publishing
import Testing

@testable import WebSocketPublishing

@Suite struct WebSocketAddressTests {
    @Test(
        "an address is read, and shown up to its port",
        arguments: [
            ("ws://host", false, "host", 80, "/", "ws://host/"),
            ("WS://host:8080/publish?token=SECRET", false, "host", 8080, "/publish?token=SECRET", "ws://host:8080/…"),
            ("ws://[::1]:9?token=SECRET", false, "::1", 9, "/?token=SECRET", "ws://[::1]:9/…"),
            ("wss://example.com/SECRET", true, "example.com", 443, "/SECRET", "wss://example.com/…"),
            ("ws://127.0.0.1:80/", false, "127.0.0.1", 80, "/", "ws://127.0.0.1/"),
        ])
    func legal(text: String, isSecure: Bool, host: String, port: Int, target: String, shown: String) throws {
        let address = try WebSocketAddress(text)
        #expect(address.isSecure == isSecure && address.host == host && address.port == port)
        #expect(address.target == target && "\(address)" == shown && String(reflecting: address) == shown)
        #expect("\(Mirror(reflecting: address).children.map(\.value))" == "[\"\(shown)\"]")
    }

    @Test(
        "what is no address is refused by what is wrong, and nothing of it shown",
        arguments: [
            ("host/SECRET", "expected ws:// or wss://"), ("http://host/SECRET", "expected ws:// or wss://"),
            ("ws://user:SECRET@host/", "expected a token"), ("ws://host/#token=SECRET", "expected it as %23"),
            ("ws:///SECRET", "without a host"), ("ws://host:0/SECRET", "expected host:1...65535"),
            ("ws://ho st/SECRET", "expected them as %20"), ("ws://hö/SECRET", "expected them as %20"),
            ("ws://[::1/SECRET", "expected [IPV6]:PORT"), ("ws://host/\u{7F}SECRET", "expected them as %20"),
            ("ws://host/a\r\nSECRET: b", "expected them as %20"),
        ])
    func illegal(text: String, words: String) {
        let error = #expect(throws: PublishingError.self) { try WebSocketAddress(text) }
        #expect(error?.code == .invalidAddress && error?.reason.contains(words) == true, "\(String(describing: error))")
        #expect(error?.reason.contains("SECRET") == false)
    }
}
