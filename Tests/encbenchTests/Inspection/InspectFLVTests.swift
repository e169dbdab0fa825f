// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct InspectFLVTests {
    /// Script data, AVC's sequence header, a sound and two pictures, the second of two delimiters.
    private static func file() throws -> [UInt8] {
        let delimiter: [UInt8] = [0, 0, 0, 2, 0x09, 0x10]
        let size = SequenceConfiguration(displaySize: .init(width: 64, height: 48))
        let record = try AVCDecoderConfiguration(
            sequenceParameterSets: [H264SPS(size, profile: .high).nalUnit()],
            pictureParameterSets: [H264PPS().nalUnit(in: .init())])
        var file = TestFLV()
        file.add(18, [2, 0, 0])
        file.add(9, Hex.bytes("17 00 000000") + record.bytes)
        file.add(8, Hex.bytes("AF 01 21"))
        file.add(9, Hex.bytes("17 01 000028") + delimiter)
        file.add(9, Hex.bytes("27 01 000000") + delimiter + delimiter, milliseconds: 40)
        file.add(9, Hex.bytes("17 02 000000"), milliseconds: 80)
        return file.bytes
    }

    @Test("text and JSON show header and tags; damage makes the status 1")
    func command() async throws {
        try await withTemporaryDirectory { folder in
            let bytes = try Self.file()
            let path = try folder.write(bytes, to: "x.mp4")
            let table = try await CommandLineTool.encbench.run(["inspect", path, "--no-fields"]).text
            #expect(table.contains(": FLV, H.264\n"))
            #expect(table.contains("video tag, PreviousTagSize 22, 40 ms, inter, AVC, NAL units\n"))
            #expect(table.contains("audio tag, PreviousTagSize"))
            let json = try await CommandLineTool.encbench.run(["inspect", path, "--json"]).text
            for member in [
                #""type": "FLV header", "Signature": [70, 76, 86], "Version": 1"#, #""nal_unit_lengths": [2, 2]"#,
                #""PreviousTagSize": 22"#, #""TypeFlagsVideo": 1"#, #""frame": "inter""#,
            ] {
                #expect(json.contains(member), "\(member)")
            }
            let cut = try folder.write(bytes.dropLast(6), to: "cut.flv")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(["inspect", cut])
            }
            #expect(error?.reason == "exited(1)")
            #expect(error?.standardError.contains("parts of the container are wrong, the first at byte") == true)
            #expect(error?.standardError.contains("DataSize") == true)
        }
    }
}
