// SPDX-License-Identifier: MIT

import BenchReports
import EncoderAPI
@testable import EncoderConformance
import FoundationEssentials
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct VerifyCommandTests {
    @Test("scenarios that pass are listed, and the command succeeds")
    func passes() async throws {
        let result = try await CommandLineTool.encbench.run([
            "verify", "--encoder", "x264,x265", "--scenario", "flush,forced-key-frames", "--json", "-",
        ])
        let report = try JSONDecoder().decode(VerifyReport.self, from: Data(result.standardOutput))
        #expect(report.results.map(\.outcome) == ["passed", "passed", "passed", "passed"])
        #expect(report.results.map(\.encoder) == ["x264.h264", "x264.h264", "x265.hevc", "x265.hevc"])
    }

    @Test("an unknown scenario is refused with the names there are, and a missing encoder by its reason")
    func refusals() async {
        let scenario = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["verify", "--scenario", "nothing"])
        }
        #expect(scenario?.reason == "exited(64)" && scenario?.standardError.contains("timestamps") == true)
        let encoder = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["verify", "--encoder", "vaapi", "--scenario", "flush"])
        }
        #expect(encoder?.reason == "exited(1)")
    }

    @Test("a failed scenario is counted, with what was expected and what was seen", arguments: [true, false])
    func failures(isVerbose: Bool) {
        var capabilities = EncoderCapabilities(
            profiles: [], bitDepths: [8], directPixelFormats: [.i420], codedWidths: 2...64, codedHeights: 2...64,
            settings: [.quality], quantizers: 0...51)
        capabilities.presets = []
        let encoder = EncoderDescription(
            id: "x", displayName: "the x", libraryVersion: "1", codec: .h264, capabilities: capabilities)
        let finding = Finding(scenario: "flush", expected: "10 frames", seen: "9")
        let exam = ConformanceReport(
            encoder: encoder,
            results: [
                ScenarioResult(scenario: "flush", summary: "All come out.", outcome: .failed([finding])),
                ScenarioResult(scenario: "luma", summary: "Luma.", outcome: .notApplicable(reason: "no decoder")),
            ])
        var report = VerifyReport(isVerbose: isVerbose)
        report.add(exam)
        #expect(report.failureCount == 1)
        #expect(report.encoders.map(\.unseenSettings) == [["Quality"]])
        for part in [
            "the x (x): 0 of 2 scenarios passed, 1 failed, 1 did not apply\n",
            "  failed: flush: All come out.\n    expected 10 frames, saw 9", "  did not apply: luma: no decoder",
            "  listed, and not looked for: Quality", "0 passed, 1 failed, 1 not applicable",
        ] { #expect(report.text.contains(part), "\(report.text)") }
        #expect(report.text.contains("luma      not applicable  no decoder") == isVerbose)
    }
}
