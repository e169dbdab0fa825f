// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import PictureQuality
import Testing

@testable import EncoderBench

@Suite struct ComparisonReportTests {
    @Test("a curve of 80 % of the rate at every quality needs 80 %, by every measure, join and half")
    func share() throws {
        let study = Studies.study(clips: 2, metrics: Metric.all)
        let report = Studies.measurements(study).report(isInterrupted: false)
        #expect(report.clips.count == 2 && report.failures.isEmpty && report.processors == ["CPU"])
        for clip in report.clips {
            #expect(clip.points.count == 10 && clip.frames == 4 && clip.framesPerSecond == 25)
            let pair = try #require(clip.pairs.first)
            #expect(pair.anchor == "x264 medium" && pair.test == "x265 medium" && pair.refusals.isEmpty)
            #expect(pair.equalQuality.map(\.score) == Metric.all.scores.compared.map(\.id))
            for result in pair.equalQuality {
                for change in [result.pchip, result.akima, result.cubic, result.lowerHalf, result.upperHalf] {
                    #expect(abs(change + 0.2) < 1e-3, "\(result.score)")
                }
                #expect(abs(result.anchorShare - 1) < 1e-9)
            }
            let naive = try #require(pair.atDefaults)
            #expect(abs(naive.sizeRatio - 0.8) < 1e-3 && abs(naive.scoreDifference) < 1e-9)
            #expect(abs(try #require(naive.sizeRatioAtEqualScore) - 0.8) < 0.01)
        }
        let overall = try #require(report.overall.first)
        #expect(overall.clips == 2 && abs(overall.rateChange + 0.2) < 1e-3 && overall.score == "psnr_y_db")
    }

    @Test("without four points there is no answer at equal quality, and the reason is given")
    func tooFewPoints() throws {
        let report = Studies.measurements(Studies.study(quantizers: [22, 27])).report(isInterrupted: false)
        let pair = try #require(report.clips.first?.pairs.first)
        #expect(
            pair.equalQuality.isEmpty && pair.refusals.count == Metric.usual.scores.compared.count
                && report.overall.isEmpty)
        #expect(pair.refusals[0] == "PSNR-Y: the anchor curve has 2 points, expected 4 or more")
    }

    @Test("a point that equals its source is on no curve, and its ratio is null")
    func lossless() throws {
        let study = Studies.study(quantizers: [0, 22, 27, 32, 37])
        var measurements = Studies.measurements(study)
        measurements.results[study.points[0]] = Studies.result(of: study.points[0], bytes: 900_000, decibels: .infinity)
        let report = measurements.report(isInterrupted: false)
        let scores = try #require(report.clips.first?.points.first?.scores)
        #expect(scores["psnr_y_db"] == .some(nil) && scores["ssim_y"] == 1)
        let answer = try #require(report.clips.first?.pairs.first?.equalQuality.first)
        #expect(answer.overlapHigh < 50)
    }

    @Test("the rate of a clip is the one that its times show, and the stated one where that is the same")
    func frameRate() {
        for (stated, shown) in [(25.1, 25.0), (25 + 1e-10, 25 + 1e-10), (24, 25), (50, 25)] {
            var study = Studies.study()
            study.clips[0].framesPerSecond = stated
            #expect(Studies.measurements(study).clip(0)?.framesPerSecond == shown)
        }
    }

    @Test("why a library's program cannot do the same is told once for a clip")
    func obstacle() throws {
        let study = Studies.study()
        var measurements = Studies.measurements(study)
        #expect(measurements.clip(0)?.programObstacle == nil)
        for point in study.points where point.variant == 0 {
            measurements.results[point]?.command = nil
            measurements.results[point]?.commandObstacle = "the x264 program cannot"
        }
        #expect(measurements.clip(0)?.programObstacle == "the x264 program cannot")
    }

    @Test("a source compressed with loss is noted, and so are the points above half of its rate")
    func lossySource() {
        var study = Studies.study()
        #expect(Studies.measurements(study).clip(0)?.notes.isEmpty == true)
        study.clips[0].isLossy = true
        study.clips[0].bitsPerSecond = 2 * 8 * 7000 * 100 / 16
        let notes = Studies.measurements(study).clip(0)?.notes ?? []
        #expect(notes.count == 2)
        #expect(notes.last?.hasSuffix("where differences vanish: x264 medium qp 22") == true, "\(notes)")
    }

    @Test("what a session did otherwise is noted once, with the points it is about")
    func adjustments() {
        let study = Studies.study(clips: 3)
        var measurements = Studies.measurements(study)
        for point in study.points {
            if point.variant == 1 { measurements.results[point]?.adjustments.append("all of one") }
            if point.clip == 1 { measurements.results[point]?.adjustments.append("one clip") }
            if point.clip != 1, point.variant == 0 { measurements.results[point]?.adjustments.append("some") }
            if point.rate == "qp 22" { measurements.results[point]?.adjustments.append("one of each") }
        }
        #expect(
            Set(measurements.report(isInterrupted: false).notes) == [
                "x265 medium: all of one", "clip1.y4m: one clip", "clip0.y4m, clip2.y4m: x264 medium: some",
                "x264 medium, qp 22; x265 medium, qp 22: one of each",
            ])
    }

    @Test("a clip that failed has one line, an encode that failed its own")
    func failures() {
        let study = Studies.study(clips: 2)
        var measurements = Studies.measurements(study)
        for point in study.points(ofClip: 0) {
            measurements.results[point] = nil
            measurements.failures[point] = "cut"
        }
        let single = study.points(ofClip: 1)[3]
        measurements.results[single] = nil
        measurements.failures[single] = "no"
        let report = measurements.report(isInterrupted: true)
        #expect(
            report.failures == [
                Study.Failure(clip: "clip0.y4m", point: nil, reason: "cut"),
                Study.Failure(clip: "clip1.y4m", point: "x264 medium, qp 37", reason: "no"),
            ])
        #expect(report.clips.map(\.name) == ["clip1.y4m"] && report.isInterrupted)
    }

    @Test("the first sight is set right by what the curve needs for the anchor's quality")
    func naive() throws {
        let study = Studies.study()
        var measurements = Studies.measurements(study)
        let last = try #require(study.points.last)
        // Half as large, and 3 dB worse.
        measurements.results[last] = Studies.result(of: last, bytes: 1563, decibels: 36)
        let pair = try #require(measurements.clip(0)?.pairs.first)
        #expect(abs(try #require(pair.atDefaults).sizeRatio - 0.5) < 0.01)
        #expect(abs(try #require(pair.atDefaults).scoreDifference + 3) < 1e-9)
        #expect(abs(try #require(pair.atDefaults?.sizeRatioAtEqualScore) - 0.8) < 0.01)
    }

    @Test("the interval over clips holds the mean, shrinks with clips, and needs three of them")
    func interval() throws {
        #expect(PairComparison.interval([0.7, 0.9]) == nil)
        let few = try #require(PairComparison.interval([0.6, 0.8, 1]))
        let many = try #require(PairComparison.interval(Array(repeating: [0.6, 0.8, 1], count: 20).flatMap { $0 }))
        let mean = try #require(PairComparison.geometricMean([0.6, 0.8, 1]))
        #expect(few.contains(mean) && many.contains(mean))
        #expect(many.upperBound - many.lowerBound < (few.upperBound - few.lowerBound) / 3)
        let report = Studies.measurements(Studies.study(clips: 3)).report(isInterrupted: false)
        #expect(abs(try #require(report.overall.first?.low) + 0.2) < 1e-3)
    }

    @Test("geometric means let doubling and halving cancel out")
    func geometricMean() throws {
        #expect(abs(try #require(PairComparison.geometricMean([2, 0.5])) - 1) < 1e-12)
        #expect(PairComparison.geometricMean([]) == nil)
        #expect(PairComparison.geometricMean([1, 0]) == nil)
    }
}

