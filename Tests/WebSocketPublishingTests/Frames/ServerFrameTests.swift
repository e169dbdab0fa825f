// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import WebSocketPublishing

@Suite struct ServerFrameTests {
    @Test(
        "a message is one binary frame without a mask, its length in as few bytes as there can be",
        arguments: [
            (0, "82 00"), (125, "82 7D"), (126, "82 7E 007E"), (65_535, "82 7E FFFF"),
            (65_536, "82 7F 0000000000010000"), (0x1_2345_6789, "82 7F 0000000123456789"),
        ])
    func heads(count: Int, head: String) { #expect(ServerFrame.head(byteCount: count) == Hex.bytes(head)) }
}
