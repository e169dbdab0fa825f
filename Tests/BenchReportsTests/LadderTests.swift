// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import EncoderBench
import PictureQuality
import Testing

@testable import BenchReports

@Suite struct LadderTests {
    static func report(encoders: [EncoderKind] = [.x264, .x265], failures: [Study.Failure] = []) throws
        -> LadderReport
    {
        let study = Studies.ladder(encoders: encoders, failures: failures)
        var answers = Answers<PointResult>(study: study, failures: failures)
        for point in study.points { answers.results[point] = Studies.ladderResult(of: point) }
        let score = try #require(Metric.usual.scores.first)
        return LadderReport(answers, score: score, measuredBy: ["psnr": "version 1"], scaledBy: "a filter", step: 1.5)
    }

    @Test("the first sentences say what to send with each encoder, where H.265 is sent larger, and what it takes")
    func sentences() throws {
        let report = try Self.report()
        let clip = try #require(report.clips.first)
        let lines = report.text(width: nil).split(separator: "\n").map(String.init)
        #expect(lines[0] == "clip0.y4m: 640x320, 4 frames, 0.16 s")
        let (first, second) = (clip.curves[0].choices, clip.curves[1].choices)
        try #require(first.map(\.size.text) == ["160x80", "320x160", "640x320"])
        try #require(second.map(\.size.text) == ["160x80", "320x160", "640x320"])
        func rate(_ value: Double) -> String { Format.bitRate(value) }
        #expect(
            lines[1]
                == "With x264 medium (H.264) send 160x80 up to \(rate(first[0].to)), 320x160 up to \(rate(first[1].to)), "
                + "and 640x320 above, as far as was tried: \(rate(first[0].from)) to \(rate(first[2].to)).")
        #expect(lines[2].hasPrefix("With x265 medium (H.265) send 160x80 up to \(rate(second[0].to)), "))
        #expect(
            lines[3]
                == "At the same bit rate x265 medium (H.265) lets you send a larger size: 320x160 in place of 160x80 from "
                + "\(rate(second[0].to)) to \(rate(first[0].to)), 640x320 in place of 320x160 from "
                + "\(rate(second[1].to)) to \(rate(first[1].to)).")
        #expect(
            lines[4].hasPrefix("At the quality of ") && lines[4].contains(" of x264 medium (H.264) it takes 70.0 %"))
        #expect(lines[5] == "Rungs, encodes to send, with x264 medium (H.264):" && lines[6].hasPrefix("size "))
        #expect(lines.contains("Rungs, encodes to send, with x265 medium (H.265):"))
    }

    @Test("one curve has no pair, one size no border, and what failed is named")
    func single() throws {
        let failure = Study.Failure(clip: "b.mkv", point: "x264, 640x360, crf 23", reason: "is broken")
        let report = try Self.report(encoders: [.x264], failures: [failure])
        let text = report.text(width: nil)
        #expect(!text.contains("same bit rate") && !text.contains("At the quality"))
        #expect(text.contains("No answer for b.mkv, x264, 640x360, crf 23: is broken."))
        #expect(report.clips[0].best == nil)
        var alone = report
        let points = alone.clips[0].points.filter { $0.width == 640 }
        alone.clips[0].curves = [LadderHull(of: "x264 medium", points, score: report.score, step: 1.5)]
        alone.clips[0].points = points + report.clips[0].points.filter { $0.width != 640 }
        #expect(alone.text(width: nil).contains("send 640x320 at every bit rate that was tried, "))
        #expect(alone.text(width: nil).contains("no other size is better."))
        alone.clips[0].points = points
        let interrupted = alone.text(width: nil)
        #expect(interrupted.contains("With x264 medium (H.264) only 640x320 was encoded, "), "\(interrupted)")
        #expect(!interrupted.contains("at every bit rate that was tried"))
    }

    @Test("what a session did otherwise is said of a size once, with rates where these are not all")
    func adjustments() throws {
        let study = Studies.ladder()
        var answers = Answers<PointResult>(study: study, failures: [])
        for point in study.points {
            var result = Studies.ladderResult(of: point)
            if point.work.width == 160 { result.adjustments = ["Width: small"] }
            if point.work.width == 320, point.work.encoder == "x265", point.rate.hasSuffix("qp 22") {
                result.adjustments = ["Rate: high"]
            }
            answers.results[point] = result
        }
        let score = try #require(Metric.usual.scores.first)
        let report = LadderReport(answers, score: score, measuredBy: [:], scaledBy: "a filter", step: 1.5)
        #expect(
            report.adjustments == [
                "x264 medium, 160x80; x265 medium, 160x80: Width: small",
                "x265 medium, 320x160 at qp 22: Rate: high",
            ])
    }

    @Test("clips have short names where these differ, encodes that equal their source are named, one rate is no range")
    func edges() throws {
        var report = try Self.report()
        report.clips[0].name = "/a/b/clip.y4m"
        let text = report.text(width: nil)
        #expect(text.hasPrefix("clip.y4m: 640x320") && LadderPage(report).html.contains("/a/b/") == false)
        var other = report.clips[0]
        other.name = "/c/clip.y4m"
        report.clips.append(other)
        #expect(report.text(width: nil).hasPrefix("/a/b/clip.y4m: 640x320"))

        let study = Studies.ladder(encoders: [.x264])
        var answers = Answers<PointResult>(study: study, failures: [])
        for point in study.points where point.work.width > 160 {
            let decibels = point.work.width == 320 ? 30 : point.rate.hasSuffix("qp 22") ? .infinity : 40.0
            answers.results[point] = Studies.result(of: point, bytes: 1000, decibels: decibels)
        }
        let flat = LadderReport(
            answers, score: try #require(Metric.usual.scores.first), measuredBy: [:], scaledBy: "a filter", step: 1.5)
        let lines = flat.text(width: nil)
        #expect(
            lines.contains("With x264 medium (H.264) 640x320 at 50.0 kbit/s is as good as any other encode."),
            "\(lines)")
        #expect(
            lines.contains(
                "Note: equal to the source, which no curve has a place for, so that no choice is of them: "
                    + "x264 medium 640x320 qp 22."), "\(lines)")
    }

    @Test("page and text say the same words in the same order, beside the page's table of all encodes")
    func page() throws {
        let report = try Self.report(failures: [Study.Failure(clip: "<b>&", reason: "is \"broken\"")])
        let page = LadderPage(report).html
        var said = Forms.words(ofHTML: page)[...]
        for block in report.outline(isWhole: true).blocks {
            let words = Forms.words(of: Outline(blocks: [block]).text(width: nil))
            guard !words.isEmpty else { continue }
            let place = try #require(
                said.firstRange(of: words), "\(words.joined(separator: " ")) is missing or too early")
            said = said[place.upperBound...]
        }
        #expect(page.contains("No answer for &lt;b&gt;&amp;: is &quot;broken&quot;."))
        let withoutNamespaces = page.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "")
        #expect(!page.contains("<script") && !withoutNamespaces.contains("http"))
        // A thin line for each size, a heavy one for the best and a dashed one for the hull, of each encoder.
        #expect(
            page.matches(of: #/class="line thin"/#).count == 6 && page.matches(of: #/class="line front"/#).count == 2)
        let best = report.clips[0].curves.reduce(0) { $0 + $1.front.count }
        #expect(page.matches(of: #/class="mark"/#).count == best)
        #expect(page.matches(of: #/class="reference"/#).count == 2)
        for size in ["160x80", "320x160", "640x320"] { #expect(page.contains(">\(size)</text>"), "\(size)") }
    }

    @Test("each encode is a line of the CSV, with its places on hulls")
    func csv() throws {
        let report = try Self.report()
        let lines = String(decoding: LadderCSV.bytes(report), as: UTF8.self).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let clip = report.clips[0]
        #expect(lines.count == clip.points.count + 1 && lines.allSatisfy { $0.count == lines[0].count })
        func column(_ title: String) throws -> [String] {
            let index = try #require(lines[0].firstIndex(of: title))
            return lines.dropFirst().map { $0[index] }
        }
        #expect(try column("width") == clip.points.map { "\($0.width)" })
        #expect(try column("bits_per_second").map(Double.init) == clip.points.map(\.bitsPerSecond))
        #expect(try column("psnr_y_db").map(Double.init) == clip.points.map { $0.value("psnr_y_db") })
        let corners = Set(clip.curves.flatMap(\.corners))
        #expect(try column("on_hull") == clip.points.indices.map { "\(corners.contains($0))" })
        let front = Set(clip.curves.flatMap(\.front))
        #expect(try column("on_front") == clip.points.indices.map { "\(front.contains($0))" })
        let best = Set(clip.best?.corners ?? [])
        #expect(try column("on_best_hull") == clip.points.indices.map { "\(best.contains($0))" })
        #expect(try column("rung").count { $0 == "true" } == clip.curves.reduce(0) { $0 + $1.rungs.count })
    }
}
