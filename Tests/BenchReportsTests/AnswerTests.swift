// SPDX-License-Identifier: MIT

import BenchStudies
import PictureQuality
import Testing

@testable import BenchReports
@testable import EncoderBench

/// What stands on a first screen of pairs that are not the usual one.
@Suite struct AnswerTests {
    private func first(_ report: ComparisonReport) -> String { ComparisonText(report, isVerbose: false).text }

    private func times(
        _ measurements: Measurements, _ cpu: @escaping (PointSpec) -> Double
    ) throws -> TimingReport? {
        try TimingRounds(
            rounds: 1, seed: 1,
            measure: { point in
                let time = cpu(point)
                return TimedEncode(frames: 4, bytes: 9, wallSeconds: time, cpuSeconds: time, peakResidentBytes: nil)
            },
            measureDelay: { _, _ in
                EncodeDelay(latencies: try #require(Latencies([0.1])), framesHeld: 3, frames: 4)
            }
        ).report(measurements) { _, _ in }
    }

    @Test("where H.265 is the anchor the sentences name the codecs all the same, and H.265 is what players must know")
    func turnedAround() throws {
        var study = Studies.study()
        study.pairs = [Study.Pair(anchor: 1, test: 0)]
        let measurements = Studies.measurements(study)
        var report = measurements.report(isInterrupted: false)
        var text = first(report)
        #expect(
            text.contains("x264 medium (H.264) needed 25.0 % more bytes than x265 medium (H.265)"), "\(text)")
        #expect(text.contains("Choose x265 medium where bytes decide and whatever plays it knows H.265."))
        report.take(try times(measurements) { $0.variant == 0 ? 1 : 2 })
        text = first(report)
        #expect(text.contains("For that it took 0.50 times the computing"), "\(text)")
        #expect(text.contains("computing and whatever plays it knows H.265, such as"), "\(text)")
        #expect(text.contains("sent often; choose x264 medium where encoding has to be"), "\(text)")
        #expect(text.contains("H.265 usually saves more") && text.contains("play everywhere."))
        #expect(report.verdict?.findings.map(\.h264) == ["x264 medium"])
    }

    @Test("of several pairs the first alone says what the measure of quality is")
    func explainedOnce() {
        var study = Studies.study()
        study.pairs = [Study.Pair(anchor: 0, test: 1), Study.Pair(anchor: 1, test: 0)]
        let text = first(Studies.measurements(study).report(isInterrupted: false))
        #expect(text.ranges(of: "At the same quality, ").count == 2)
        #expect(text.ranges(of: "how near the brightness of the pictures is").count == 1, "\(text)")
        #expect(text.ranges(of: "; PSNR-Y was compared from ").count == 1)
    }

    @Test("a curve whose name has its codec is not given it once more")
    func namedCodec() throws {
        var study = Studies.study()
        (study.variants[0].name, study.variants[1].name) = ("H.264 live", "H.265 live medium")
        let text = first(Studies.measurements(study).report(isInterrupted: false))
        #expect(text.contains("H.265 live medium needed 20.0 % fewer bytes than H.264 live;"), "\(text)")
    }

    @Test("computing is told of the clips that bytes are told of")
    func otherClips() throws {
        let study = Studies.study(clips: 2)
        var measurements = Studies.measurements(study)
        for point in study.points where point.clip == 1 && point.variant == 1 && point.rate != "qp 22" {
            measurements.results[point] = nil
        }
        var report = measurements.report(isInterrupted: false)
        report.take(try times(measurements) { $0.variant == 0 ? 1 : $0.clip == 1 ? 50 : 2 })
        #expect(report.timing?.pairs.count == 2 && report.overall.first?.clips == 1)
        #expect(first(report).contains("For that it took 2.00 times the computing"), "\(first(report))")
    }

    @Test("interrupted times, and clips that were decoded meanwhile, are told on the first screen")
    func caveats() throws {
        let measurements = Studies.measurements(Studies.study())
        var report = measurements.report(isInterrupted: false)
        report.take(try times(measurements) { _ in 1 })
        #expect(!first(report).contains("interrupted") && !first(report).contains("no room to decode"))
        report.timing?.finishedRounds = 2
        report.timing?.plannedRounds = 6
        report.timing?.entries[0].isDecodedMeanwhile = true
        #expect(first(report).contains("Times were interrupted: 2 of 6 rounds were finished"), "\(first(report))")
        #expect(first(report).contains("Note: clip0.y4m: there was no room to decode it before"))
    }

