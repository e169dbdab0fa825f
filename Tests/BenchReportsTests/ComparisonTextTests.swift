// SPDX-License-Identifier: MIT

import BenchReports
import BenchStudies
import EncoderBench
import PictureQuality
import Testing

@Suite struct ComparisonTextTests {
    private let study = Studies.study(clips: 2)

    @Test("the text says what it costs at equal quality, and what the first sight leaves out")
    func text() {
        var study = study
        study.clips[1].isLossy = true
        var measurements = Studies.measurements(study)
        measurements.failures[study.points[0]] = "no reason"
        measurements.results[study.points[0]]?.adjustments = ["less of it"]
        let text = ComparisonText(study: study).text(measurements.report(isInterrupted: true))
        for part in [
            "clip0.y4m: 64x48 i420, 25.00 frames/s, 4 frames\n",
            "x265 medium against x264 medium, which counts as 100 %:",
            "At equal quality it needs 80.0 % of the bytes (PSNR-Y, BD-rate -20.0 %)",
            "Compared from 34.10 to 44.60 dB: 100.0 % and 100.0 % of the two curves.",
            "At first sight (each library's default): 80.0 % of the bytes, but PSNR-Y is 0.00 dB higher",
            "The same with the libraries' own programs:\n  x264 in.y4m\n  x265 in.y4m\n",
            "Note: the source may have been compressed with loss", "Note: clip0.y4m: x264 medium, qp 22: less of it.",
            "x265 medium against x264 medium  PSNR-Y                    -20.0 %              -  2 of 2\n",
            "Interrupted: ",
            "With that PSNR-Y of x264 medium's default it needs 80.0 %.",
            "Not compared: clip0.y4m, x264 medium, qp 22: no reason.", "Threads per encoder: 1. Processor: CPU.",
        ] { #expect(text.contains(part), "\(part) in\n\(text)") }
    }

    @Test("without PSNR the headline keeps the decimals and the unit of its own measure")
    func otherHeadline() throws {
        var measurements = Studies.measurements(study)
        for point in study.points { measurements.results[point]?.frames.values["mse_y"] = [nil, nil, nil, nil] }
        for point in study.points { measurements.results[point]?.frames.values["mse_cb"] = [nil, nil, nil, nil] }
        let text = ComparisonText(study: study).text(measurements.report(isInterrupted: false))
        #expect(text.contains("(SSIM, BD-rate"))
        let line = try #require(text.split(separator: "\n").first { $0.contains("Compared from") })
        #expect(line.hasPrefix("  Compared from 0.9803 to 0.9941: "), "\(line)")
    }

    @Test("a point that equals its source says so")
    func lossless() {
        var measurements = Studies.measurements(study)
        let point = study.points[0]
        measurements.results[point] = Studies.result(of: point, bytes: 9000, decibels: .infinity)
        let text = ComparisonText(study: study).text(measurements.report(isInterrupted: false))
        #expect(text.contains("equal          equal  1.0000\n"), "\(text)")
    }

    @Test("no line is wider than the terminal, whatever curves are called", arguments: [44, 60, 80])
    func longNames(width: Int) {
        var study = study
        study.variants[1].name = "x265 slow aq-mode=2 rd=6 psy-rd=1.0 no-sao"
        let text = ComparisonText(study: study, width: width)
        var measurements = Studies.measurements(study)
        measurements.failures[study.points[0]] =
            "a reason that takes as many words as it takes to be longer than a line"
        let lines = text.text(measurements.report(isInterrupted: false)).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines.filter { $0.count > width })")
    }

    @Test("no line of a table is wider than the terminal, down to 44 characters", arguments: [44, 60, 79, 80, 200])
    func narrow(width: Int) {
        let report = Studies.measurements(study).report(isInterrupted: false)
        let lines = ComparisonText(study: study, width: width).text(report).split(separator: "\n")
        let table = lines.prefix { $0 != "All clips" }.filter {
            $0.hasPrefix("x26") && !$0.contains("against") || $0.hasPrefix("encoder")
        }
        #expect(table.count == 22 && table.allSatisfy { $0.count <= width })
        #expect(table.allSatisfy { $0.contains("qp") || $0.contains("default") || $0.contains("rate") })
    }
}
