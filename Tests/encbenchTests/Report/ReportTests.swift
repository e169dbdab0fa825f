// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import FoundationEssentials
import PictureQuality
import Synchronization
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct TextTableTests {
    @Test("words are aligned to the left, numbers to the right, and lines have no trailing blanks")
    func alignment() {
        var table = TextTable([.words("name"), .number("bytes"), .words("note")])
        table.add(["x264", "12", ""])
        table.add(["a longer one", "123456", "ok"])
        #expect(
            table.text == """
                name           bytes  note
                ------------  ------  ----
                x264              12
                a longer one  123456  ok

                """)
    }

    @Test("where lines have no room, words go on below, and then columns in a further table with the same words")
    func folding() {
        var table = TextTable([.words("name"), .number("bytes"), .words("note")])
        table.add(["x264", "12", "all of this is said"])
        #expect(
            table.text(width: 25) == """
                name  bytes  note
                ----  -----  ------------
                x264     12  all of this
                             is said

                """)
        table = TextTable([.words("name"), .number("bytes"), .number("frames"), .number("PSNR-Y")])
        table.add(["x264 medium", "123456", "12", "40.00"])
        #expect(
            table.text(width: 28) == """
                name          bytes  frames
                -----------  ------  ------
                x264 medium  123456      12

                name         PSNR-Y
                -----------  ------
                x264 medium   40.00

                """)
    }

    @Test("no line is wider than the terminal, and no cell is lost", arguments: [40, 60, 80])
    func widths(width: Int) {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let columns = (0..<Int.random(in: 1...10, using: &random)).map { index in
                index == 0 || Bool.random(using: &random)
                    ? TextTable.Column.words("words \(index)") : .number("number \(index)")
            }
            var table = TextTable(columns)
            let row = columns.indices.map { index in
                columns[index].isNumber
                    ? "\(index)000\(index)"
                    : (0..<Int.random(in: 1...12, using: &random)).map { "w\(index)n\($0)" }.joined(separator: " ")
            }
            table.add(row)
            let text = table.text(width: width)
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
            let seen = Set(text.split { $0 == " " || $0 == "\n" })
            #expect(row.flatMap { $0.split(separator: " ") }.allSatisfy(seen.contains), "\(text)")
        }
    }
}

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
            "x265 medium against x264 medium, over 2 of 2 clips:\n    PSNR-Y -20.0 %\n", "Interrupted: ",
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
        #expect(line.hasPrefix("    Compared from 0.9803 to 0.9941: "), "\(line)")
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
        let table = lines.filter { $0.hasPrefix("x26") && !$0.contains("against") || $0.hasPrefix("encoder") }
        #expect(table.count == 22 && table.allSatisfy { $0.count <= width })
        #expect(table.allSatisfy { $0.contains("qp") || $0.contains("default") || $0.contains("rate") })
    }
}

@Suite struct LiveComparisonTests {
    private final class Page: Sendable {
        private let stored = Mutex("")
        var text: String { stored.withLock { $0 } }
        func write(_ text: String) { stored.withLock { $0 += text } }
    }

    @Test("whatever order points come in, what appears is the report, and every piece as soon as it can")
    func order() throws {
        let study = Studies.study(clips: 2)
        let text = ComparisonText(study: study)
        var random = SeededGenerator()
        for _ in 0..<20 {
            let page = Page()
            let live = LiveComparison(study: study, text: text) { page.write($0) }
            var done: Set<PointSpec> = []
            for point in study.points.shuffled(using: &random) {
                live.take(.finished([point], Studies.result(of: point)))
                done.insert(point)
                let rows = study.points.prefix { done.contains($0) }.count
                let seen = page.text.split(separator: "\n").count {
                    $0.hasPrefix("x26") && !$0.contains("against") && !$0.contains("in.y4m")
                }
                #expect(seen == rows)
            }
            let report = try live.finish(isInterrupted: false)
            #expect(report == Studies.measurements(study).report(isInterrupted: false))
            #expect(page.text == text.text(report))
        }
    }

    @Test("an interrupted or failing comparison shows all that there is", arguments: [false, true])
    func partial(isInterrupted: Bool) throws {
        let study = Studies.study(clips: 3)
        let text = ComparisonText(study: study)
        var random = SeededGenerator()
        for _ in 0..<20 {
            let page = Page()
            let live = LiveComparison(study: study, text: text) { page.write($0) }
            for point in study.points where Bool.random(using: &random) {
                live.take(.finished([point], Studies.result(of: point)))
            }
            if !isInterrupted {
                for point in study.points(ofClip: 1) { live.take(.failed([point], CommandFailure("no"))) }
            }
            let report = try live.finish(isInterrupted: isInterrupted)
            #expect(page.text == text.text(report))
            #expect(report.isInterrupted == isInterrupted)
        }
    }

