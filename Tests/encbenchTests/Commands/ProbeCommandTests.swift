// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing

@testable import encbench

@Suite struct ProbeCommandTests {
    private struct NoBackend: EncoderBackend {
        let identifier = "none"
        func listEncoders() throws(EncoderError) -> [EncoderDescription] {
            throw EncoderError(.unsupported, reason: "no device")
        }
        func makeEncoder(
            _: EncoderDescription, settings: ResolvedSettings, logger: Logger
        ) throws(EncoderError) -> any FrameEncoder {
            throw EncoderError(.unsupported, reason: "no device")
        }
        func check(_: ResolvedSettings, for _: EncoderDescription) {}
    }

    @Test("what is found is listed with its abilities, what is missing with the reason and the remedy")
    func report() async throws {
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
        await report.add(.x265, backend: EncoderKind.x265.makeBackend())
        await report.add(.vaapi, backend: NoBackend())
        #expect(report.encoders.map(\.identifier) == ["x265.hevc"])
        #expect(report.encoders[0].codec == "hevc" && report.encoders[0].presets.contains("medium"))
        #expect(
            report.missing == [
                .init(identifier: "vaapi", reason: "no device", installation: EncoderKind.vaapi.installation)
            ])
        #expect(report.text.contains("vaapi: not available: no device\n  to get it: a GPU that encodes"))
        #expect(report.text.contains("x265.hevc: x265, hevc, software, x265"))
    }
}
