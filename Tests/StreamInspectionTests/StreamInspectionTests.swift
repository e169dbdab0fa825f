// SPDX-License-Identifier: MIT

import ParameterSets
import StreamInspection
import TestSupport
import Testing

/// The module as an application uses it.
@Suite struct StreamInspectionTests {
    private static func sequence(width: Int) throws -> H264SPS {
        try H264SPS(SequenceConfiguration(displaySize: .init(width: width, height: 48)), profile: .high)
    }

    private static func units(_ path: String) throws -> [InspectedUnit] {
        var inspection = try StreamInspection(path: path)
        var units: [InspectedUnit] = []
        while let more = try inspection.next() { units += more }
        return units
    }

    @Test("random units come back, each at its place with its fields and what follows from them")
    func units() async throws {
        try await withTemporaryDirectory { folder in
            var generator = SeededGenerator()
            for _ in 0..<20 {
                let widths = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                    Int.random(in: 8...2000, using: &generator) * 2
                }
                var (stream, starts): ([UInt8], [Int]) = ([], [])
                var lengths: [Int] = []
                for width in widths {
                    let unit = try Self.sequence(width: width).nalUnit()
                    let zeros = Int.random(in: 2...3, using: &generator)
                    starts.append(stream.count)
                    lengths.append(unit.count)
                    stream += [UInt8](repeating: 0, count: zeros) + [1] + unit
                }
                let path = try folder.write(stream, to: "stream.264")
                #expect(try StreamInspection(path: path).summary.codec == .h264)
                let units = try Self.units(path)
                #expect(units.map(\.number) == widths.indices.map { $0 })
                #expect(units.map(\.place.position) == starts && units.map(\.length) == lengths)
                #expect(units.allSatisfy { $0.error == nil && $0.typeName == "SPS" })
                #expect(
                    units.map { unit in unit.derived.first { $0.name == "width" }?.value } == widths.map { .number($0) }
                )
                let macroblocks = units.map { unit in
                    unit.elements.first { $0.name.field == "pic_width_in_mbs_minus1" }?.number
                }
                #expect(macroblocks == widths.map { ($0 + 15) / 16 - 1 })
            }
        }
    }

    @Test("a unit that breaks off has an error, and the next one comes")
    func damage() async throws {
        try await withTemporaryDirectory { folder in
            let unit = try Self.sequence(width: 64).nalUnit()
            // A last byte of zero would count as the next start code's.
            for cut in 4..<unit.count where unit[cut - 1] != 0 {
                let bytes = [0, 0, 1] + unit[..<cut] + [0, 0, 1] + unit
                let units = try Self.units(try folder.write(bytes, to: "cut.264"))
                #expect(units.map { $0.error == nil } == [false, true], "cut at \(cut)")
            }
        }
    }

    @Test("what cannot be taken apart is refused with its code and its path")
    func refusals() async throws {
        try await withTemporaryDirectory { folder in
            let rows: [([UInt8]?, StreamInspectionError.Code)] = [
                (nil, .cannotOpen), ([], .truncated), (Array("hello, world".utf8), .unsupported),
            ]
            for (index, (bytes, code)) in rows.enumerated() {
                let path = folder.path("\(index)")
                if let bytes { try folder.write(bytes, to: "\(index)") }
                let error = #expect(throws: StreamInspectionError.self) { try StreamInspection(path: path) }
                #expect(error?.code == code && error?.path == path)
                #expect(error?.description.hasPrefix(path + ": ") == true)
            }
        }
    }
}
