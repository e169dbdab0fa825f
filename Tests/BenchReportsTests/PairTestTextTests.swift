// SPDX-License-Identifier: MIT

import BenchStudies
import EncoderBench
import Testing

@testable import BenchReports

@Suite struct PairTestTextTests {
    private func test(
        clips: Int, less: Int, change: Double, probability: Double, anchor: String = "x264 medium"
    ) -> ComparisonReport.PairTest {
        ComparisonReport.PairTest(
            firstAnchor: "x264 medium", firstTest: "x265 medium", anchor: anchor, test: "x265 slow",
            score: "psnr_y_db", clips: clips, clipsWithLess: less, shareChange: change, probability: probability)
    }

    @Test("a test is one sentence with its clips, its size and what chance alone gives")
    func sentence() {
        #expect(
            test(clips: 13, less: 11, change: -0.032, probability: 0.0034).sentence
                == "x265 slow saved more than x265 medium, both against x264 medium, on 11 of 13 clips, its share of the "
                + "bytes being 3.2 % smaller in the mean: were neither better, 13 clips would be as one-sided by chance in "
                + "0.34 of 100 such comparisons (Wilcoxon's signed-rank test, exact, two-sided).")
        let other = test(clips: 8, less: 2, change: 0.05, probability: 0.00001, anchor: "x264 slow").sentence
        #expect(
            other.hasPrefix(
                "x265 slow against x264 slow saved less than x265 medium against x264 medium on 6 of 8 clips, its share of "
                    + "the bytes being 5.0 % larger in the mean"), "\(other)")
        #expect(other.contains("by chance in less than 0.01 of 100 such"))
    }

    @Test("so few clips that they cannot tell say so", arguments: 2...8)
    func few(clips: Int) {
        let sentence = test(clips: clips, less: clips, change: -0.1, probability: 0.5).sentence
        #expect(sentence.contains("; \(clips) clips cannot give less than") == (clips < 6), "\(sentence)")
    }

    @Test("tests stand below the answers over all clips, and several say what several are worth")
    func outline() throws {
        var report = Studies.measurements(Studies.study(clips: 3)).report(isInterrupted: false)
        #expect(report.pairTests.isEmpty && report.pairTestSentences.isEmpty)
        let one = test(clips: 3, less: 3, change: -0.1, probability: 0.25)
        report.pairTests = [one]
        #expect(report.pairTestSentences == [one.sentence])
        #expect(ComparisonText(report, isVerbose: true).text.contains("\n\n\(one.sentence)\n"))
        report.pairTests.append(one)
        #expect(report.pairTestSentences.count == 3 && report.pairTestSentences[2].hasPrefix("These are 2 tests:"))
    }
}
