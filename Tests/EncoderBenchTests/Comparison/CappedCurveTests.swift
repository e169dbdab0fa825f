// SPDX-License-Identifier: MIT

import BenchStudies
import EncoderAPI
import Testing

@testable import EncoderBench

@Suite struct CappedCurveTests {
    /// A report on one rate factor with caps, of which x264's last do not bind.
    private func report(caps: [Int] = [1, 2, 4, 8, 16, 32], most: Double = 5) -> ComparisonReport {
        var study = Studies.study(quantizers: Array(1...caps.count))
        for index in study.points.indices where !study.points[index].isDefault {
            let place =
                study.points[index].work.settings.removeValue(forKey: "ConstantQuantizer").flatMap(Int.init) ?? 1
            let cap = caps[place - 1] * 1000
            study.points[index].work.settings["ConstantRateFactor"] = "23.0"
            study.points[index].work.settings["DataRateLimits"] = "\(cap / 8)/1.0"
            study.points[index].cap = cap
            study.points[index].rate =
                PointRate(
                    .constantRateFactor(23), cap: RateCap(bitsPerSecond: cap)
                ).label
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            let share = point.variant == 0 ? 1 : 0.5
            let rate = min(Double(point.cap ?? 3000) / 1000, most)
            // A little more than what another cap gave, and a little worse: such a curve does not rise.
            let more = Double(point.cap ?? 0) / 1000 > most ? Double(point.cap ?? 0) : 0
            measurements.results[point] = Studies.result(
                of: point, bytes: Int(100_000 * rate * share + more / 100), decibels: 30 + 4 * rate - more / 1e7)
        }
        return measurements.report(isInterrupted: false)
    }

    @Test("a curve of capped rate factors has its answer, and caps that do not bind are on it once, with a note")
    func notBinding() throws {
        let clip = report().clips[0]
        let answer = try #require(clip.pairs[0].equalQuality.first)
        #expect(abs(answer.pchip + 0.5) < 1e-3, "\(clip.pairs[0])")
        #expect(clip.points.map(\.cap).prefix(6) == [1000, 2000, 4000, 8000, 16000, 32000])
        let note =
            "x264 medium crf 23 up to 32000 bit/s: comes out as crf 23 up to 8000 bit/s does, which is on the curve"
        #expect(clip.notes.count { $0.contains("comes out as") } == 4)
        #expect(clip.notes.contains { $0.hasPrefix(note) }, "\(clip.notes)")
    }

    @Test("where too few caps bind there is no answer")
    func tooFew() {
        let pair = report(caps: [4, 8, 16, 32]).clips[0].pairs[0]
        #expect(pair.equalQuality.isEmpty && pair.refusals.first?.contains("has 2 points, expected 4 or more") == true)
    }

    @Test("pictures are of points with caps, never of another encode of the same factor")
    func pictures() throws {
        var study = Studies.study()
        for index in study.points.indices where !study.points[index].isDefault {
            study.points[index].work.settings["ConstantRateFactor"] = "23.0"
        }
        let choice = try #require(
            PictureChoice(clip: 0, pair: study.pairs[0], measurements: Studies.measurements(study)))
        #expect(study.points.contains(choice.test) && choice.test.rate == choice.anchor.rate)
    }
}
