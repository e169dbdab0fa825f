// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import EncoderAPI
import Glibc
import PictureQuality
import Testing

@testable import EncoderBench

@Suite struct KeyFrameReportTests {
    /// A report on a clip of four frames, the third of which is forced in encodes at some quantizers; the encode
    /// without is at 30.
    private func report(
        forced: [(quantizer: Int, bytes: Int, decibels: Double)], plain: (bytes: Int, decibels: Double)
    ) throws -> KeyFrameReport {
        var study = Studies.study(encoders: [.x264], quantizers: [30])
        let template = study.points[0]
        study.points = [template]
        var answers = Answers<KeyFrameResult>(study: study, failures: [])
        func add(_ point: PointSpec, bytes: Int, decibels: Double) {
            let flags = [true, false, !point.work.forcedKeyFrames.isEmpty, false]
            answers.results[point] = KeyFrameResult(
                measured: Studies.result(of: point, bytes: bytes, decibels: decibels),
                seconds: [0, 0.04, 0.08, 0.12], isIDR: flags, isRandomAccess: flags)
        }
        add(template, bytes: plain.bytes, decibels: plain.decibels)
        for encode in forced {
            var point = template
            point.work.forcedKeyFrames = [2]
            point.work.settings["ConstantQuantizer"] = "\(encode.quantizer)"
            point.rate = "qp \(encode.quantizer), key frames forced"
            answers.study.points.append(point)
            add(point, bytes: encode.bytes, decibels: encode.decibels)
        }
        return try KeyFrameReport(answers)
    }

    @Test("bytes at equal quality lie between the two encodes next to it, whichever side the same setting is on")
    func interpolation() throws {
        let better = try report(
            forced: [(30, 1000, 41), (29, 1300, 42), (31, 800, 39)], plain: (900, 40))
        let entry = try #require(better.entries.first)
        #expect(better.entries.count == 1 && entry.bytes == 1000 && entry.rate == "qp 30")
        #expect(entry.equalQualityRates == ["qp 30", "qp 31"])
        #expect(abs((entry.bytesAtEqualQuality ?? 0) - sqrt(1000.0 * 800)) < 1e-6)
        let worse = try report(forced: [(30, 1000, 39), (29, 1300, 43), (31, 800, 38)], plain: (900, 40))
        #expect(worse.entries[0].equalQualityRates == ["qp 29", "qp 30"])
        #expect(abs((worse.entries[0].bytesAtEqualQuality ?? 0) - 1000 * pow(1.3, 0.25)) < 1e-6)
    }

    @Test("without encodes around the quality, or with pictures that equal their sources, there is no such number")
    func none() throws {
        for (forced, plain) in [
            ([(30, 1000, 41), (29, 1300, 42)], 40.0), ([(30, 1000, 39)], 40), ([(30, 1000, 39), (29, 900, 41)], 40),
            ([(30, 1000, 41), (31, 800, 39)], .infinity), ([(30, 1000, .infinity), (31, 800, 39)], 40),
        ] as [([(Int, Int, Double)], Double)] {
            let entry = try #require(
                try report(forced: forced.map { ($0.0, $0.1, $0.2) }, plain: (900, plain)).entries.first)
            #expect(entry.bytesAtEqualQuality == nil && entry.equalQualityRates == [])
        }
    }

    @Test("an encode without forced key frames has neighbors on both sides, as far as the range goes")
    func neighbors() {
        func factors(_ values: Double...) -> [RateControl] { values.map(RateControl.constantRateFactor) }
        func averages(_ values: Int...) -> [RateControl] { values.map(RateControl.averageBitRate) }
        let rows: [(RateControl, [RateControl])] = [
            (.constantRateFactor(23.5), factors(19.5, 22.5, 24.5, 27.5)), (.constantRateFactor(0), factors(1, 4)),
            (.constantQuantizer(50), [46, 49, 51].map(RateControl.constantQuantizer)),
            (.quality(1), [0.95, 0.8].map(RateControl.quality)),
            (.averageBitRate(1_000_000), averages(1_400_000, 1_100_000, 900_000, 600_000)),
            (.averageBitRate(1500), averages(2000, 1000)), (.averageBitRate(1000), []),
            (.averageBitRate(1_000_000_000), averages(900_000_000, 600_000_000)),
            (.automatic, factors(19, 22, 24, 27)),
        ]
        for (rate, expected) in rows { #expect(rate.neighbors(of: .x264) == expected, "\(rate)") }
        #expect(RateControl.automatic.neighbors(of: .x265) == factors(24, 27, 29, 32))
        #expect(RateControl.automatic.neighbors(of: .openh264).isEmpty)
    }
}
