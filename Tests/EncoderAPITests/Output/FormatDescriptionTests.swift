// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@Suite struct FormatDescriptionTests {
    @Test("H.264 parameter sets give sizes, record and codec string")
    func h264() throws {
        let format = try FormatDescription(codec: .h264, parameterSets: [FakeStream.sps, FakeStream.pps])
        #expect(format.width == 176 && format.height == 144 && format.codedWidth == 176 && format.codedHeight == 144)
        #expect(format.codecString == "avc1.64000B")
        #expect("\(format)" == "avc1.64000B 176x144, 2 parameter sets of 29 bytes")
        // avcC: version, profile, compatibility, level, length size - 1, one SPS, one PPS, High-profile fields.
        let expected: [UInt8] =
            [1, 0x64, 0, 0x0B, 0xFF, 0xE1, 0, 23] + FakeStream.sps + [1, 0, 6] + FakeStream.pps + [0xFD, 0xF8, 0xF8, 0]
        #expect(format.configurationRecord == expected)
        #expect(try FormatDescription(codec: .h264, parameterSets: [FakeStream.sps, FakeStream.pps]) == format)
    }

    // ffmpeg -f lavfi -i testsrc=s=320x180:d=0.2:r=30 -pix_fmt yuv420p t.y4m
    // x265 --no-info --no-open-gop --repeat-headers --preset ultrafast -o t.hevc t.y4m
    private let hevc = [
        "40010C01FFFF01600000030090000003000003003C959409",
        "42010101600000030090000003000003003CA00A080C1F3E595952930BC040400000030040000007 82", "4401C073C189",
    ].map(Hex.bytes)

    @Test("HEVC parameter sets give sizes, record and codec string")
    func hevcSets() throws {
        let format = try FormatDescription(codec: .hevc, parameterSets: hevc)
        #expect(format.width == 320 && format.height == 180 && format.codedWidth == 320 && format.codedHeight == 192)
        #expect(format.codecString == "hvc1.1.6.L60.90")
        // Profile to level as in the SPS; reserved bits set; one temporal layer, nested; four-byte lengths; three
        // arrays.
        let head = Hex.bytes("01 01 60000000 900000000000 3C F000 FC FD F8 F8 0000 0F 03")
        var arrays: [UInt8] = []
        for (type, set) in zip([0xA0, 0xA1, 0xA2] as [UInt8], hevc) {
            arrays += [type, 0, 1, 0, UInt8(set.count)] + set
        }
        #expect(format.configurationRecord == head + arrays)
        let inBand = try FormatDescription(codec: .hevc, parameterSets: hevc, areInBand: true)
        #expect(inBand.codecString == "hev1.1.6.L60.90")
        #expect(inBand.configurationRecord.contains(0x20) && !inBand.configurationRecord.contains(0xA2))
    }

    @Test("sets that are missing or cut off are refused")
    func refusals() {
        for sets in [[], [FakeStream.sps], [FakeStream.pps], [Array(FakeStream.sps.prefix(4)), FakeStream.pps], [[]]] {
            let error = #expect(throws: EncoderError.self) { try FormatDescription(codec: .h264, parameterSets: sets) }
            #expect(error?.code == .invalidValue && error?.reason.hasPrefix("H.264 parameter sets: ") == true)
        }
    }
}
