// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderBench

/// A ladder as one page of HTML: no script, nothing from a network.
package struct LadderPage {
    let report: LadderReport

    /// Takes a report.
    package init(_ report: LadderReport) { self.report = report.withShortNames }

    /// The document.
    package var html: String {
        let sections = report.sections(isWhole: true).enumerated().map { index, section in
            let chart = LadderChart(clip: section.clip, score: report.score).svg
            return section.outline.section(
                id: "clip-\(index + 1)",
                chart: chart.map { chart in
                    HTML.element(
                        "figure", ["class": "charts one"], chart + HTML.element("figcaption", HTML.escaped(Self.lines)))
                })
        }
        let method = Outline(blocks: report.ending).section(id: "method", chart: nil)
        let head =
            HTML.void("meta", ["charset": "utf-8"])
            + HTML.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
            + HTML.void("meta", ["name": "color-scheme", "content": "light dark"])
            + HTML.element("title", Self.title) + HTML.element("style", PageStyle.css)
        let body =
            header + HTML.element("main", ["class": "ladder"], "\n" + (sections + [method]).joined(separator: "\n"))
            + HTML.element("footer", HTML.escaped("Made by encbench \(report.encbench)."))
        return "<!DOCTYPE html>\n"
            + HTML.element("html", ["lang": "en"], HTML.element("head", head) + "\n" + HTML.element("body", body))
            + "\n"
    }

    private static let lines =
        "Thin: the encodes of each size. Heavy: the best at each bit rate. Dashed: the convex hull of all."
    private static let title = "What to send at which bit rate"

    private var header: String {
        let frames = report.clips.reduce(0) { $0 + $1.frames }
        let clips = report.clips.count == 1 ? "1 clip" : "\(report.clips.count) clips"
        let links =
            report.clips.enumerated().map { ("#clip-\($0 + 1)", $1.name) } + [("#method", "How it was measured")]
        let items = links.map { HTML.element("li", HTML.element("a", ["href": $0.0], HTML.breakable($0.1))) }
        return HTML.element(
            "header",
            HTML.element("p", ["class": "kicker"], "encbench · \(clips), \(HTML.number(Format.grouped(frames))) frames")
                + HTML.element("h1", Self.title)
                + HTML.element("nav", ["aria-label": "Sections"], HTML.element("ul", items.joined())))
    }
}
