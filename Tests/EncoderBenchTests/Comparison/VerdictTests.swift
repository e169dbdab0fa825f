// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import PictureQuality
import Testing

@testable import EncoderBench

@Suite struct VerdictTests {
    /// A study in which x265 needs a share of x264's bytes on each clip.
    private func report(
        _ shares: [Double], quantizers: [Int] = [22, 27, 32, 37], isTurnedAround: Bool = false
    ) -> ComparisonReport {
        var study = Studies.study(clips: shares.count, quantizers: quantizers)
        if isTurnedAround { study.pairs = [Study.Pair(anchor: 1, test: 0)] }
        var measurements = Studies.measurements(study)
        for point in study.points where point.work.encoder == "x265" {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let bytes = 1_000_000 * shares[point.clip] / exponential(quantizer / 6)
            measurements.results[point] = Studies.result(of: point, bytes: Int(bytes), decibels: 60 - quantizer * 0.7)
        }
        for point in study.points where point.work.encoder == "x264" {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            measurements.results[point] = Studies.result(
                of: point, bytes: Int(1_000_000 / exponential(quantizer / 6)), decibels: 60 - quantizer * 0.7)
        }
        return measurements.report(isInterrupted: false)
    }

    private func exponential(_ value: Double) -> Double {
        // 2^value by squares of the 64th root, to need no C library.
        (0..<Int(value * 64)).reduce(1.0) { product, _ in product * 1.010889286051701 }
    }

    @Test(
        "the interval decides: all of it about half, all of it more or less, or some of both",
        arguments: [
            ([0.48, 0.5, 0.52, 0.5], Verdict.Judgement.holds), ([0.7, 0.8, 0.9, 0.75], .fails),
            ([0.3, 0.28, 0.32], .exceeded), ([0.3, 0.9, 0.5, 0.8], .undecided),
            // Of small pictures among large ones: not even the sign is known.
            ([0.85, 0.9, 0.8, 1.15], .undecided),
        ])
    func judgements(shares: [Double], judgement: Verdict.Judgement) throws {
        let verdict = try #require(report(shares).verdict)
        let finding = try #require(verdict.findings.first)
        #expect(verdict.findings.count == 1 && finding.judgement == judgement, "\(finding.sentence)")
        #expect(finding.clips == shares.count && finding.clipsCompared == shares.count)
        let share = try #require(finding.share)
        let (low, high) = (try #require(finding.low), try #require(finding.high))
        #expect(low < share && share < high)
        #expect(finding.sentence.contains("over \(shares.count) clips"))
        #expect(finding.sentence.contains("x265 medium needs \(Format.percent(share))"))
    }

    @Test("an interval that holds 100 % decides nothing, and the qualities that it is about stand beside it")
    func notDecided() throws {
        let finding = try #require(report([0.85, 0.9, 0.8, 1.15]).verdict?.findings.first)
        let (low, high) = (try #require(finding.low), try #require(finding.high))
        #expect(low > Verdict.half.upperBound && low < 1 && high > 1)
        #expect(
            finding.sentence.hasSuffix("not decided, since fewer and more are both possible"), "\(finding.sentence)")
        #expect(finding.sentence.contains("at equal PSNR-Y from 34.10 to 44.60 dB over 4 clips"))
        #expect(abs((finding.qualityLow ?? 0) - 34.1) < 1e-9 && abs((finding.qualityHigh ?? 0) - 44.6) < 1e-9)
        let half = try #require(report([0.3, 0.9, 0.5, 0.5, 0.5, 0.6]).verdict?.findings.first)
        #expect(half.high ?? 1 < 1 && half.sentence.contains("not decided, since about half and something else"))
    }

    @Test("one clip is judged for itself, within what the halves of its curves give, and for no other")
    func oneClip() throws {
        let finding = try #require(report([0.8], quantizers: [20, 24, 28, 32, 36]).verdict?.findings.first)
        #expect(finding.judgement == .fails && finding.clips == 1)
        #expect(
            finding.sentence.contains("on this clip") && finding.sentence.hasSuffix("one clip says nothing of others"))
        let clip = report([0.8], quantizers: [20, 24, 28, 32, 36]).clips[0]
        let answer = try #require(clip.pairs.first?.equalQuality.first)
        #expect(finding.low == 1 + min(answer.lowerHalf, answer.upperHalf, answer.pchip))
        #expect(finding.high == 1 + max(answer.lowerHalf, answer.upperHalf, answer.pchip))
    }

