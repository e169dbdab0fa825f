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

    @Test("packets with headers are taken apart, with a check sum and without")
    func frames() throws {
        let format = try format("1210", channels: 2)
        let (first, second) = (try ADTS.packet([1, 2, 3], format), try ADTS.packet([], format))
        let frames = try ADTS.frames(in: first + second)
        #expect(frames.map(\.data) == [[1, 2, 3], []])
        #expect(
            frames.allSatisfy { $0.configuration == [0x12, 0x10] && $0.sampleRate == 44_100 && $0.channelCount == 2 })
        // protection_absent 0: two bytes of check sum behind the header, in the length too.
        var checked = first
        checked[1] &= 0xFE
        #expect(try ADTS.frames(in: checked).first?.data == [3])
        #expect(try ADTS.frames(in: []).isEmpty)
    }

    @Test("what is no packet with a header is refused, wherever it ends")
    func refusedFrames() throws {
        let packet = try ADTS.packet([1, 2, 3, 4], try format("1190"))
        for count in 1..<packet.count {
            let error = #expect(throws: PublishingError.self) { try ADTS.frames(in: Array(packet.prefix(count))) }
            #expect(error?.code == .corrupt)
        }
        // Another sync word, three blocks, a reserved rate, and channels that a program says.
        for (index, value, code) in [
            (0, 0xFE, .corrupt), (6, 0xFE, .unsupported), (2, 0x7C, .unsupported), (3, packet[3] & 0x3F, .unsupported),
        ] as [(Int, UInt8, PublishingError.Code)] {
            var bytes = packet
            bytes[index] = value
            if index == 3 { bytes[2] &= 0xFE }
            let error = #expect(throws: PublishingError.self) { try ADTS.frames(in: bytes) }
            #expect(error?.code == code, "\(index): \(String(describing: error))")
        }
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
