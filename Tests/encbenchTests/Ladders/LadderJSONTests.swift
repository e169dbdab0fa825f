// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import PictureQuality
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct LadderJSONTests {
    @Test("every name in the JSON is described, and nothing is described that is not there")
    func description() throws {
        let study = Studies.ladder(
            failures: [Study.Failure(clip: "x", point: "y", reason: "z")])
        var answers = Answers<PointResult>(study: study, failures: study.failures)
        for point in study.points { answers.results[point] = Studies.ladderResult(of: point) }
        let score = try #require(Metric.usual.scores.first)
        let report = LadderReport(
            answers, score: score, measuredBy: ["psnr": "p"], scaledBy: "libswscale 1.2.3, bicubic", step: 1.5)
        let pair = try #require(report.clips.first?.pairs.first)
        #expect(!pair.differences.isEmpty && !pair.shares.isEmpty)
        let text = String(decoding: try JSONDocument.bytes(report), as: UTF8.self)
        let found = Set(text.matches(of: #/"([a-z0-9_]+)" : /#).map { String($0.1) })
        let page = try SourceFiles.page("LadderJSON.md")
        let described = Set(page.matches(of: #/`([a-z0-9_]+)`/#).map { String($0.1) })
        let scores = Set(Metric.usual.scores.map(\.id) + ["psnr"])
        #expect(found.subtracting(described).subtracting(scores) == [])
        #expect(described.subtracting(found) == [])
    }
}
