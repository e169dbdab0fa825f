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

    @Test("the forms of a comparison say the same of what it costs")
    func cost() throws {
        let report = try Pages.report()
        let timing = try #require(report.timing?.withShortNames)
        let said = Forms.words(of: timing.text(width: nil))
        #expect(said.first == "Cost" && said.count > 100)
        #expect(contains(said, in: Forms.words(ofMarkdown: ComparisonMarkdown.text(report))))
        // The chart stands between the sentence and the table.
        let page = Forms.words(ofHTML: ComparisonPage(report: report).html)
        let head = try #require(said.firstIndex(of: "rounds.")) + 1
        #expect(contains(said.prefix(head), in: page) && contains(said.dropFirst(head), in: page))
    }

    @Test("the forms of a comparison say the same of what all clips come to, and of what a reader must know")
    func ending() throws {
        let report = try Pages.report()
        let said = Forms.words(of: report.ending.text(width: nil))
        #expect(contains(said, in: Forms.words(of: ComparisonText(study: Pages.study()).text(report))))
        #expect(contains(said, in: Forms.words(ofMarkdown: ComparisonMarkdown.text(report))))
        // The page has these pieces at places of its own.
        let page = Forms.words(ofHTML: ComparisonPage(report: report).html)
        for case .table(let table, caption: _) in report.ending.blocks {
            #expect(contains(Forms.words(of: table.text), in: page))
        }
        for case .list(let items) in report.ending.blocks {
            for item in items { #expect(contains(Forms.words(of: item.joined(separator: " ")), in: page)) }
        }
    }

    @Test("the forms of a comparison say the same of each pair on each clip")
    func pairs() throws {
        let report = try Pages.report()
        let text = Forms.words(of: ComparisonText(study: Pages.study()).text(report))
        let markdown = Forms.words(ofMarkdown: ComparisonMarkdown.text(report))
        let page = Forms.words(ofHTML: ComparisonPage(report: report).html)
        for clip in report.clips {
            let said = Forms.words(of: clip.findings(headline: report.scores.compared.first).text(width: nil))
            #expect(said.count > 60)
            for form in [text, markdown, page] { #expect(contains(said, in: form)) }
        }
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

    private func contains(_ part: some Collection<String>, in words: [String]) -> Bool {
        words.firstRange(of: part) != nil
    }

    // MARK: - Random outlines

    private func block(_ random: inout SeededGenerator) -> Outline.Block {
        switch Int.random(in: 0...4, using: &random) {
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
        text.split(separator: "\n").filter { !$0.hasPrefix("| ---") }.flatMap { line in
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
