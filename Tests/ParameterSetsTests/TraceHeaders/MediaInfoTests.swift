// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// A second opinion on scalable H.264, of which FFmpeg prints nothing.
@Suite(.requiresMedia("MANIFEST.tsv"), .requiresProgram(.mediaInfo))
struct MediaInfoTests {
    /// A unit's fields by name, each with its first value.
    private typealias Fields = [String: Int]

    /// What MediaInfo prints of each unit, from its type on.
    private func printed(_ path: String) async throws -> [(type: Int, fields: Fields)] {
        var units: [(type: Int, fields: Fields)] = []
        for line in try await ExternalProgram.mediaInfo.run(["--Details=1", path]).text.split(separator: "\n") {
            // "0001E  pic_width_in_mbs_minus1:               21 (0x15)"; flags are Yes or No.
            let words = line.split(separator: " ")
            guard words.count > 2, words[1].hasSuffix(":") else { continue }
            let name = String(words[1].dropLast())
            guard let value = words[2] == "Yes" ? 1 : words[2] == "No" ? 0 : Int(words[2]) else { continue }
            if name == "nal_unit_type" {
                units.append((value, [:]))
            } else if !units.isEmpty, units[units.count - 1].fields[name] == nil {
                units[units.count - 1].fields[name] = value
            }
        }
        return units
    }

    @Test(
        "subset SPS and the headers of scalable slices are what MediaInfo prints",
        arguments: [
            ("streams/h264/h264nal_foreman.svc.264", 20), ("streams/h264/openh264_sps_subsetsps_bothVUI.264", 15),
        ])
    func scalable(file: String, leastFields: Int) async throws {
        let bytes = try TestMedia.bytes(file)
        var sets = H264ParameterSets()
        let own = AnnexB.nalUnitRanges(in: bytes).map { range in
            H264NALUnit.trace(bytes[range], updating: &sets).elements
        }
        let theirs = try await printed(TestMedia.path(file))
        var compared = 0
        for type in [15, 20] {
            let own = own.filter { $0.count > 2 && $0[2].number == type }
            for (fields, elements) in zip(theirs.filter { $0.type == type }.map(\.fields), own) {
                for (name, value) in fields {
                    guard let number = elements.first(where: { $0.name.field == name })?.number else { continue }
                    #expect(number == value, "\(type) \(name)")
                    compared += 1
                }
            }
        }
        #expect(compared >= leastFields)
    }
}
