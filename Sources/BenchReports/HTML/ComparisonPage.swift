// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

extension ReportFormat {
    /// One page for a browser, with everything in it.
    package static let html = ReportFormat(
        summary: "Write one page with curves, frames and pictures, for any browser", showsPictures: true
    ) { Array(ComparisonPage(report: $0).html.utf8) }
}

/// The report of a comparison as one page of HTML: no script, nothing from a network.
struct ComparisonPage {
    let report: ComparisonReport

    /// Takes a report.
    init(report: ComparisonReport) { self.report = report.withShortNames }

    /// The document.
    var html: String {
        let series = report.series
        let sections =
            [AnswerSection(report: report, series: series).html] + [cost].compactMap { $0 }
            + report.clips.enumerated().map { index, clip in
                ClipSection(report: report, clip: clip, number: index + 1, series: series).html
            } + [MethodSection(report: report).html]
        let head =
            HTML.void("meta", ["charset": "utf-8"])
            + HTML.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
            + HTML.void("meta", ["name": "color-scheme", "content": "light dark"])
            + HTML.element("title", HTML.escaped(title)) + HTML.element("style", PageStyle.css)
        let body =
            HTML.element("a", ["class": "skip", "href": "#answers"], "To the answer") + header
            + HTML.element("main", "\n" + sections.joined(separator: "\n"))
            + HTML.element("footer", HTML.escaped("Made by encbench \(report.encbench)."))
        return "<!DOCTYPE html>\n"
            + HTML.element("html", ["lang": "en"], HTML.element("head", head) + "\n" + HTML.element("body", body))
            + "\n"
    }

    private var title: String {
        let pairs = report.clips.first?.pairs ?? []
        return pairs.count == 1 ? "\(pairs[0].test) against \(pairs[0].anchor)" : "Encoders compared"
    }

    private var header: String {
        let frames = report.clips.reduce(0) { $0 + $1.frames }
        let clips = report.clips.count == 1 ? "1 clip" : "\(report.clips.count) clips"
        var links = [("#answers", "Answer")] + (report.timing == nil ? [] : [("#cost", "Cost")])
        links += report.clips.enumerated().map { ("#clip-\($0 + 1)", $1.name) }
        links.append(("#method", "How it was measured"))
        let items = links.map { HTML.element("li", HTML.element("a", ["href": $0.0], HTML.breakable($0.1))) }
        return HTML.element(
            "header",
            HTML.element("p", ["class": "kicker"], "encbench · \(clips), \(HTML.number(Format.grouped(frames))) frames")
                + HTML.element("h1", HTML.escaped(title))
                + HTML.element("nav", ["aria-label": "Sections"], HTML.element("ul", items.joined())))
    }

    /// What encoding cost; nil without times.
    private var cost: String? {
        guard let timing = report.timing else { return nil }
        return report.costs?.section(id: "cost", chart: CostChart(report: report, timing: timing).figure)
    }
}

/// Where the numbers of a page come from.
struct MethodSection {
    let report: ComparisonReport

    /// The section.
    var html: String {
        var facts: [(String, String)] = []
        if let command = report.command {
            facts.append(("Command", HTML.scrolling("Command", HTML.element("pre", HTML.escaped(command)))))
        }
        for measure in report.metrics where !measure.measuredBy.isEmpty {
            facts.append((HTML.escaped(measure.name), HTML.escaped(measure.measuredBy)))
        }
        for clip in report.clips {
            facts.append((HTML.breakable(clip.name), "SHA-256 \(clip.digest)"))
        }
        let list = facts.map { HTML.element("dt", $0.0) + HTML.element("dd", $0.1) + "\n" }.joined()
        let html =
            HTML.element("h2", ["id": "method-title"], "How it was measured") + HTML.list(method)
            + report.origin.html() + HTML.element("dl", list)
        return HTML.element("section", ["id": "method", "aria-labelledby": "method-title"], html)
    }

    /// What holds for this report, a sentence each or two.
    private var method: [String] {
        // Files that something else encoded have no processor.
        var lines = [
            (report.processors.isEmpty ? "Each file was decoded" : "Each clip was encoded at each rate, decoded")
                + ", and compared with its source picture by picture."
        ]
        let clips = report.clips
        if clips.contains(where: { !$0.pairs.isEmpty }) {
            lines.append(
                "Bytes at equal quality are BD-rates: the mean distance of two curves along the logarithm of the bit rate, joined by "
                    + "shape-preserving splines over the qualities that both reach. Curves that share less than half of either one’s "
                    + "range of qualities are not compared."
            )
        }
        if clips.contains(where: { $0.points.contains(where: \.isDefault) }) {
            lines.append(
                "Hollow marks are the libraries’ defaults; they are on no curve, since they differ in quality.")
        }
        if clips.count > 1, !report.overall.isEmpty {
            let interval = "; each interval is \(PairComparison.intervalMeaning)"
            let hasInterval = report.overall.contains { $0.low != nil }
            lines.append("Over several clips, shares are geometric means\(hasInterval ? interval : "").")
        }
        return lines
    }
}
