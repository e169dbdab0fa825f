// SPDX-License-Identifier: MIT

import EncoderAPI
@testable import EncoderConformance
import Testing

@Suite struct ConformanceReportTests {
    private let encoder = ModelBackend(shelf: PictureShelf()).listEncoders()[0]

    private func result(_ scenario: String, _ outcome: ScenarioResult.Outcome) -> ScenarioResult {
        ScenarioResult(scenario: scenario, summary: "It works.", outcome: outcome)
    }

    @Test("failures come first, then what did not apply, by reason, then what was not looked for")
    func report() {
        let finding = Finding(scenario: "flush", expected: "10 frames", seen: "9")
        let report = ConformanceReport(
            encoder: encoder,
            results: [
                result("quality", .passed), result("sizes", .notApplicable(reason: "no decoder was given")),
                result("flush", .failed([finding])), result("color", .notApplicable(reason: "it has no color")),
                result("mean-luma", .notApplicable(reason: "no decoder was given")),
            ])
        #expect(report.passedCount == 1)
        #expect(report.failures.map(\.scenario) == ["flush"])
        #expect(report.notApplicable.map(\.scenarios) == [["sizes", "mean-luma"], ["color"]])
        // Of the settings that scenarios look for, only quality's was run.
        #expect(report.unseenSettings.contains(.color) && !report.unseenSettings.contains(.quality))
        let lines = report.description.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(5) == [
                "model-h264 (model.h264): 1 of 5 scenarios passed, 1 failed, 3 did not apply",
                "  failed: flush: It works.", "    expected 10 frames, saw 9",
                "  did not apply: sizes, mean-luma: no decoder was given", "  did not apply: color: it has no color",
            ])
        #expect(lines.count == 6 && lines[5].hasPrefix("  listed, and not looked for: AllowFrameReordering"))
    }

    @Test("an exam of every scenario leaves no setting of the model unseen")
    func whole() {
        let results = ConformanceSuite.scenarios.map { result($0.name, .passed) }
        let report = ConformanceReport(encoder: encoder, results: results)
        #expect(report.unseenSettings == [] && report.description.hasSuffix("looked for in what came out"))
    }
}
