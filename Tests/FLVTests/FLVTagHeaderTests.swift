// SPDX-License-Identifier: MIT

import BitSyntax
import EncoderAPI
import FLV
import TestSupport
import Testing

@Suite struct FLVTagHeaderTests {
    private func read<Structure: SyntaxStructure>(_: Structure.Type, _ text: String) throws -> Structure
    where Structure.Context == Void {
        var structure = Structure()
        var reader = SyntaxReader(Hex.bytes(text))
        try structure.code(with: &reader, in: ())
        #expect(reader.remainingBits == 0)
        var writer = SyntaxWriter()
        try structure.code(with: &writer, in: ())
        #expect(writer.bytes == Hex.bytes(text))
        return structure
    }

    @Test("the file header says what is in the file and where it starts")
    func fileHeader() throws {
        //                               F L V  version  audio and video  offset
        let header = try read(FLVHeader.self, "46 4C 56  01  05  00 00 00 09")
        #expect(header.version == 1 && header.hasAudio && header.hasVideo && header.dataOffset == 9)
        #expect(try !read(FLVHeader.self, "464C56 01 01 0000000D").hasAudio)
        for (text, field) in [
            ("464C57 01 05 00000009", "Signature[2]"), ("464C56 01 05 00000008", "DataOffset"),
            ("464C56 01 05 000000", "DataOffset"),
        ] {
            let error = #expect(throws: SyntaxError.self) { try read(FLVHeader.self, text) }
            #expect(error?.field == field)
        }
    }

    @Test(
        "a time has its high byte behind its low ones, and a sign",
        arguments: [
            ("000000 00", 0), ("000028 00", 40), ("FFFFFF 7F", 2_147_483_647), ("FFFFFF FF", -1),
            ("000000 01", 16_777_216),
        ])
    func time(bytes: String, milliseconds: Int32) throws {
        let header = try read(FLVTagHeader.self, "09 00010A \(bytes) 000000")
        #expect(header.milliseconds == milliseconds && header.kind == .video && header.dataSize == 266)
    }

    @Test("types, encryption and unknown code points survive")
    func tagTypes() throws {
        #expect(try read(FLVTagHeader.self, "08 000000 00000000 000000").kind == .audio)
        #expect(try read(FLVTagHeader.self, "12 000000 00000000 000000").kind == .scriptData)
        let odd = try read(FLVTagHeader.self, "FF 000000 00000000 000007")
        #expect(odd.kind == nil && odd.isEncrypted && odd.reserved == 3 && odd.tagType == 31 && odd.streamID == 7)
    }

    @Test(
        "video of every kind of header",
        arguments: [
            //        key AVC, header, no offset
            ("17 00 000000", .h264, .sequenceHeader, 0, "key", "AVC"),
            //        inter AVC, NAL units, -40 ms
            ("27 01 FFFFD8", .h264, .nalUnits, -40, "inter", "AVC"),
            ("1C 01 000050", .hevc, .nalUnits, 80, "key", "HEVC"),
            //  extended, key, sequence start; FourCC
            ("90 68766331", .hevc, .sequenceHeader, nil, "key", "HEVC"),
            ("A1 68766331 000028", .hevc, .nalUnits, 40, "inter", "HEVC"),
            ("A3 68766331", .hevc, .nalUnitsWithoutOffset, nil, "inter", "HEVC"),
            ("91 61766331 000000", .h264, .nalUnits, 0, "key", "AVC"),
            ("91 61763031", nil, .nalUnits, nil, "key", "av01"),
            ("94 68766331", .hevc, .metadata, nil, "key", "HEVC"),
            ("96", nil, .multitrack, nil, "key", "unnamed codec"),
            // Sorenson H.263 has nothing more, an extended command one byte.
            ("22", nil, nil, nil, "inter", "Sorenson H.263"),
            ("D1 00", nil, nil, nil, "command", "unnamed codec"),
            ("57 00 000000", .h264, nil, 0, "command", "AVC"),
        ] as [(String, VideoCodec?, FLVVideoTagHeader.PacketType?, Int?, String, String)])
    func video(
        text: String, codec: VideoCodec?, packet: FLVVideoTagHeader.PacketType?, time: Int?, frame: String, name: String
    ) throws {
        let header = try read(FLVVideoTagHeader.self, text)
        #expect(header.codec == codec && header.packetType == packet && header.compositionTime == time)
        #expect(header.frameName == frame && header.codecName == name)
        for count in 0..<Hex.bytes(text).count {
            var reader = SyntaxReader(Array(Hex.bytes(text).prefix(count)))
            var cut = FLVVideoTagHeader()
            #expect(throws: SyntaxError.self) { try cut.code(with: &reader, in: ()) }
        }
    }

    @Test("audio names its codec")
    func audio() throws {
        let aac = try read(FLVAudioTagHeader.self, "AF 01")
        #expect(aac.codecName == "AAC" && aac.packetType == 1 && aac.isStereo && aac.has16Bits)
        #expect(try read(FLVAudioTagHeader.self, "2E").codecName == "MP3")
    }
}
