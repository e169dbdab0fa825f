// SPDX-License-Identifier: MIT

import BenchStudies
import EncoderAPI
import Glibc
import Testing

@testable import EncoderBench

@Suite struct EqualCostTests {
    private func knots(_ values: [(Double, Double)]) -> [EqualCost.Knot] {
        values.enumerated().map { EqualCost.Knot(curve: "c\($0)", cpuRatio: $1.0, byteRatio: $1.1) }
    }

    @Test("what falls by the same factor with each doubling of time is met exactly at the anchor's time")
    func interpolation() throws {
        let curve = [0.3, 0.7, 1.9, 4].map { ($0, 0.8 * pow($0, -0.1)) }
        let found = try #require(EqualCost.interpolated(knots(curve.reversed())))
        #expect(abs(found.byteRatio - 0.8) < 1e-12 && found.between == ["c2", "c1"])
        #expect(EqualCost.interpolated(knots([(0.5, 0.9), (1, 0.7), (2, 0.6)]))?.byteRatio == 0.7)
    }

    @Test("nothing is extrapolated")
    func outside() {
        #expect(EqualCost.interpolated(knots([(0.5, 0.9), (0.9, 0.7)])) == nil)
        #expect(EqualCost.interpolated(knots([(1.1, 0.9), (5, 0.7)])) == nil)
        #expect(EqualCost.interpolated([]) == nil)
    }

    /// x265 at two presets against x264: 90 % of the bytes in half the time, 70 % in twice the time.
    @Test(
        "presets of H.265 around the time of H.264 give an answer, over the clips on which they are",
        arguments: [1.0, 3])
    func report(slowness: Double) throws {
        var study = Studies.study(clips: 2)
        study.variants[1].preset = "fast"
        study.variants.append(Variant(encoder: "x265", preset: "slow"))
        study.pairs.append(Study.Pair(anchor: 0, test: 2))
        for point in study.points where point.variant == 1 {
            var other = point
            other.variant = 2
            other.work.settings["Preset"] = "slow"
            study.points.append(other)
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let bytes = 10_000_000 * [1, 0.9, 0.7][point.variant] * exp2(-quantizer / 6)
            measurements.results[point] = Studies.result(
                of: point, bytes: Int(bytes), decibels: 60 - quantizer * 0.7)
        }
        var report = measurements.report(isInterrupted: false)
        let timing = TimingRounds(
            rounds: 1, seed: 1, timesOwnThreads: true,
            measure: { point in
                // On the second clip H.265 may be slower at each preset.
                let time = [1, 0.5, 2][point.variant] * (point.clip == 1 && point.variant > 0 ? slowness : 1)
                return TimedEncode(frames: 4, bytes: 9, wallSeconds: time, cpuSeconds: time, peakResidentBytes: nil)
            },
            measureDelay: { _, _ in
                EncodeDelay(latencies: try #require(Latencies([0.1])), framesHeld: 3, frames: 4)
            })
        report.take(try timing.report(measurements) { _, _ in })
        let found = try #require(report.equalCost.first)
        #expect(report.equalCost.count == 1 && found.anchor == "x264 medium" && found.encoder == "x265")
        #expect(abs(found.rateChange - (sqrt(0.9 * 0.7) - 1)) < 1e-4 && found.clips == (slowness == 1 ? 2 : 1))
        #expect(found.between == ["x265 fast", "x265 slow"])
        report.take(nil)
        #expect(report.equalCost == [] && report.timing == nil)
    }
}
