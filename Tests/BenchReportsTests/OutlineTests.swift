// SPDX-License-Identifier: MIT

import EncoderBench
import PictureQuality
import TestSupport
import Testing

@testable import BenchReports

@Suite struct OutlineTests {
    @Test("text, Markdown and page of one outline say the same words and numbers in the same order")
    func forms() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let outline = Outline(blocks: (0..<Int.random(in: 0...6, using: &random)).map { _ in block(&random) })
            let said = Forms.words(of: outline.text(width: nil))
            #expect(Forms.words(ofMarkdown: outline.markdown) == said)
            #expect(Forms.words(ofHTML: outline.section(id: "x", chart: nil)) == said)
        }
    }

    @Test(
        "text, Markdown and page of one comparison say the same sentences and numbers in the same order",
        arguments: 1...3)
    func comparison(clips: Int) throws {
        var report = try Pages.report(clips: clips)
        let folder = "/some/folder/"
        for index in report.clips.indices { report.clips[index].name = folder + report.clips[index].name }
        if var timing = report.timing {
            for index in timing.entries.indices { timing.entries[index].clip = folder + timing.entries[index].clip }
            for index in timing.pairs.indices { timing.pairs[index].clip = folder + timing.pairs[index].clip }
            report.timing = timing
        }
        report.notes = ["x265 medium: less of <it>"]
        report.pairTests = [
            ComparisonReport.PairTest(
                firstAnchor: "x264 medium", firstTest: "x265 medium", anchor: "x264 medium", test: "x265 slow",
                score: "psnr_y_db", clips: clips, clipsWithLess: 1, shareChange: -0.1, probability: 0.5)
        ]
        report.clips[0].notes = ["the source may have been compressed with loss"]
        report.clips[0].programObstacle = "it has times of its own"
        report.clips[0].isCut = true
        let text = ComparisonText(report, isVerbose: true).text
        #expect(text.matches(of: #/ 4 frames \(the first of more\)/#).count == 1, "\(text)")
        let said = Forms.words(of: text)
        #expect(said.first == "Answer" && said.count > 300)
        #expect(said.contains("scenes:") && said.contains("signed-rank") == (clips > 1))
        #expect(
            Forms.words(ofMarkdown: String(decoding: try ReportFormat.markdown.bytes(report), as: UTF8.self)) == said)
        // A page has drawings and pictures between the pieces.
        var page = Forms.words(ofHTML: ComparisonPage(report: report).html)[...]
        for block in report.outline.blocks {
            let words = Forms.words(of: Outline(blocks: [block]).text(width: nil))
            guard !words.isEmpty else { continue }
            let place = try #require(
                page.firstRange(of: words), "\(words.joined(separator: " ")) is missing or too early")
            page = page[place.upperBound...]
        }
        // The first screen is the outline's beginning, in its words.
        let first = Forms.words(of: report.withShortNames.first.text(width: nil))
        #expect(said.starts(with: first) && first.count < said.count)
    }

    @Test("a chart is drawn where its block is, and no word is lost where it cannot be")
    func charts() {
        let outline = Outline(blocks: [.paragraph("Before."), .chart, .paragraph("After.")])
        #expect(outline.text(width: nil) == "Before.\n\nAfter.\n" && outline.markdown == outline.text(width: nil))
        let page = outline.section(id: "cost", chart: "<svg></svg>")
        #expect(page.contains("<p>Before.</p><svg></svg><p>After.</p>"))
        #expect(!outline.section(id: "cost", chart: nil).contains("svg"))
    }

    @Test("what Markdown and HTML would read as their own is shown as it is")
    func hostile() {
        let outline = Outline(blocks: [.list([["a|b <script> *c* `d` [e](f) & \"g\"."]])])
        #expect(outline.markdown == "- a\\|b \\<script\\> \\*c\\* \\`d\\` \\[e\\](f) & \"g\".\n")
        let page = outline.section(id: "x", chart: nil)
        #expect(page.contains("a|b &lt;script&gt; *c* `d` [e](f) &amp; &quot;g&quot;."))
    }

    // MARK: - Random outlines

    private func block(_ random: inout SeededGenerator) -> Outline.Block {
        switch Int.random(in: 0...5, using: &random) {
        case 5:
            return .commands(sentence(&random), ["x264 --crf 21 'a <b>' -o out.264", "x265 --preset medium in.y4m"])
        case 0: return .heading(sentence(&random))
        case 1: return .paragraph(sentence(&random))
        case 2:
            let counts = (0...2).map { _ in Int.random(in: 1...3, using: &random) }
            return .list(counts.map { count in (0..<count).map { _ in sentence(&random) } })
        case 3: return .chart
        default:
            var table = TextTable([.words("encoder"), .number("bytes")])
            for _ in 0..<3 { table.add([sentence(&random), "\(Int.random(in: 0...9999, using: &random))"]) }
            return .table(table, caption: sentence(&random))
        }
    }

    private func sentence(_ random: inout SeededGenerator) -> String {
        let words = ["x264", "needs", "80.0", "<b>", "a|b", "*", "_c_", "&amp;", "\"quoted\"", "`d`", "#1", "it's"]
        return (0...4).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }
}

/// What the forms of a report say, as words in their order.
enum Forms {
    /// Words of lines, without the rules of tables.
    static func words(of text: String) -> [String] {
        text.split(separator: "\n").filter { line in !line.allSatisfy { "- ".contains($0) } }.flatMap { line in
            line.split(separator: " ").map(String.init)
        }
    }

    /// Words without the signs that make headings, lists and tables.
    static func words(ofMarkdown text: String) -> [String] {
        var isCode = false
        return text.split(separator: "\n").filter { !$0.hasPrefix("| ---") }.flatMap { line -> [String] in
            if line.hasPrefix("```") {
                isCode.toggle()
                return []
            }
            if isCode { return line.split(separator: " ").map(String.init) }
            var words = unescaped(line).split(separator: " ")
            if let first = words.first, ["-", "##"].contains(first) { words.removeFirst() }
            return words.map(String.init)
        }
    }

    /// Without backslashes before what they escape, and without the bars between cells.
    private static func unescaped(_ line: Substring) -> String {
        var (result, isEscaped) = ("", false)
        for character in line {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            if character != "|" || isEscaped { result.append(character) }
            isEscaped = false
        }
        return result
    }

    /// Words that are seen, without elements; captions for those who cannot see are no words of the form.
    static func words(ofHTML text: String) -> [String] {
        var (result, isTag) = ("", false)
        let seen = text.replacing(#/<caption class="unseen">[^<]*</caption>/#, with: "")
        // A name may break where an element says so; no other element stands within a word.
        for character in seen.replacing("<wbr>", with: "") {
            if character == "<" { isTag = true }
            if !isTag { result.append(character) }
            if character == ">" {
                isTag = false
                result.append(" ")
            }
        }
        // Print has dashes and spaces of its own.
        return plain(result).replacing(#/[\u{2013}\u{2212}]/#, with: "-").replacing("\u{202F}", with: " ").replacing(
            "\u{A0}", with: " "
        )
        .replacing("\u{2019}", with: "'").split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func plain(_ text: String) -> String {
        text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&amp;", with: "&")
    }
}
