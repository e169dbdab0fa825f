// SPDX-License-Identifier: MIT

import BitSyntax
import Publishing
import TestSupport
import Testing

@Suite struct AudioSpecificConfigTests {
    private func hex(_ bytes: [UInt8]) -> String { Hex.string(bytes, separator: "") }

    @Test(
        "AAC-LC of each rate that has an index, as libavcodec writes it",
        arguments: [
            //  object type 2, index, channels: 00010 iiii cccc 000
            (96_000, 1, "1008"), (88_200, 2, "1090"), (64_000, 1, "1108"), (48_000, 1, "1188"), (48_000, 2, "1190"),
            (44_100, 1, "1208"), (44_100, 2, "1210"), (32_000, 1, "1288"), (32_000, 2, "1290"), (24_000, 2, "1310"),
            (22_050, 2, "1390"), (16_000, 1, "1408"), (16_000, 2, "1410"), (12_000, 2, "1490"), (11_025, 2, "1510"),
            (8000, 1, "1588"), (8000, 2, "1590"), (7350, 2, "1610"), (48_000, 6, "11b0"), (48_000, 8, "11b8"),
            // index 15, then 24 bits: 00010 1111 000000001011101101111111 0010 000
            (47_999, 2, "17805dbf90"),
        ])
    func rates(rate: Int, channels: Int, text: String) throws {
        let config = try AudioSpecificConfig(sampleRate: rate, channelCount: channels)
        #expect(hex(try config.bytes()) == text)
        let read = try AudioSpecificConfig(Hex.bytes(text))
        #expect(read == config && read.sampleRate == rate && read.channelCount == channels)
    }

    @Test("SBR that is told not to be there survives")
    func noSBR() throws {
        let config = try AudioSpecificConfig(Hex.bytes("1210 56E500"))
        #expect(config.sampleRate == 44_100 && config.channelCount == 2 && config.rest.count == 24)
        #expect(hex(try config.bytes()) == "121056e500")
    }

    @Test("SBR says the rate that comes out and the type it extends")
    func explicitSBR() throws {
        //         5     24 kHz 2    48 kHz 2     flags
        let text = bits("00101 0110 0010 0011 00010 0 0 0")
        let config = try AudioSpecificConfig(text)
        #expect(config.objectType.number == 5 && config.sampling.rate == 24_000 && config.sampleRate == 48_000)
        #expect(config.extension?.objectType.number == 2 && config.channelCount == 2)
        #expect(try config.bytes() == text)
    }

    @Test("a program of its own counts its channels")
    func program() throws {
        //  as libavcodec writes 2.1: front a pair, one channel of low frequencies, a comment
        let text = bits(
            """
            00010 0011 0000 0 0 0
            0000 01 0011 0001 0000 0000 01 000 0000 0 0 0
            1 0000 0000 00000
            00000010 01001000 01101001
            """)
        let config = try AudioSpecificConfig(text)
        #expect(config.channelCount == 3 && config.program?.lowFrequency == [0])
        #expect(config.program?.comment == Array("Hi".utf8) && config.program?.front.first?.flag == true)
        #expect(try config.bytes() == text)
    }

    @Test("object types from 32 on, and those of other families, survive")
    func otherTypes() throws {
        for text in [
            bits("11111 000101 0011 0010 01010101010101010"), bits("00001 0011 0010 1 1 00000000000111 0 00"),
            bits("01001 0100 0001 101"),
        ] {
            let config = try AudioSpecificConfig(text)
            #expect(try config.bytes() == text)
        }
        #expect(try AudioSpecificConfig(bits("11111 000101 0011 0010 0")).objectType.number == 37)
    }

    @Test("whatever bytes are read are written again, and those cut off are refused with the field")
    func random() throws {
        var random = SeededGenerator()
        var read = 0
        for _ in 0..<5000 {
            let bytes = random.bytes(count: Int.random(in: 0...30, using: &random))
            guard let config = try? AudioSpecificConfig(bytes) else { continue }
            read += 1
            #expect(try config.bytes() == bytes)
        }
        #expect(read > 1000)
        let whole = Hex.bytes("17805DBF90")
        for count in 0..<whole.count {
            let error = #expect(throws: SyntaxError.self) { try AudioSpecificConfig(Array(whole.prefix(count))) }
            #expect(error?.code == .endOfData && error?.field != nil)
        }
    }

    @Test("rates and channels that cannot be are refused with those that can")
    func refused() {
        for rate in [0, -1, 1 << 24] {
            #expect(throws: PublishingError.self) { try AudioSpecificConfig(sampleRate: rate, channelCount: 2) }
        }
        for channels in [0, 7, 9] {
            let error = #expect(throws: PublishingError.self) {
                try AudioSpecificConfig(sampleRate: 48_000, channelCount: channels)
            }
            #expect(error?.reason == "\(channels) channels, expected 1...6 or 8")
        }
    }
}
