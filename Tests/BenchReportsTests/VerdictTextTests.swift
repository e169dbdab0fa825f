// SPDX-License-Identifier: MIT

import BenchStudies
import EncoderBench
import PictureQuality
import Testing

@testable import BenchReports

/// What the forms of a report say of a comparison's answer.
@Suite struct VerdictTextTests {
    @Test("text and Markdown say the verdict's sentence under its claim")
    func sentence() throws {
        let study = Studies.study(clips: 3)
        let report = Studies.measurements(study).report(isInterrupted: false)
        let finding = try #require(report.verdict?.findings.first)
        let text = ComparisonText(report, isVerbose: true).text
        #expect(text.contains("\n\(Verdict.claim)?\n\nDoes not hold: \(finding.sentence).\n"))
        #expect(text.contains("  PSNR-Y                    -20.0 %  -20.0 % to -20.0 %  3 of 3\n"), "\(text)")
        #expect(report.outline.markdown.contains("## \(Verdict.claim)?"))
    }

    @Test("text and page count the clips that lack a curve")
    func denominator() {
        let study = Studies.study(clips: 4)
        var measurements = Studies.measurements(study)
        for point in study.points where point.clip == 3 && point.variant == 1 { measurements.results[point] = nil }
        let report = measurements.report(isInterrupted: false)
        #expect(ComparisonText(report, isVerbose: true).text.contains("  3 of 4\n"))
        #expect(ComparisonPage(report: report).html.contains("3 of 4 clips"))
    }

    @Test("a measure that fewer clips answer says so")
    func otherMeasures() {
        let study = Studies.study(clips: 2)
        var measurements = Studies.measurements(study)
        for point in study.points(ofClip: 1) {
            measurements.results[point]?.frames.values["ssim_y"] = [nil, nil, nil, nil]
        }
        let text = ComparisonText(measurements.report(isInterrupted: false), isVerbose: true).text
        #expect(text.contains("  PSNR-Y                    -20.0 %              -  2 of 2\n"))
        #expect(text.contains("  SSIM                      -20.0 %              -  1 of 2\n"), "\(text)")
    }

    @Test("why a library's program cannot do the same stands beside the commands of others")
    func obstacle() {
        let study = Studies.study()
        var measurements = Studies.measurements(study)
        for point in study.points where point.variant == 0 {
            measurements.results[point]?.command = nil
            measurements.results[point]?.commandObstacle = "the x264 program cannot"
        }
        let report = measurements.report(isInterrupted: false)
        #expect(
            ComparisonText(report, isVerbose: true).text.contains("No commands for others: the x264 program cannot.\n"))
        #expect(ComparisonPage(report: report).html.contains("No commands for others: the x264 program cannot.</p>"))
    }
}
