// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@testable import StreamInspection

@Suite struct FLVUnitsTests {
    private static let delimiter: [UInt8] = [0x09, 0x10]
    private static let size = SequenceConfiguration(displaySize: .init(width: 64, height: 48))

    private static func avcC() throws -> [UInt8] {
        try AVCDecoderConfiguration(
            sequenceParameterSets: [H264SPS(size, profile: .high).nalUnit()],
            pictureParameterSets: [H264PPS().nalUnit(in: .init())]
        ).bytes
    }

    private static func hvcC() throws -> [UInt8] {
        let sps = try HEVCSPS(size)
        return try HEVCDecoderConfiguration(
            videoParameterSets: [HEVCVPS(for: sps).nalUnit()], sequenceParameterSets: [sps.nalUnit()],
            pictureParameterSets: [HEVCPPS().nalUnit()]
        ).bytes
    }

    /// Script data, AVC's sequence header, two pictures of a delimiter each and the end of the sequence.
    private static func avcTestFLV() throws -> TestFLV {
        var file = TestFLV()
        file.add(18, [2, 0, 0])
        file.add(9, Hex.bytes("17 00 000000") + (try avcC()))
        file.add(8, Hex.bytes("AF 01 21"))
        file.add(9, Hex.bytes("17 01 000028 00000002") + delimiter)
        file.add(9, Hex.bytes("27 01 000000 00000002") + delimiter + [0, 0, 0, 2] + delimiter, milliseconds: 40)
        file.add(9, Hex.bytes("17 02 000000"), milliseconds: 80)
        return file
    }

    private func units(_ bytes: [UInt8]) async throws -> [InspectedUnit] {
        try await withTemporaryDirectory { folder in
            var inspection = try StreamInspection(path: try folder.write(bytes, to: "x"))
            var units: [InspectedUnit] = []
            while let more = try inspection.next() { units += more }
            return units
        }
    }

    private func fact(_ name: String, _ unit: InspectedUnit) -> DerivedValue? {
        unit.derived.first { $0.name == name }?.value
    }

