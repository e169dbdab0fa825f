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

    // MARK: - Reports

    /// A report in which curves need shares of the anchor's bytes, and take times of the anchor's CPU time.
    private func report(
        _ curves: [(variant: Variant, codec: String, share: Double, cpu: [Double])], clips: Int = 1,
        budget: TimingRounds.Budget? = nil
    ) throws -> ComparisonReport {
        var study = Studies.study(clips: clips)
        let templates = study.points.filter { $0.variant == 0 }
        study.points = []
        study.variants = [Variant(encoder: "x264", preset: "medium")] + curves.map(\.variant)
        study.pairs = curves.indices.map { Study.Pair(anchor: 0, test: $0 + 1) }
        for index in study.variants.indices {
            for var point in templates {
                point.variant = index
                point.work.encoder = study.variants[index].encoder
                point.work.codec = index == 0 ? "h264" : curves[index - 1].codec
                point.work.settings["Preset"] = "\(index)"
                study.points.append(point)
            }
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let share = point.variant == 0 ? 1 : curves[point.variant - 1].share
            measurements.results[point] = Studies.result(
                of: point, bytes: Int(10_000_000 * share * exp2(-quantizer / 6)), decibels: 60 - quantizer * 0.7)
        }
        var report = measurements.report(isInterrupted: false)
        let timing = TimingRounds(
            rounds: 1, seed: 1, budget: budget,
            measure: { point in
                let time = point.variant == 0 ? 1 : curves[point.variant - 1].cpu[point.clip]
                return TimedEncode(frames: 4, bytes: 9, wallSeconds: time, cpuSeconds: time, peakResidentBytes: nil)
            },
            measureDelay: { _, _ in
                EncodeDelay(latencies: try #require(Latencies([0.1])), framesHeld: 3, frames: 4)
            })
        report.take(try timing.report(measurements) { _, _ in })
        return report
    }

    @Test("three clips have an interval, which tells whether less is decided; two have none")
    func interval() throws {
        func found(_ times: [[Double]], clips: Int) throws -> EqualCost {
            let presets = ["fast", "slow"]
            let shares = [1.2, 0.7]
            return try #require(
                try report(
                    times.indices.map { index in
                        (Variant(encoder: "x265", preset: presets[index]), "hevc", shares[index], times[index])
                    }, clips: clips
                ).equalCost.first)
        }
        let alike = try found([[0.5, 0.5, 0.5], [2, 2, 2]], clips: 3)
        let change = try #require(alike.rateChange)
        #expect(abs(change - (sqrt(1.2 * 0.7) - 1)) < 1e-4 && !alike.isUndecided)
        let (low, high) = (try #require(alike.low), try #require(alike.high))
        #expect(abs(low - change) < 1e-9 && abs(high - change) < 1e-9)
        // Near the fast preset's time more bytes are needed, near the slow one's fewer.
        let apart = try found([[0.99, 0.5, 0.1], [9, 2, 1.01]], clips: 3)
        #expect(apart.isUndecided && apart.clips == 3)
        let two = try found([[0.5, 0.5], [2, 2]], clips: 2)
        #expect(two.low == nil && two.high == nil && !two.isUndecided && two.rateChange != nil)
    }

    @Test("curves of two codecs, or of other settings, are not joined, whatever their encoder")
    func families() throws {
        func device(_ codec: String) -> Variant { Variant(encoder: "vaapi", codec: codec) }
        let codecs = try report([
            (device("h264"), "h264", 0.9, [0.5]), (device("hevc"), "hevc", 0.7, [2]),
        ]).equalCost
        #expect(codecs.map(\.family.codec) == ["h264", "hevc"] && codecs.allSatisfy { $0.rateChange == nil })
        #expect(codecs.map { $0.family.name(among: codecs.map(\.family)) } == ["vaapi h264", "vaapi hevc"])
        let settings = try report([
            (Variant(encoder: "x265", preset: "fast"), "hevc", 0.9, [0.5]),
            (Variant(encoder: "x265", preset: "slow", settings: ["aq-mode=2"]), "hevc", 0.7, [2]),
            (Variant(encoder: "x265", preset: "slower"), "hevc", 0.6, [3]),
        ]).equalCost
        #expect(settings.map(\.curves) == [["x265 fast", "x265 slower"], ["x265 slow aq-mode=2"]])
        #expect(settings[0].rateChange != nil && settings[1].rateChange == nil)
        #expect(settings.map { $0.family.name(among: settings.map(\.family)) } == ["x265", "x265 aq-mode=2"])
        // A tune belongs to what is not interpolated.
        let tunes = try report([
            (Variant(encoder: "x265", preset: "fast", tune: "psnr"), "hevc", 0.9, [0.5]),
            (Variant(encoder: "x265", preset: "slow"), "hevc", 0.7, [2]),
        ]).equalCost
        #expect(tunes.count == 2 && tunes.allSatisfy { $0.rateChange == nil })
    }

    @Test(
        "without an answer at equal CPU time the reason is given, of all clips",
        arguments: [
            ([[1.5, 2], [3, 4]], "each of its curves takes more CPU time, 1.50 times as much or more"),
            ([[0.5, 0.2], [0.7, 0.3]], "each of its curves takes less CPU time, 0.70 times as much or less"),
            (
                [[1.5, 0.5], [3, 0.7]],
                "each of its curves takes more CPU time, 1.50 times as much or more; other clips have other reasons"
            ),
        ])
    func refusals(times: [[Double]], reason: String) throws {
        let presets = ["fast", "slow"]
        let found = try report(
            times.indices.map { index in
                (Variant(encoder: "x265", preset: presets[index]), "hevc", 0.8, times[index])
            }, clips: 2
        ).equalCost
        #expect(found.count == 1 && found[0].rateChange == nil && found[0].clips == 0 && found[0].between.isEmpty)
        #expect(found[0].refusal == reason, "\(found)")
    }

    @Test("one curve takes what it takes, and encodes of unequal quality are told")
    func otherRefusals() throws {
        let fast = Variant(encoder: "x265", preset: "fast")
        let one = try report([(fast, "hevc", 0.8, [1.97])]).equalCost
        #expect(one.map(\.refusal) == ["its one curve takes more CPU time, 1.97 times as much or more"])
        var unequal = try report(
            [(fast, "hevc", 0.8, [0.5]), (Variant(encoder: "x265", preset: "slow"), "hevc", 0.7, [2])],
            budget: .usual)
        #expect(unequal.equalCost.map { $0.rateChange == nil } == [false])
        var timing = try #require(unequal.timing)
        for index in timing.pairs.indices {
            let equal = try #require(timing.pairs[index].atEqualQuality)
            timing.pairs[index].atEqualQuality?.testQuality = equal.quality + 3
        }
        unequal.take(timing)
        #expect(
            unequal.equalCost.map(\.refusal) == [
                "encodes that were timed are not as good as each other; --rounds interpolates between more"
            ])
        for index in timing.pairs.indices { timing.pairs[index].atEqualQuality = nil }
        unequal.take(timing)
        #expect(unequal.equalCost.map(\.refusal) == ["not all of its curves have times"])
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
        #expect(report.equalCost.count == 1 && found.anchor == "x264 medium" && found.family.encoder == "x265")
        let change = try #require(found.rateChange)
        #expect(abs(change - (sqrt(0.9 * 0.7) - 1)) < 1e-4 && found.clips == (slowness == 1 ? 2 : 1))
        #expect(found.refusal == nil && found.curves == ["x265 fast", "x265 slow"])
        #expect(found.between == ["x265 fast", "x265 slow"])
        report.take(nil)
        #expect(report.equalCost == [] && report.timing == nil)
    }
}