@Suite struct MergeTests {
    @Test("results in any order, with others among them, give the measurements of one run")
    func merge() throws {
        let study = Studies.study(clips: 2)
        var results = study.points.map { Studies.result(of: $0) }
        results.append(Studies.result(of: Studies.study(quantizers: [11]).points[0]))
        let merge = try Merge(study: study, results: results.reversed())
        #expect(merge.missing.isEmpty)
        #expect(
            merge.measurements.report(isInterrupted: false) == Studies.measurements(study).report(isInterrupted: false))
    }

    @Test("points that are missing are named by their indices")
    func missing() throws {
        let study = Studies.study()
        let results = study.points.map { Studies.result(of: $0) }
        let merge = try Merge(study: study, results: Array(results.dropFirst(2).dropLast()))
        #expect(merge.missing == [0, 1, study.points.count - 1])
        let failures = merge.measurements.report(isInterrupted: false).failures
        #expect(failures.map(\.point) == ["x264 medium, qp 22", "x264 medium, qp 27", "x265 medium, default"])
        #expect(failures.allSatisfy { $0.clip == "clip0.y4m" && $0.reason == "there is no result yet" })
    }

    @Test("builds of one library that differ are refused by name, processors that differ are not")
    func builds() throws {
        let study = Studies.study()
        var results = study.points.map { Studies.result(of: $0) }
        results[1].processor = "another CPU"
        results[1].build.features = "sse2"
        let merge = try Merge(study: study, results: results)
        #expect(merge.measurements.report(isInterrupted: false).processors == ["CPU", "another CPU"])
        #expect(
            merge.notes == [
                "points of x264 were made on processors of different features, by which it chooses code: "
                    + "4 with avx2, 1 with sse2"
            ])
        results[2].build.library = "lib 2"
        let error = #expect(throws: EncoderBenchError.self) { try Merge(study: study, results: results) }
        #expect(error?.description.contains("x264 were made with lib 1 and with lib 2") == true)
    }
}

@Suite struct MergeFeatureTests {
    @Test("of two results of one point the one counts whose features most others have, in whatever order they come")
    func commonFeatures() throws {
        let study = Studies.study()
        let results = study.points.map { Studies.result(of: $0) }
        var other = results[0]
        other.build.features = "avx2 avx512f"
        other.seconds = 1
        for all in [results + [other], [other] + results] {
            let merge = try Merge(study: study, results: all)
            #expect(merge.measurements.results[study.points[0]] == results[0] && merge.notes.isEmpty)
        }
    }
}

@Suite struct SmallPictureTests {
    @Test("where pictures are too small for a metric, that is what the refusal says")
    func tooSmall() throws {
        let study = Studies.study(metrics: [.multiScaleSimilarity, .squaredError])
        var measurements = Studies.measurements(study)
        for point in study.points { measurements.results[point]?.frames.values["ms_ssim_y"] = [nil, nil, nil, nil] }
        let pair = try #require(measurements.report(isInterrupted: false).clips.first?.pairs.first)
        let reason = "the pictures are too small, expected 176 samples or more on each side"
        #expect(pair.refusals.contains("MS-SSIM: \(reason)") && pair.refusals.contains("MS-SSIM dB: \(reason)"))
        #expect(!pair.refusals.contains { $0.contains("0 points") } && pair.equalQuality.count == 2)
    }
}