    @Test("where curves share too little quality there is no judgement, and clips without an answer are counted")
    func refusal() throws {
        let none = try #require(report([0.5, 0.5], quantizers: [30]).verdict?.findings.first)
        #expect(none.judgement == .refused && none.share == nil && none.clipsCompared == 2)
        #expect(none.sentence.contains("no answer"))
        let study = Studies.study(clips: 2)
        var measurements = Studies.measurements(study)
        for point in study.points where point.clip == 1 && point.variant == 1 {
            measurements.results[point] = Studies.result(of: point, bytes: 100, decibels: 90)
        }
        let some = try #require(measurements.report(isInterrupted: false).verdict?.findings.first)
        #expect(some.clips == 1 && some.clipsCompared == 2 && some.sentence.contains("on 1 of 2 clips"))
    }

    @Test("all clips of the report are counted, also those that lack a curve")
    func denominator() throws {
        let study = Studies.study(clips: 4)
        var measurements = Studies.measurements(study)
        for point in study.points where point.clip == 3 && point.variant == 1 { measurements.results[point] = nil }
        let report = measurements.report(isInterrupted: false)
        let finding = try #require(report.verdict?.findings.first)
        #expect(report.clips.map(\.pairs.count) == [1, 1, 1, 0] && finding.clips == 3 && finding.clipsCompared == 4)
        #expect(finding.sentence.contains("over 3 of 4 clips"))
    }

    @Test("without an answer the sentence says why: too few points, missing ones, or curves that share too little")
    func reasons() throws {
        func sentence(_ measurements: Measurements) throws -> String {
            let finding = try #require(measurements.report(isInterrupted: false).verdict?.findings.first)
            #expect(finding.judgement == .refused && finding.share == nil)
            return finding.sentence
        }
        let start = "x265 medium against x264 medium: no answer at equal PSNR-Y: "
        let few = try sentence(Studies.measurements(Studies.study(quantizers: [22, 27])))
        #expect(few == start + "the anchor curve has 2 points, expected 4 or more")
        let study = Studies.study(clips: 2)
        var missing = Studies.measurements(study)
        for point in study.points where point.variant == 1 && point.rate != "qp 22" { missing.results[point] = nil }
        let reason = "3 of 4 points of x265 medium are missing; 4 or more are needed"
        #expect(try sentence(missing) == start + reason)
        #expect(missing.clip(0)?.pairs.first?.refusals.first == "PSNR-Y: " + reason)
        for point in study.points where point.variant == 1 && point.clip == 0 { missing.results[point] = nil }
        #expect(try sentence(missing) == start + "a curve has no points; other clips have other reasons")
        var apart = Studies.measurements(study)
        for point in study.points where point.variant == 1 {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let bytes = Int(4000 - 90 * quantizer)
            apart.results[point] = Studies.result(of: point, bytes: bytes, decibels: 90 - quantizer)
        }
        #expect(try sentence(apart).hasPrefix(start + "the curves share only 0 % and 0 % of their quality ranges"))
    }

    @Test("curves of files are judged by their codecs, where each has one")
    func files() throws {
        func report(_ codecs: [String]) -> ComparisonReport {
            var study = Studies.study()
            for index in study.points.indices {
                study.points[index].work.codec = codecs[(study.points[index].variant * 2) + (index % 2)]
            }
            return Studies.measurements(study).report(isInterrupted: false)
        }
        #expect(report(["h264", "h264", "hevc", "hevc"]).verdict?.findings.count == 1)
        #expect(report(["h264", "mpeg4", "hevc", "hevc"]).verdict == nil)
        #expect(report(["h264", "h264", "hevc", "av1"]).verdict == nil)
    }

