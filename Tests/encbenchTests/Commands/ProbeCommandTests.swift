// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing

@testable import encbench

@Suite struct ProbeCommandTests {
    private struct NoBackend: EncoderBackend {
        let identifier = "none"
        func capabilities() throws(EncoderError) -> [EncoderCapabilities] {
            throw EncoderError(.unsupported, reason: "no device")
        }
        func makeEncoder(_: ResolvedSettings, logger: Logger) throws(EncoderError) -> any FrameEncoder {
            throw EncoderError(.unsupported, reason: "no device")
        }
    }

    @Test("what is found is listed with its abilities, what is missing with the reason and the remedy")
    func report() throws {
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
        report.add(.x265, backend: EncoderKind.x265.makeBackend())
        report.add(.vaapi, backend: NoBackend())
        #expect(report.encoders.map(\.identifier) == ["x265"])
        #expect(report.encoders[0].codec == "hevc" && report.encoders[0].presets.contains("medium"))
        #expect(
            report.missing == [
                .init(identifier: "vaapi", reason: "no device", installation: EncoderKind.vaapi.installation)
            ])
        #expect(report.text.contains("vaapi: not available: no device\n  to get it: a version of encbench"))
        #expect(report.text.contains("x265: hevc, software, x265"))
    }
}
