// SPDX-License-Identifier: MIT

import Testing

@testable import encbench

@Suite struct ManifestTests {
    @Test("a study comes back from its lines as it was, one line for each point")
    func roundTrip() throws {
        var study = Studies.study(clips: 2)
        study.failures = [Study.Failure(clip: "x", point: nil, reason: "no \"video\"\nat all")]
        let bytes = try Manifest.bytes(study)
        #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1 + study.points.count)
        #expect(try Manifest.study(bytes, path: "p") == study)
    }

    @Test("a plan that is cut anywhere, or is none, is refused with its path")
    func damage() throws {
        let bytes = try Manifest.bytes(Studies.study(quantizers: [22]))
        // Without the last line feed it is still whole.
        for count in stride(from: 0, to: bytes.count - 1, by: 37) {
            let error = #expect(throws: CommandFailure.self) {
                try Manifest.study(Array(bytes.prefix(count)), path: "some/path")
            }
            #expect(error?.description.hasPrefix("some/path: ") == true)
        }
    }

    @Test("a point that names a clip or variant that is not there is refused")
    func places() throws {
        for change in [{ $0.clip = 1 }, { $0.variant = 2 }] as [(inout PointSpec) -> Void] {
            var study = Studies.study()
            change(&study.points[0])
            let bytes = try Manifest.bytes(study)
            #expect(throws: CommandFailure.self) { try Manifest.study(bytes, path: "p") }
        }
    }
}
