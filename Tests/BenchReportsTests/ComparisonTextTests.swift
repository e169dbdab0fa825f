// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import Glibc
import PictureQuality
import Testing

@testable import BenchReports
@testable import EncoderBench

@Suite struct ComparisonTextTests {
    private let study = Studies.study(clips: 2)

    @Test("the text says what it costs at equal quality, and what the first sight leaves out")
    func text() {
        var study = study
        study.clips[1].isLossy = true
        var measurements = Studies.measurements(study)
        measurements.failures[study.points[0]] = "no reason"
        measurements.results[study.points[0]]?.adjustments = ["less of it"]
        let text = ComparisonText(measurements.report(isInterrupted: true), isVerbose: true).text
        for part in [
            "clip0.y4m: 64x48 i420, 25.00 frames/s, 4 frames.\n",
            "x265 medium against x264 medium, which counts as 100 %:",
            "At equal quality it needs 80.0 % of the bytes (PSNR-Y, BD-rate -20.0 %)",
            "Compared from 34.10 to 44.60 dB: 100.0 % and 100.0 % of the two curves.",
            "At first sight (each library's default): 80.0 % of the bytes, but PSNR-Y is 0.00 dB higher",
            "The same with the libraries' own programs:\n  x264 in.y4m\n  x265 in.y4m\n",
            "Note: clip0.y4m: x264 medium, qp 22: less of it.",
            "x265 medium against x264 medium  PSNR-Y                    -20.0 %              -  2 of 2\n",
            "Interrupted: ", "Note: clip1.y4m: the source may have been compressed",
            "With that PSNR-Y of x264 medium's default it needs 80.0 %.",
            "Not compared: clip0.y4m, x264 medium, qp 22: no reason.", "Threads per encoder: 1. Processor: CPU.",
        ] { #expect(text.contains(part), "\(part) in\n\(text)") }
    }

    @Test("without PSNR the headline keeps the decimals and the unit of its own measure")
    func otherHeadline() throws {
        var measurements = Studies.measurements(study)
        for point in study.points { measurements.results[point]?.frames.values["mse_y"] = [nil, nil, nil, nil] }
        for point in study.points { measurements.results[point]?.frames.values["mse_cb"] = [nil, nil, nil, nil] }
        let text = ComparisonText(measurements.report(isInterrupted: false), isVerbose: true).text
        #expect(text.contains("(SSIM, BD-rate"))
        let line = try #require(text.split(separator: "\n").first { $0.contains("Compared from") })
        #expect(line.hasPrefix("  Compared from 0.9803 to 0.9941: "), "\(line)")
    }

    @Test("a point that equals its source says so")
    func lossless() {
        var measurements = Studies.measurements(study)
        let point = study.points[0]
        measurements.results[point] = Studies.result(of: point, bytes: 9000, decibels: .infinity)
        let text = ComparisonText(measurements.report(isInterrupted: false), isVerbose: true).text
        #expect(text.contains("equal          equal  1.0000\n"), "\(text)")
    }

    @Test("no line is wider than the terminal, whatever curves are called", arguments: [44, 60, 80])
    func longNames(width: Int) {
        var study = study
        study.variants[1].name = "x265 slow aq-mode=2 rd=6 psy-rd=1.0 no-sao"
        var measurements = Studies.measurements(study)
        measurements.failures[study.points[0]] =
            "a reason that takes as many words as it takes to be longer than a line"
        for isVerbose in [false, true] {
            let text = ComparisonText(measurements.report(isInterrupted: false), isVerbose: isVerbose)
            let lines = TextFold.prose(text.text(width: width), width: width).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width }, "\(lines.filter { $0.count > width })")
        }
    }

    @Test("each point is in the table at any width", arguments: [44, 60, 79, 80, 200])
    func narrow(width: Int) {
        let report = Studies.measurements(Studies.study()).report(isInterrupted: false)
        let lines = ComparisonText(report, isVerbose: false).text(width: width).split(separator: "\n")
        let table = lines.filter { $0.hasPrefix("x26") && ($0.contains("qp") || $0.contains("default")) }
        #expect(table.count % 10 == 0 && !table.isEmpty && table.allSatisfy { $0.count <= width }, "\(lines)")
    }

    // MARK: - The first screen

    @Test("the first screen has four sentences, then the table, and the rest only for those who ask")
    func firstScreen() throws {
        var report = Studies.measurements(Studies.study()).report(isInterrupted: false)
        report.timing = try Pages.report(clips: 1).timing
        // Whatever else this machine does.
        report.timing?.othersCores = 0
        let text = ComparisonText(report, isVerbose: false).text
        var rest = text[...]
        for part in [
            "clip0.y4m: 64x48 i420, 25.00 frames/s, 4 frames.\n\n",
            "At the same quality, x265 medium (H.265) needed 20.0 % fewer bytes than x264 medium (H.264); quality is "
                + "PSNR-Y, how near the brightness of the pictures is to that of their source: compared from 34.10 to "
                + "44.60 dB, and more is better.\n",
            "For that it took 2.50 times the computing (CPU time of all cores): 18.2 frames a second with 1 "
                + "thread, where x264 medium encoded 40.0.\n",
            "That is so for this clip of 64x48 and 0.2 s alone: H.265 usually saves more in larger pictures and at lower "
                + "qualities (here 20.0 % fewer in the lower half of the qualities, 20.0 % fewer in the upper), and less in small ",
            "Choose x265 medium where bytes cost more than computing and whatever plays it knows H.265, such as for files "
                + "that are kept, or sent often; choose x264 medium where encoding has to be fast or cheap, or where it "
                + "has to play everywhere.\n\nencoder      setting ", "\nqp: how coarsely the encoder rounds;",
            "--verbose",
        ] {
            let end = rest.firstRange(of: part)?.upperBound
            rest = rest[try #require(end, "\(part) is missing or too early in\n\(text)")...]
        }
        report.timing?.othersCores = 1.5
        let disturbed = ComparisonText(report, isVerbose: false).text
        #expect(disturbed.contains("encoded 40.0. Note: other processes kept 1.5 cores"))
        for part in ["BD-rate", "akima", "Lower half", "held:", "in.y4m", Verdict.claim] {
            #expect(!text.contains(part), "\(part)")
            #expect(ComparisonText(report, isVerbose: true).text.contains(part), "\(part)")
        }
        #expect(text.split(separator: "\n").count <= 22)
    }

    @Test("the first screen explains the setting that encoders are compared at unasked, and has no word of the trade")
    func rateFactors() throws {
        var study = Studies.study()
        for index in study.points.indices { study.points[index].rate.replace("qp", with: "crf") }
        var report = Studies.measurements(study).report(isInterrupted: false)
        report.timing = try Pages.report(clips: 1).timing
        let text = ComparisonText(report, isVerbose: false).text
        let meaning =
            "crf: the setting that decides the quality, on a scale of each encoder's own; a lower number is a better "
        #expect(
            text.contains("x264 medium  crf 22 ") && text.contains("\n" + meaning) && !text.contains("qp: "), "\(text)")
        for word in ["anchor", "p50"] { #expect(!text.contains(word), "\(word) in\n\(text)") }
    }

    /// The answer's sentences where x265 needs a share of x264's bytes and times as much CPU time.
    private func sentences(
        _ share: Double, cpu: Double?, clips: Int = 1, encoders: [EncoderKind] = [.x264, .x265]
    ) throws -> String {
        let study = Studies.study(clips: clips, encoders: encoders)
        var measurements = Studies.measurements(study)
        for point in study.points where point.variant == 1 {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let bytes = 1_000_000 * share * exp2(-quantizer / 6) * (1 + Double(point.clip) / 100)
            measurements.results[point] = Studies.result(of: point, bytes: Int(bytes), decibels: 60 - quantizer * 0.7)
        }
        for point in study.points where point.variant == 0 {
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            measurements.results[point] = Studies.result(
                of: point, bytes: Int(1_000_000 * exp2(-quantizer / 6)), decibels: 60 - quantizer * 0.7)
        }
        var report = measurements.report(isInterrupted: false)
        if let cpu {
            report.timing = try TimingRounds(
                rounds: 1, seed: 1, timesOwnThreads: true,
                measure: { point in
                    TimedEncode(
                        frames: 4, bytes: 9, wallSeconds: point.variant == 1 ? cpu : 1,
                        cpuSeconds: point.variant == 1 ? cpu : 1, peakResidentBytes: nil)
                },
                measureDelay: { _, _ in
                    EncodeDelay(latencies: try #require(Latencies([0.1])), framesHeld: 3, frames: 4)
                }
            ).report(measurements) { _, _ in }
        }
        return ComparisonText(report, isVerbose: false).text
    }

    @Test("what to choose follows from bytes and computing, and is not said where the answer is open")
    func choices() throws {
        let dear = try sentences(0.7, cpu: 2)
        #expect(dear.contains("30.0 % fewer bytes") && dear.contains("Choose x265 medium where bytes cost more"))
        let one = "2.0 frames a second with 1 thread, where x264 medium encoded 4.0, and 2.0 frames a second "
        #expect(dear.contains(one + "with as many threads as each library chooses, where"), "\(dear)")
        let cheap = try sentences(0.7, cpu: 0.5)
        #expect(cheap.contains("Choose x265 medium: it needs fewer bytes and no more computing."), "\(cheap)")
        let worse = try sentences(1.3, cpu: 2)
        #expect(worse.contains("30.0 % more bytes") && worse.contains("Choose x264 medium: it needs fewer bytes"))
        let faster = try sentences(1.3, cpu: 0.5)
        #expect(
            faster.contains("Choose x264 medium where bytes cost more") && faster.contains("choose x265 medium where"))
        #expect(!faster.contains("play"))
        let same = try sentences(1, cpu: 2)
        #expect(
            same.contains("Choose x264 medium, since H.264 plays everywhere, unless your own video says otherwise."))
        let unmeasured = try sentences(0.7, cpu: nil)
        #expect(unmeasured.contains("How much computing that takes was not measured."))
        #expect(unmeasured.contains("Choose x265 medium where bytes decide and whatever plays it knows H.265."))
        let unknown = try sentences(1.2, cpu: nil)
        #expect(unknown.contains("Choose x264 medium where bytes decide.") && !unknown.contains("no more computing"))
        let others = try sentences(0.7, cpu: 2, encoders: [.x264, .openh264])
        #expect(
            others.contains("alone: other video, other sizes and other qualities change it")
                && !others.contains("H.265"))
    }

    @Test("several clips have a line each, and the sentence says what they reach from and to")
    func clips() throws {
        let text = try sentences(0.7, cpu: 2, clips: 3)
        #expect(
            text.contains("That is so for these 3 clips of 64x48, which are from -30.0 % to -28.6 % each: "), "\(text)")
        #expect(text.contains("clip0.y4m  -30.0 %  34.10  44.60 dB  2.00x  2.00x\n"), "\(text)")
        #expect(text.contains("bytes: how many fewer or more at the same PSNR-Y"))
    }

    @Test("a pair without an answer says why in the first sentence")
    func noAnswer() {
        let measurements = Studies.measurements(Studies.study(quantizers: [22, 27]))
        let text = ComparisonText(measurements.report(isInterrupted: false), isVerbose: false).text
        let sentence =
            "Whether x265 medium needs fewer bytes than x264 medium at the same quality was not found: the anchor curve has "
            + "2 points, expected 4 or more.\n"
        #expect(text.contains(sentence) && text.contains("Neither can be chosen"), "\(text)")
    }
}