    @Test("text that cannot be written ends in its error, after everything was measured")
    func brokenPipe() {
        let study = Studies.study()
        let live = LiveComparison(study: study, text: ComparisonText(study: study)) { _ in
            throw CommandFailure("nobody reads")
        }
        for point in study.points { live.take(.finished([point], Studies.result(of: point))) }
        #expect(throws: CommandFailure.self) { try live.finish(isInterrupted: false) }
        #expect(live.results.count == study.points.count)
    }
}

@Suite struct ReportFormatTests {
    private let report = Studies.measurements(Studies.study(clips: 2)).report(isInterrupted: false)

    @Test("the lines of the CSV have a value for each title, with quotes where they must be")
    func csv() throws {
        #expect(CSV.field("a,\"b\"") == "\"a,\"\"b\"\"\"" && CSV.field("plain") == "plain")
        let lines = String(decoding: try ReportFormat.csv.bytes(report), as: UTF8.self).split(separator: "\r\n")
        #expect(lines.count == 1 + 20)
        let counts = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(Set(counts).count == 1)
        #expect(lines[0].contains("clip,width") && lines[0].contains("psnr_y_db") && lines[1].contains("clip0.y4m,64"))
    }

    @Test("Markdown has a table of points and one of answers for each clip, and escapes what names may have")
    func markdown() throws {
        let text = String(decoding: try ReportFormat.markdown.bytes(report), as: UTF8.self)
        #expect(ComparisonMarkdown.escaped("a|b_c") == "a\\|b\\_c")
        #expect(text.split(separator: "\n").count { $0.hasPrefix("| x26") && $0.contains("qp") } == 16)
        for part in ["## clip0.y4m", "| x265 medium against x264 medium | PSNR-Y | -20.0 % |", "## All clips"] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
    }
}

@Suite struct JSONDocumentTests {
    @Test("names are sorted and slashes stay")
    func bytes() throws {
        let text = String(decoding: try JSONDocument.bytes(["b": "1/2", "a": "x"]), as: UTF8.self)
        #expect(text == "{\n  \"a\" : \"x\",\n  \"b\" : \"1/2\"\n}\n")
    }
}

@Suite struct ComparisonJSONTests {
    @Test("every name in the JSON is described, and nothing is described that is not there")
    func description() throws {
        var study = Studies.study(clips: 3, quantizers: [22, 27, 32, 37, 42], metrics: Metric.all)
        study.clips[0].bitsPerSecond = 1
        study.clips[1].isConstantRate = false
        study.variants[0].tune = "psnr"
        study.failures = [Study.Failure(clip: "x", point: "y", reason: "z")]
        let measurements = Studies.measurements(study)
        var report = measurements.report(isInterrupted: true)
        let time = TimedEncode(frames: 1, bytes: 1, wallSeconds: 1, cpuSeconds: 1, peakResidentBytes: 1)
        let delay = EncodeDelay(latencies: try #require(Latencies([1])), framesHeld: 1)
        let timing = TimingRounds(
            rounds: PairedRatio.minimumRounds, seed: 1, measure: { _ in time }, measureDelay: { _ in delay })
        report.timing = try timing.report(measurements) { _, _ in }
        report.timing?.pairs[0].refusal = "none"
        report.timing?.finishedRounds = 1
        report.timing?.plannedRounds = 2
        var found: Set<String> = []
        let text = String(decoding: try JSONDocument.bytes(report), as: UTF8.self)
        for match in text.matches(of: #/"([a-z0-9_]+)" : /#) { found.insert(String(match.1)) }
        let page = try SourceFiles.page("ComparisonJSON.md")
        func described(_ text: some StringProtocol) -> Set<String> {
            Set(String(text).matches(of: #/`([a-z0-9_]+)`/#).map { String($0.1) })
        }
        let heading = try #require(page.firstRange(of: "## CSV"))
        let inJSON = described(page[..<heading.lowerBound])
        #expect(found.subtracting(inJSON).subtracting(["rate_change_leave_one_out_high"]) == [])
        #expect(inJSON.subtracting(found).subtracting(["compare", "merge", "measure", "_high"]) == [])
        let csv = String(decoding: try ReportFormat.csv.bytes(report), as: UTF8.self)
        let titles = Set(csv.prefix { $0 != "\r\n" }.split(separator: ",").map(String.init))
        let inCSV = described(page[heading.lowerBound...])
        #expect(titles.subtracting(report.scores.map(\.id)).subtracting(inCSV) == [])
        #expect(inCSV.subtracting(titles).subtracting(["test_rates", "anchor", "score", "quality"]) == [])
    }
}
