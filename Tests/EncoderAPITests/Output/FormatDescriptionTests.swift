// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@Suite struct FormatDescriptionTests {
    @Test("H.264 parameter sets give sizes, record and codec string")
    func h264() throws {
        let format = try FormatDescription(codec: .h264, parameterSets: [FakeStream.sps, FakeStream.pps])
        #expect(format.width == 176 && format.height == 144 && format.codedWidth == 176 && format.codedHeight == 144)
        #expect(format.codecString == "avc1.64000B")
        // avcC: version, profile, compatibility, level, length size - 1, one SPS, one PPS, High-profile fields.
        let expected: [UInt8] =
            [1, 0x64, 0, 0x0B, 0xFF, 0xE1, 0, 23] + FakeStream.sps + [1, 0, 6] + FakeStream.pps + [0xFD, 0xF8, 0xF8, 0]
        #expect(format.configurationRecord == expected)
        #expect(try FormatDescription(codec: .h264, parameterSets: [FakeStream.sps, FakeStream.pps]) == format)
    }

    @Test("sets that are missing or cut off are refused")
    func refusals() {
        for sets in [[], [FakeStream.sps], [FakeStream.pps], [Array(FakeStream.sps.prefix(4)), FakeStream.pps], [[]]] {
            let error = #expect(throws: EncoderError.self) { try FormatDescription(codec: .h264, parameterSets: sets) }
            #expect(error?.code == .invalidValue && error?.reason.hasPrefix("H.264 parameter sets: ") == true)
        }
    }
}
