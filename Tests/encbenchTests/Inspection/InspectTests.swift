// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import MediaFiles
import StreamInspection
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct InspectTests {
    /// What tests look at in a unit's JSON.
    private struct Unit: Decodable {
        struct Derived: Decodable {
            var codecString: String
            var width: Int
            var height: Int

            enum CodingKeys: String, CodingKey {
                case width, height
                case codecString = "codec_string"
            }
        }
        struct Failure: Decodable {
            var field: String?
            var bit: Int?
        }
        var number: Int?
        var position: Int
        var packet: Int?
        var length: Int
        var type: String?
        var unitType: Int?
        var reference: String?
        var layer: Int?
        var temporalID: Int?
        var orderCountType: Int?
        var codedWidth: Int?
        var derived: Derived?
        var error: Failure?

        enum CodingKeys: String, CodingKey {
            case number, position, packet, length, type, layer, derived, error
            case unitType = "nal_unit_type"
            case reference = "nal_ref_idc_meaning"
            case temporalID = "temporal_id"
            case orderCountType = "pic_order_cnt_type"
            case codedWidth = "pic_width_in_luma_samples"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            number = try values.decodeIfPresent(Int.self, forKey: .number)
            position = try values.decode(Int.self, forKey: .position)
            packet = try values.decodeIfPresent(Int.self, forKey: .packet)
            length = try values.decode(Int.self, forKey: .length)
            type = try values.decodeIfPresent(String.self, forKey: .type)
            unitType = try values.decodeIfPresent(Int.self, forKey: .unitType)
            reference = try values.decodeIfPresent(String.self, forKey: .reference)
            layer = try values.decodeIfPresent(Int.self, forKey: .layer)
            temporalID = try values.decodeIfPresent(Int.self, forKey: .temporalID)
            orderCountType = try values.decodeIfPresent(Int.self, forKey: .orderCountType)
            codedWidth = try values.decodeIfPresent(Int.self, forKey: .codedWidth)
            // Slices and SEI have derived values of other names.
            derived = try? values.decode(Derived.self, forKey: .derived)
            error = try values.decodeIfPresent(Failure.self, forKey: .error)
        }
    }

    private func encode(_ output: String, _ folder: TemporaryDirectory, _ arguments: [String] = []) async throws {
        let input = try folder.write(CommandLineTool.y4m(frames: 10), to: "in.y4m")
        try await CommandLineTool.encbench.run(
            ["encode", input, "-o", folder.path(output), "--preset", "fast", "--max-key-frame-interval", "5"]
                + arguments)
    }

    private func units(_ path: String, input: [UInt8] = []) async throws -> [Unit] {
        let output = try await CommandLineTool.encbench.run(["inspect", path, "--json"], input: input)
        return try JSONDecoder().decode([Unit].self, from: Data(output.standardOutput))
    }

    @Test("units follow each other without gaps, each behind its start code", arguments: ["out.264", "out.265"])
    func elementaryStream(name: String) async throws {
        try await withTemporaryDirectory { folder in
            try await encode(name, folder)
            let bytes = try folder.read(name)
            let units = try await units(folder.path(name))
            var position = 0
            for (number, unit) in units.enumerated() {
                #expect(unit.number == number && unit.position == position && unit.error == nil)
                #expect(Array(bytes[position..<position + 4]) == [0, 0, 0, 1])
                position += 4 + unit.length
            }
            #expect(position == bytes.count)
            let isHEVC = name == "out.265"
            let sps = try #require(units.first { $0.unitType == (isHEVC ? 33 : 7) })
            #expect(sps.type == (isHEVC ? "SPS_NUT" : "SPS"))
            #expect(sps.derived?.width == 64 && sps.derived?.height == 64)
            #expect(sps.derived?.codecString.hasPrefix(isHEVC ? "hvc1.1." : "avc1.") == true)
            #expect(isHEVC ? sps.codedWidth == 64 : sps.orderCountType == 0)
            #expect(isHEVC ? sps.layer == 0 && sps.temporalID == 0 : sps.reference == "highest")
            let piped = try await self.units("-", input: bytes)
            #expect(piped.map(\.position) == units.map(\.position))
        }
    }

    @Test(
        "containers hold the units of the stream, with the parameter sets in their header", arguments: ["mp4", "mkv"])
    func container(name: String) async throws {
        try await withTemporaryDirectory { folder in
            try await encode("out." + name, folder, ["--encoder", "x264"])
            let units = try await units(folder.path("out." + name))
            #expect(units.map(\.packet) == [nil, nil] + Array(0..<10))
            #expect(units.prefix(2).map(\.type) == ["SPS", "PPS"])
            #expect(units.allSatisfy { $0.error == nil })
            // avcC: six bytes before the first length.
            #expect(units.map(\.position).prefix(2) == [6, 6 + 2 + units[0].length + 1])
        }
    }

    @Test("the table has a row for each unit, and fields below only when they are wanted")
    func table() async throws {
        try await withTemporaryDirectory { folder in
            try await encode("out.264", folder)
            let path = folder.path("out.264")
            let count = try await units(path).count
            let table = try await CommandLineTool.encbench.run(["inspect", path, "--no-fields"]).text
            #expect(table.split(separator: "\n").count == count + 4)
            #expect(table.contains("highest      IDR slice, I\n"))
            let fields = try await CommandLineTool.encbench.run(["inspect", path]).text
            #expect(fields.contains("           3      5  nal_unit_type                                 7\n"))
            #expect(fields.contains("slice_qp_delta"))
            #expect(fields.contains("pic_order_cnt_type") && fields.contains("= codec_string avc1."))
        }
    }

    @Test("a unit that cannot be read names field and bit, those behind it still come, and the status is 1")
    func brokenUnit() async throws {
        try await withTemporaryDirectory { folder in
            // A PPS whose slice groups are cut off, and a delimiter.
            let path = try folder.write(
                [0, 0, 0, 1, 0x09, 0x10, 0, 0, 1, 0x68, 0xE0, 0, 0, 1, 0x09, 0x30], to: "broken.264")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["inspect", path])
            }
            #expect(error?.reason == "exited(1)")
            #expect(error?.standardError.contains("1 of 3 NAL units cannot be read, the first at byte 6") == true)
            var inspection = try StreamInspection(path: path)
            var units: [InspectedUnit] = []
            while let more = try inspection.next() { units += more }
            #expect(units.map(\.typeName) == ["access unit delimiter", "PPS", "access unit delimiter"])
            #expect(units.map { $0.error == nil } == [true, false, true])
            #expect(units[1].error?.field != nil && units[1].error?.bitOffset != nil)
        }
    }

    @Test("a file cut anywhere gives what there is and never a crash", arguments: ["out.265", "out.mp4"])
    func cuts(name: String) async throws {
        try await withTemporaryDirectory { folder in
            try await encode(name, folder, ["--encoder", name == "out.mp4" ? "x264" : "x265"])
            let bytes = try folder.read(name)
            var seen = 0
            for count in stride(from: 5, to: min(bytes.count, 2000), by: 37) {
                let path = try folder.write(bytes.prefix(count), to: "cut")
                guard var inspection = try? StreamInspection(path: path) else { continue }
                var total = 0
                while let units = try? inspection.next() { total += units.reduce(0) { $0 + $1.length } }
                #expect(total <= count)
                seen += 1
            }
            #expect(seen > 0 || name == "out.mp4")
        }
    }

    @Test("what is neither stream nor container is refused in words")
    func refusals() async throws {
        try await withTemporaryDirectory { folder in
            for bytes in [[UInt8](), [0, 0, 1, 0xFF, 0xFF], Array("hello, world".utf8)] {
                let path = try folder.write(bytes, to: "x.264")
                let error = await #expect(throws: ExternalProgramError.self) {
                    try await CommandLineTool.encbench.run(["inspect", path])
                }
                #expect(error?.reason == "exited(1)")
                #expect(error?.standardError.hasPrefix("encbench: error: \(path)") == true)
            }
        }
    }
}
