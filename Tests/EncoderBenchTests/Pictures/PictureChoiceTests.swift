// SPDX-License-Identifier: MIT

import BenchStudies
import EncoderAPI
@testable import PictureQuality
import Testing

@testable import EncoderBench

@Suite struct PictureChoiceTests {
    private let study = Studies.study()

    @Test("the anchor's middle point is shown beside the test's point of the nearest bit rate")
    func points() throws {
        let choice = try #require(
            PictureChoice(clip: 0, pair: study.pairs[0], measurements: Studies.measurements(study)))
        #expect(choice.anchor.work.encoder == "x264" && ["qp 27", "qp 32"].contains(choice.anchor.rate))
        // 80 % of the bytes are nearer to the same quantizer than to one of 56 % more or 36 % less.
        #expect(choice.test.work.encoder == "x265" && choice.test.rate == choice.anchor.rate)
    }

    @Test("with rate factors the test is encoded at the one that gives the anchor's bit rate")
    func between() throws {
        var study = study
        for index in study.points.indices where !study.points[index].isDefault {
            let factor = study.points[index].work.settings.removeValue(forKey: "ConstantQuantizer")
            study.points[index].work.settings["ConstantRateFactor"] = factor
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            let factor = Double(point.work.settings["ConstantRateFactor"].flatMap(Int.init) ?? 30)
            // Half the bytes at the same factor, and a factor of 6 halves them: 6 lower for equal bit rates.
            let bytes =
                1_000_000 * (point.work.encoder == "x265" ? 0.5 : 1) / (1 << Int(factor / 6)).asDouble
                / [1, 1.122, 1.26, 1.414, 1.587, 1.782][Int(factor) % 6]
            measurements.results[point] = Studies.result(of: point, bytes: Int(bytes), decibels: 60 - factor)
        }
        let choice = try #require(PictureChoice(clip: 0, pair: study.pairs[0], measurements: measurements))
        let anchor = try #require(choice.anchor.work.settings["ConstantRateFactor"].flatMap(Double.init))
        let test = try #require(choice.test.work.settings["ConstantRateFactor"].flatMap(Double.init))
        #expect(abs(test - (anchor - 6)) <= 0.25)
        #expect(choice.test.rate == RateControl.constantRateFactor(test).label && !study.points.contains(choice.test))
    }

    @Test("with mean bit rates the test is asked for what gives the anchor's")
    func bitRates() throws {
        var study = study
        for index in study.points.indices where !study.points[index].isDefault {
            let factor = study.points[index].work.settings.removeValue(forKey: "ConstantQuantizer")
            let rate = 1 << (13 - (factor.flatMap(Int.init) ?? 0) / 5)
            study.points[index].work.settings["AverageBitRate"] = "\(rate * 1000)"
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            // x265 takes a quarter more than it was asked for.
            let asked = point.work.settings["AverageBitRate"].flatMap(Double.init) ?? 1000
            let bytes = asked * 0.16 / 8 * (point.work.encoder == "x265" ? 1.25 : 1)
            measurements.results[point] = Studies.result(of: point, bytes: Int(bytes), decibels: 40)
        }
        let choice = try #require(PictureChoice(clip: 0, pair: study.pairs[0], measurements: measurements))
        let anchor = try #require(choice.anchor.work.settings["AverageBitRate"].flatMap(Double.init))
        let test = try #require(choice.test.work.settings["AverageBitRate"].flatMap(Double.init))
        #expect(abs(test * 1.25 / anchor - 1) < 0.02)
        #expect(choice.test.rate == "\(Int(test)) bit/s")
    }

    @Test("the frame is the one of median quality, or the middle one where no frame has a score")
    func frame() {
        var table = FrameTable(bitDepth: 8)
        table.bytes = [1, 1, 1, 1, 1]
        table.types = ["i", "p", "p", "p", "p"]
        table.isSync = [true, false, false, false, false]
        table.values = ["mse_y": [9, 1, 5, 7, 3]]
        #expect(PictureChoice.typicalFrame([table, table], Score.named("psnr_y_db")) == 2)
        #expect(PictureChoice.typicalFrame([table], nil) == 2)
        table.values = ["mse_y": [0, 0, 4, 2, 0]]
        #expect(PictureChoice.typicalFrame([table], Score.named("psnr_y_db")) == 3)
    }

    @Test("the worst frame is shown beside the typical one, once where they are the same")
    func worst() throws {
        var measurements = Studies.measurements(study)
        for point in study.points where point.variant == 1 {
            // The first frame is worse than the others in x265 alone.
            measurements.results[point]?.frames.values["mse_y"]?[0] = 2000
        }
        let choice = try #require(PictureChoice(clip: 0, pair: study.pairs[0], measurements: measurements))
        #expect(choice.worst?.worstFrame == 0 && choice.frames == [choice.frame, 0] && choice.frame != 0)
        for point in study.points { measurements.results[point]?.frames.values["mse_y"] = [nil, nil, nil, nil] }
        let none = try #require(PictureChoice(clip: 0, pair: study.pairs[0], measurements: measurements))
        #expect(none.worst == nil && none.frames == [none.frame])
    }

    @Test("nothing is chosen where a curve has no points")
    func missing() {
        var measurements = Studies.measurements(study)
        for point in study.points where point.variant == 1 && !point.isDefault { measurements.results[point] = nil }
        #expect(PictureChoice(clip: 0, pair: study.pairs[0], measurements: measurements) == nil)
    }
}

extension Int {
    fileprivate var asDouble: Double { Double(self) }
}
