// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Publishing

@Suite struct ADTSTests {
    private func format(_ configuration: String, channels: Int = 2) throws -> AudioFormat {
        try AudioFormat(
            codec: .aac, sampleRate: 48_000, channelCount: channels, configuration: Hex.bytes(configuration))
    }

    @Test(
        "each packet has a header that says rate, channels and length",
        arguments: [
            // AAC-LC, index 3 (48 kHz), 2 channels: 1111 1111 1111 0 00 1, 01 0011 0 010 0000, then the length
            ("1190", 2, "FFF1 4C 80 01 1F FC"),
            // index 4 (44.1 kHz), 1 channel
            ("1208", 1, "FFF1 50 40 01 1F FC"),
        ])
    func header(configuration: String, channels: Int, expected: String) throws {
        let packet = try ADTS.packet([0xAA], try format(configuration, channels: channels))
        #expect(packet == Hex.bytes(expected) + [0xAA])
    }

    @Test("what the header cannot say is refused")
    func refused() throws {
        for (configuration, count) in [("1190", 8185), ("1180", 10), ("11", 10), ("1790", 10)] {
            let error = #expect(throws: PublishingError.self) {
                try ADTS.packet([UInt8](repeating: 0, count: count), try format(configuration))
            }
            #expect(error?.code == .unsupported)
        }
        #expect(try ADTS.packet([UInt8](repeating: 0, count: 8184), try format("1190")).count == 8191)
    }
}