    @Test("clips of which nothing is known yet count too")
    func missingClips() throws {
        let study = Studies.study(clips: 3)
        var measurements = Studies.measurements(study)
        for point in study.points where point.clip > 0 { measurements.results[point] = nil }
        let finding = try #require(measurements.report(isInterrupted: true).verdict?.findings.first)
        #expect(finding.clips == 1 && finding.clipsCompared == 3)
        #expect(finding.sentence.contains("on 1 of 3 clips"), "\(finding.sentence)")
    }

    @Test("nothing is said where H.265 is not held against H.264")
    func otherPairs() {
        let study = Studies.study(encoders: [.x264, .openh264])
        #expect(Studies.measurements(study).report(isInterrupted: false).verdict == nil)
    }

    @Test("H.265 as the anchor is judged as where it is held against H.264", arguments: [1, 4])
    func turnedAround(clips: Int) throws {
        let shares = [0.8, 0.7, 0.75, 0.9].prefix(clips)
        let finding = try #require(report(Array(shares)).verdict?.findings.first)
        let other = try #require(report(Array(shares), isTurnedAround: true).verdict?.findings.first)
        #expect(other.h264 == "x264 medium" && other.h265 == "x265 medium" && other.judgement == .fails)
        for value in [\Verdict.Finding.share, \.low, \.high, \.qualityLow, \.qualityHigh] {
            let (one, two) = (try #require(finding[keyPath: value]), try #require(other[keyPath: value]))
            #expect(abs(one - two) < 1e-9)
        }
        #expect(other.sentence == finding.sentence)
    }

    @Test("an answer that is turned around and again is itself, and its shares are inverse")
    func inverse() throws {
        let answer = try #require(report([0.8]).clips[0].pairs.first?.equalQuality.first)
        let turned = answer.turnedAround
        #expect(abs((1 + turned.pchip) * (1 + answer.pchip) - 1) < 1e-12 && turned.anchorShare == answer.testShare)
        #expect(abs(turned.turnedAround.lowerHalf - answer.lowerHalf) < 1e-12)
        let own = try #require(report([0.8], isTurnedAround: true).clips[0].pairs.first?.equalQuality.first)
        for value in [\PairComparison.EqualQuality.pchip, \.akima, \.lowerHalf, \.upperHalf] {
            #expect(abs(own[keyPath: value] - turned[keyPath: value]) < 1e-9)
        }
    }

    @Test("several clips have the qualities that all of them were compared at, or none")
    func sharedQualities() throws {
        func finding(_ shift: Double) throws -> Verdict.Finding {
            let study = Studies.study(clips: 2)
            var measurements = Studies.measurements(study)
            for point in study.points where point.clip == 1 {
                let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
                let bytes = 100_000 * (point.variant == 1 ? 0.8 : 1) / exponential(quantizer / 6)
                measurements.results[point] = Studies.result(
                    of: point, bytes: Int(bytes), decibels: 60 + shift - quantizer * 0.7)
            }
            return try #require(measurements.report(isInterrupted: false).verdict?.findings.first)
        }
        let near = try finding(2)
        #expect(abs((near.sharedQualityLow ?? 0) - 36.1) < 1e-9 && abs((near.sharedQualityHigh ?? 0) - 44.6) < 1e-9)
        #expect(abs((near.qualityLow ?? 0) - 34.1) < 1e-9 && abs((near.qualityHigh ?? 0) - 46.6) < 1e-9)
        #expect(near.sentence.contains("at equal PSNR-Y from 36.10 to 44.60 dB"), "\(near.sentence)")
        let far = try finding(20)
        #expect(far.sharedQualityLow == nil && far.sharedQualityHigh == nil && far.clips == 2)
        #expect(far.sentence.contains("at equal PSNR-Y, each clip's own, on 2 clips"), "\(far.sentence)")
    }
}