    @Test("header, tags and NAL units come in the order of the file")
    func order() async throws {
        let units = try await units(Self.avcTestFLV().bytes)
        #expect(
            units.map(\.typeName) == [
                "FLV header", "script data tag", "video tag", "SPS", "PPS", "audio tag", "video tag",
                "access unit delimiter", "video tag", "access unit delimiter", "access unit delimiter", "video tag",
            ])
        #expect(units.allSatisfy { $0.error == nil })
        #expect(units.compactMap(\.number) == [0, 1, 2, 3, 4])
        #expect(units.map { $0.place.container } == [nil, 0, 1, 1, 1, 2, 3, 3, 4, 4, 4, 5])
    }

    @Test("a tag tells position, size, times, frame, codec and the lengths of its NAL units")
    func tag() async throws {
        let file = try Self.avcTestFLV()
        let units = try await units(file.bytes)
        let inter = units[8]
        let position = inter.place.position
        #expect(file.bytes[position] == 9 && inter.length == 11 + 17)
        #expect(inter.words == [Labelled("PreviousTagSize", "22")])
        let names = ["TagType", "DataSize", "Timestamp", "FrameType", "CodecID", "AVCPacketType", "CompositionTime"]
        let numbers = names.map { name in inter.elements.first { $0.name.field == name }?.number }
        #expect(numbers == [9, 17, 40, 2, 7, 1, 0])
        #expect(inter.elements.first { $0.name.field == "AVCPacketType" }?.bitPosition == 96)
        #expect(fact("time_ms", inter) == .number(40) && fact("frame", inter) == .text("inter"))
        #expect(fact("codec", inter) == .text("AVC") && fact("packet", inter) == .text("NAL units"))
        #expect(fact("nal_unit_lengths", inter) == .numbers([2, 2]))
        #expect(fact("presentation_time_ms", units[6]) == .number(40))
        // The unit's length stands behind both headers.
        #expect(units[9].place == .tag(4, position: position + 16))
        #expect(Array(file.bytes[(position + 16)...].prefix(6)) == [0, 0, 0, 2] + Self.delimiter)
    }

    @Test("a sequence header shows the record, at the bits where it stands in the tag")
    func sequenceHeader() async throws {
        let file = try Self.avcTestFLV()
        let units = try await units(file.bytes)
        #expect(fact("packet", units[2]) == .text("sequence header"))
        let profile = try #require(units[2].elements.first { $0.name.field == "AVCProfileIndication" })
        #expect(profile.bitPosition == (11 + 5 + 1) * 8)
        #expect(profile.number == Int(file.bytes[units[2].place.position + 17]))
        #expect(fact("width", units[3]) == .number(64) && fact("height", units[3]) == .number(48))
        let start = units[3].place.position
        #expect(Array(file.bytes[start..<start + 3]) == [0, UInt8(units[3].length), 0x67])
    }

    @Test(
        "HEVC is known by codec 12 and by FourCC",
        arguments: [
            ("1C 00 000000", "1C 01 000028"), ("90 68766331", "91 68766331 000028"), ("90 68766331", "93 68766331"),
        ])
    func hevc(first: String, second: String) async throws {
        var file = TestFLV()
        file.add(9, Hex.bytes(first) + (try Self.hvcC()))
        file.add(9, Hex.bytes(second) + [0, 0, 0, 3, 0x46, 0x01, 0x50])
        let units = try await units(file.bytes)
        #expect(
            units.map(\.typeName) == [
                "FLV header", "video tag", "VPS_NUT", "SPS_NUT", "PPS_NUT", "video tag", "AUD_NUT",
            ])
        #expect(units.allSatisfy { $0.error == nil })
        #expect(fact("codec", units[1]) == .text("HEVC") && fact("width", units[3]) == .number(64))
    }

    @Test("a file cut anywhere shows what there is and says what is missing")
    func cuts() async throws {
        let file = try Self.avcTestFLV()
        let whole = try await units(file.bytes)
        for count in 3..<file.bytes.count {
            let cut = try await units(Array(file.bytes.prefix(count)))
            let isBetweenTags = count == 13 || whole.contains { $0.place.position == count && $0.number == nil }
            #expect(cut.contains { $0.error != nil } == !isBetweenTags, "\(count)")
            let unharmed = cut.filter { $0.error == nil }
            #expect(unharmed.allSatisfy(whole.contains), "\(count)")
        }
    }

    @Test("what is wrong is named with its place, and what follows is still read")
    func errors() async throws {
        let file = try Self.avcTestFLV()
        let position = try await units(file.bytes)[6].place.position
        func changed(_ change: (inout [UInt8]) -> Void) async throws -> [InspectedUnit] {
            var bytes = file.bytes
            change(&bytes)
            return try await units(bytes)
        }
        var found = try await changed { $0[position - 1] = 99 }
        #expect(found.count == 13 && found[6].typeName == "PreviousTagSize")
        #expect(found[6].error?.code == .badLength && found[6].place == .tag(3, position: position - 4))
        #expect(found[6].error?.reason == "is 99 at byte \(position - 4), expected 14 as the tag before has it")

        found = try await changed { $0[position + 1] = 0xFF }
        #expect(found[6].error?.field == "DataSize" && found[6].error?.code == .badLength)
        #expect(found[7].typeName == "access unit delimiter" && found[7].error == nil)
        #expect(found[6].error?.length?.claimed == 0xFF000B && found[6].error?.length?.offset == position + 1)

        found = try await changed { $0[position] = 7 }
        #expect(found[6].typeName == "tag type 7" && found[6].error?.field == "TagType")
        #expect(found.filter { $0.error != nil }.count == 1)

        found = try await changed { $0[position] = 0x29 }
        #expect(found[6].error?.reason == "leads to data that is encrypted")

        // The length of the NAL unit.
        found = try await changed { $0[position + 19] = 3 }
        #expect(found[6].error == nil && found[7].error?.code == .badLength && found[7].number == nil)
        #expect(found[7].place == .tag(3, position: position + 16))
    }

    @Test("NAL units before a sequence header, other tracks and another codec are refused in words")
    func refusals() async throws {
        var file = TestFLV()
        file.add(9, Hex.bytes("17 01 000000 00000002") + Self.delimiter)
        file.add(9, Hex.bytes("96 00"))
        file.add(9, Hex.bytes("1C 01 000000"))
        file.add(9, Hex.bytes("17 00 000000 00"))
        file.add(9, [])
        let errors = try await units(file.bytes).dropFirst().map(\.error)
        let codes: [ParameterSetError.Code] = [
            .missingParameterSet, .unsupported, .unsupported, .outOfRange, .endOfData,
        ]
        #expect(errors.map { $0?.code } == codes)
    }

    @Test(
        "tags are the packets that ffprobe lists", .requiresMedia("containers"), .requiresProgram(.ffprobe),
        arguments: [
            "containers/androidx_sample-with-key-frame-index.flv", "containers/fate_streamloop.flv",
            "containers/srs_bbb.flv",
        ])
    func oracle(file: String) async throws {
        let path = try TestMedia.path(file)
        let packets = try await ExternalProgram.ffprobe.run(
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,dts,size,pos,flags", "-of",
                "csv=p=0", path,
            ])
        let expected = packets.text.split(separator: "\n").map(String.init)
        var inspection = try StreamInspection(path: path)
        var listed: [String] = []
        while let units = try inspection.next() {
            for tag in units where fact("packet", tag) == .text("NAL units") {
                guard case .number(let time) = fact("time_ms", tag) else { continue }
                guard case .number(let shown) = fact("presentation_time_ms", tag) else { continue }
                let flags = fact("frame", tag) == .text("key") ? "K_" : "__"
                #expect(tag.error == nil)
                listed.append("\(shown),\(time),\(tag.length - 16),\(tag.place.position),\(flags)")
            }
        }
        #expect(listed == expected && listed.count > 10)
    }
}
