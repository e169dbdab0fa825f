// SPDX-License-Identifier: MIT

import Publishing
import TestSupport
import Testing

@testable import WebSocketPublishing

@Suite struct AccessTokenTests {
    @Test("a token matches itself alone")
    func matches() throws {
        let text = "abcdefghijklmnop"
        let token = try AccessToken(text)
        #expect(token.matches(text) && token.secret == text)
        for other in [
            "", "a", "abcdefghijklmno", "abcdefghijklmnoq", "bbcdefghijklmnop", text + text, text + "a",
            "abcdefghijklmno\0",
        ] {
            #expect(!token.matches(other), "\(other)")
        }
        var random = SeededGenerator()
        for _ in 0..<5000 {
            var bytes = Array(text.utf8)
            let place = Int.random(in: bytes.indices, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0...6, using: &random)
            #expect(!token.matches(String(decoding: bytes, as: UTF8.self)))
        }
    }

    @Test("a token is printed nowhere")
    func hidden() throws {
        let token = try AccessToken("abcdefghijklmnop")
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] {
            #expect(!text.contains("abcd"))
        }
        for text in ["short", "with spaces in it", "abcdefghijklmnopé", String(repeating: "a", count: 129)] {
            let error = #expect(throws: PublishingError.self) { try AccessToken(text) }
            #expect(error?.code == .invalidValue && error?.reason.contains(text) == false)
        }
    }

    @Test("random tokens are legal and differ")
    func random() throws {
        let tokens = (0..<100).map { _ in AccessToken.random().secret }
        #expect(Set(tokens).count == 100)
        for token in tokens { #expect(try AccessToken(token).matches(token)) }
    }
}