    @Test("several clips have the qualities that all of them share, and the table has each one's own")
    func qualities() throws {
        func text(_ shift: Double) -> String {
            let study = Studies.study(clips: 2)
            var measurements = Studies.measurements(study)
            for point in study.points where point.clip == 1 {
                let usual = Studies.result(of: point)
                let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
                measurements.results[point] = Studies.result(
                    of: point, bytes: usual.byteCount, decibels: 60 + shift - quantizer * 0.7)
            }
            return first(measurements.report(isInterrupted: false))
        }
        #expect(text(2).contains("compared from 36.10 to 44.60 dB, and more is better."), "\(text(2))")
        #expect(
            text(20).contains("compared over each clip's own range, which the table has, and more is better."),
            "\(text(20))")
        #expect(text(2).contains("clip1.y4m  -20.0 %  36.10  46.60 dB"), "\(text(2))")
    }

    @Test("groups have a table behind that of clips, and an interval that holds no change says that it is not decided")
    func groups() throws {
        var study = Studies.study(clips: 4)
        for index in study.clips.indices { study.clips[index].groups = [index < 3 ? "screen" : "film"] }
        (study.clips[3].width, study.clips[3].height) = (1920, 1080)
        var report = Studies.measurements(study).report(isInterrupted: false)
        for index in report.groups[0].answers.indices {
            report.groups[0].answers[index].low = -0.3
            report.groups[0].answers[index].high = 0.05
        }
        let text = first(report).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for line in [
            " screen -20.0 % -30.0 % to +5.0 %, not decided 3 of 3 film -20.0 % - 1 of 1 ",
            " up to 320x240 -20.0 % -20.0 % to -20.0 % 3 of 3 over 1280x720, up to 1920x1080 -20.0 % - 1 of 1 ",
        ] { #expect(text.contains(line), "\(line) in\n\(text)") }
        for index in report.overall.indices { report.overall[index].high = 0.05 }
        #expect(ComparisonText(report, isVerbose: true).text.contains("to +5.0 %, not decided"))
        #expect(ComparisonPage(report: report).html.contains(", not decided"))
    }

    @Test("why there is no answer at equal CPU time is told of several curves first, of single ones behind the times")
    func equalCost() throws {
        var report = try Pages.report(clips: 1)
        report.take(report.timing)
        let start = "What x265 needs at the same CPU time as x264 medium is not known: "
        let single = start + "its one curve takes more CPU time, 2.50 times as much or more."
        let verbose = ComparisonText(report, isVerbose: true).text
        #expect(!first(report).contains("same CPU time") && verbose.contains(single), "\(verbose)")
        report.equalCost[0].curves.append("x265 slow")
        report.equalCost[0].refusal = "each of its curves takes more"
        #expect(first(report).contains(start + "each of its curves takes more.\n"))
        report.equalCost[0].rateChange = -0.25
        report.equalCost[0].between = ["x265 medium", "x265 slow"]
        report.equalCost[0].clips = 1
        let answer = "x265 needs 75.0 % of the bytes, between x265 medium and x265 slow.\n"
        #expect(first(report).contains("At the same CPU time as x264 medium, " + answer), "\(first(report))")
        report.equalCost[0].between = ["x265 fast", "x265 medium", "x265 slow"]
        let several = "75.0 % of the bytes, on each clip between two of x265 fast, x265 medium and x265 slow.\n"
        #expect(first(report).contains(several))
        (report.equalCost[0].low, report.equalCost[0].high) = (-0.5, -0.01)
        let decided = "x265 needs 75.0 % of the bytes, 95 % interval 50.0 % to 99.0 %, on each clip between"
        #expect(first(report).contains(decided))
        report.equalCost[0].high = 0.01
        #expect(first(report).contains("95 % interval 50.0 % to 101.0 %, which is not decided, on each"))
    }
}
