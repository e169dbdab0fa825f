// SPDX-License-Identifier: MIT

import BenchStudies
import Testing

@testable import EncoderBench

@Suite struct PairTestTests {
    /// A report on x265 with two tunes against x264, whose shares of the bytes are given clip by clip.
    private func report(_ shares: [(first: Double, second: Double)]) -> ComparisonReport {
        var study = Studies.study(clips: shares.count)
        var tuned = study.variants[1]
        tuned.tune = "ssim"
        study.variants.append(tuned)
        study.pairs.append(Study.Pair(anchor: 0, test: 2))
        study.points += study.points.filter { $0.variant == 1 }.map { point in
            var point = point
            point.variant = 2
            point.work.settings["Tune"] = "ssim"
            return point
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            let usual = Studies.result(of: point)
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let pair = shares[point.clip]
            let share = [0.8, pair.first, pair.second][point.variant] / 0.8
            let bytes = Double(usual.byteCount) * 1000 * share
            measurements.results[point] = Studies.result(of: point, bytes: Int(bytes), decibels: 60 - quantizer * 0.7)
        }
        return measurements.report(isInterrupted: false)
    }

    @Test("a pair that saves more on every clip has the least probability of so many clips")
    func better() throws {
        let report = report([(0.8, 0.7), (0.9, 0.6), (0.7, 0.65), (0.8, 0.79), (1.1, 1), (0.8, 0.5)])
        let test = try #require(report.pairTests.first)
        #expect(report.pairTests.count == 1 && test.clips == 6 && test.clipsWithLess == 6)
        #expect((test.firstTest, test.test) == ("x265 medium", "x265 medium ssim") && test.anchor == "x264 medium")
        #expect(test.probability == 1.0 / 32)
        let ratios = [0.7 / 0.8, 0.6 / 0.9, 0.65 / 0.7, 0.79 / 0.8, 1 / 1.1, 0.5 / 0.8]
        let mean = try #require(PairComparison.geometricMean(ratios))
        #expect(abs(test.shareChange - (mean - 1)) < 1e-4, "\(test.shareChange)")
    }

    @Test("only clips that answer both count, and one alone is no test")
    func missing() throws {
        let shares = [(0.8, 0.7), (0.9, 1.0), (0.7, 0.6)]
        var clips = report(shares).clips
        let pairs = [("x264 medium", "x265 medium"), ("x264 medium", "x265 medium ssim")]
        #expect(clips.tests(of: pairs, score: "psnr_y_db").map(\.clips) == [3])
        #expect(clips.tests(of: pairs, score: "psnr_y_db").map(\.clipsWithLess) == [2])
        clips[1].pairs[1].equalQuality = []
        #expect(clips.tests(of: pairs, score: "psnr_y_db").map(\.clips) == [2])
        clips[0].pairs[0].equalQuality = []
        #expect(clips.tests(of: pairs, score: "psnr_y_db").isEmpty)
        #expect(report([(0.8, 0.7)]).pairTests.isEmpty)
    }
}
