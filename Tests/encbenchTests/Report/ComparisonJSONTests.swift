// SPDX-License-Identifier: MIT

import BenchReports
import BenchStudies
import CommandOptions
import PictureQuality
import Testing

@testable import EncoderBench

@Suite struct ComparisonJSONTests {
    @Test("every name in the JSON is described, and nothing is described that is not there")
    func description() throws {
        var study = Studies.study(clips: 3, quantizers: [22, 27, 32, 37, 42], metrics: Metric.all)
        study.clips[0].bitsPerSecond = 1
        study.clips[1].isConstantRate = false
        study.variants[0].tune = "psnr"
        study.points[0].cap = 1
        study.failures = [Study.Failure(clip: "x", point: "y", reason: "z")]
        let measurements = Studies.measurements(study)
        var report = measurements.report(isInterrupted: true)
        let time = TimedEncode(frames: 1, bytes: 1, wallSeconds: 1, cpuSeconds: 1, peakResidentBytes: 1)
        let delay = EncodeDelay(latencies: try #require(Latencies([1])), framesHeld: 1, frames: 1)
        let timing = TimingRounds(
            rounds: PairedRatio.minimumRounds, seed: 1, measure: { _ in time }, measureDelay: { _, _ in delay })
        report.timing = try timing.report(measurements) { _, _ in }
        report.equalCost = [
            EqualCost(
                anchor: "a", family: CurveFamily(encoder: "e", codec: "c", tune: "t"), curves: ["b"], score: "s",
                rateChange: 0, low: 0, high: 0, clips: 1, between: ["b"], refusal: "r")
        ]
        report.pairTests = [
            ComparisonReport.PairTest(
                firstAnchor: "a", firstTest: "b", anchor: "a", test: "c", score: "s", clips: 2, clipsWithLess: 1,
                shareChange: 0, probability: 1)
        ]
        report.groups = [.init(name: "g", isNamed: true, clips: ["c"], answers: report.overall)]
        report.timing?.pairs[0].refusal = "none"
        report.timing?.pairs[0].atEqualQuality?.testQuality = 1
        report.timing?.entries[0].clipFrames = 2
        report.timing?.budgetSeconds = 1
        report.timing?.finishedRounds = 1
        report.timing?.plannedRounds = 2
        var found: Set<String> = []
        let text = String(decoding: try JSONDocument.bytes(report), as: UTF8.self)
        for match in text.matches(of: #/"([a-z0-9_]+)" : /#) { found.insert(String(match.1)) }
        let page = try SourceFiles.page("ComparisonJSON.md")
        func described(_ text: some StringProtocol) -> Set<String> {
            Set(String(text).matches(of: #/`([a-z0-9_]+)`/#).map { String($0.1) })
        }
        let heading = try #require(page.firstRange(of: "## CSV"))
        let inJSON = described(page[..<heading.lowerBound])
        #expect(found.subtracting(inJSON).subtracting(["rate_change_leave_one_out_high"]) == [])
        #expect(inJSON.subtracting(found).subtracting(["compare", "merge", "measure", "_high"]) == [])
        let csv = String(decoding: try ReportFormat.csv.bytes(report), as: UTF8.self)
        let titles = Set(csv.prefix { $0 != "\r\n" }.split(separator: ",").map(String.init))
        let inCSV = described(page[heading.lowerBound...])
        #expect(titles.subtracting(report.scores.map(\.id)).subtracting(inCSV) == [])
        #expect(inCSV.subtracting(titles).subtracting(["test_rates", "anchor", "score", "quality"]) == [])
    }
}
