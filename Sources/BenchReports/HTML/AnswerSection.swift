// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

/// What a page says first: what each curve needs, whether a claim holds, and how clips differ.
struct AnswerSection {
    let report: ComparisonReport
    let series: [ChartSeries]

    /// The section.
    var html: String {
        // What a person wants to know first; then the same as a drawing, and what a claim comes to.
        var html = report.first.html(id: "answers")
        html += HTML.element("div", ["class": "answers"], pairs.map(card).joined())
        if report.clips.count > 1 {
            html += HTML.element("h3", "Clip by clip")
            html += pairs.compactMap(shares).joined()
        }
        html += report.ending.html()
        return HTML.element("section", ["id": "answers", "aria-labelledby": "answers-title"], html)
    }

    private struct Pair: Equatable {
        var anchor: String
        var test: String
    }

    private var pairs: [Pair] {
        var pairs: [Pair] = []
        for clip in report.clips {
            for pair in clip.pairs.map({ Pair(anchor: $0.anchor, test: $0.test) }) where !pairs.contains(pair) {
                pairs.append(pair)
            }
        }
        return pairs
    }

    private func color(_ pair: Pair) -> String { series.first { $0.label == pair.test }?.classes ?? "s s0" }

    /// The headline's answer in large, and what makes it uncertain.
    private func card(_ pair: Pair) -> String {
        let score = report.scores.compared.first
        let answers = report.overall.filter { $0.anchor == pair.anchor && $0.test == pair.test }
        let names = HTML.element("b", HTML.escaped(pair.test))
        guard let answer = answers.first(where: { $0.score == score?.id }), let score else {
            return HTML.element(
                "div", ["class": "answer \(color(pair))"],
                HTML.element("p", ["class": "big"], "–")
                    + HTML.element("p", "\(names) against \(HTML.escaped(pair.anchor)): no answer at equal quality"))
        }
        var html = HTML.element("p", ["class": "big"], share(answer.rateChange))
        html += HTML.element(
            "p",
            "bytes that \(names) needs against \(HTML.escaped(pair.anchor)) at equal \(HTML.escaped(score.title))")
        var details: [String] = []
        if let low = answer.low, let high = answer.high {
            let doubt = answer.isUndecided ? ", not decided" : ""
            details.append("95\u{202F}% interval \(share(low)) to \(share(high))\(doubt)")
        }
        if report.clips.count > 1 { details.append("\(answer.clips) of \(report.clips.count) clips") }
        let others = answers.filter { $0.score != score.id }.map {
            // A measure's name stays with its number.
            HTML.escaped(Score.title(ofID: $0.score).replacing(" ", with: "\u{A0}")) + "\u{A0}" + share($0.rateChange)
        }
        if !others.isEmpty { details.append("by " + others.joined(separator: ", ")) }
        html += HTML.element("p", ["class": "soft"], details.joined(separator: " · "))
        return HTML.element("div", ["class": "answer \(color(pair))"], html)
    }

    private func share(_ change: Double) -> String { HTML.number(Format.change(change)) }

    // MARK: - Clip by clip

    /// Shares of the bytes as dots on a scale, with the numbers beside them.
    private func shares(_ pair: Pair) -> String? {
        guard let score = report.scores.compared.first else { return nil }
        let rows = report.clips.enumerated().compactMap { index, clip -> (Int, String, PairComparison.EqualQuality)? in
            let found = clip.pairs.first { $0.anchor == pair.anchor && $0.test == pair.test }
            return found?.equalQuality.first { $0.score == score.id }.map { (index, clip.name, $0) }
        }
        guard !rows.isEmpty else { return nil }
        let all = report.overall.first {
            $0.anchor == pair.anchor && $0.test == pair.test && $0.score == score.id
        }
        let clips = rows.map { 1 + max($0.2.pchip, $0.2.lowerHalf, $0.2.upperHalf) }.max() ?? 1
        // An interval that is much larger than the clips' shares would leave these no room; it ends in an arrow.
        let largest = max(clips, min(1 + (all?.high ?? 0), 2 * clips))
        let scale = max(1.1, (largest * 10).rounded(.up) / 10)
        var body = rows.map { index, name, answer in
            let halves = (1 + min(answer.lowerHalf, answer.upperHalf), 1 + max(answer.lowerHalf, answer.upperHalf))
            return row(
                HTML.element("a", ["href": "#clip-\(index + 1)"], HTML.breakable(name)),
                1 + answer.pchip, halves, scale: scale)
        }
        if let all {
            body.append(
                row(
                    "all, geometric mean", 1 + all.rateChange,
                    (1 + (all.low ?? all.rateChange), 1 + (all.high ?? all.rateChange)),
                    scale: scale, isAll: true))
        }
        let marks = [0, 0.5, 1].map { value in
            HTML.element(
                "span", ["style": "left:\(Format.fixed(value / scale * 100, 2))%"], Format.fixed(value * 100, 0))
        }
        let caption = "Bytes that \(pair.test) needs at equal \(score.title), in percent of \(pair.anchor)’s"
        let head =
            HTML.element("th", ["scope": "col"], "clip")
            + HTML.element(
                "th", ["scope": "col", "class": "bars"],
                HTML.element("span", ["class": "unseen"], "share on a scale")
                    + HTML.element("div", ["class": "scale", "aria-hidden": "true"], marks.joined()))
            + HTML.element("th", ["scope": "col", "class": "n"], "share")
            + HTML.element("th", ["scope": "col", "class": "n"], "range")
        let table = HTML.element(
            "table", ["class": "shares"],
            HTML.element("caption", ["class": "unseen"], HTML.escaped(caption))
                + HTML.element("thead", HTML.element("tr", head)) + HTML.element("tbody", body.joined()))
        return HTML.element(
            "figure", ["class": color(pair)],
            HTML.element(
                "figcaption",
                HTML.prose(
                    caption
                        + ". Lines reach from one half of the qualities to the other; for all clips, they are "
                        + PairComparison.intervalMeaning + "."
                ))
                + HTML.scrolling(caption, table))
    }

    private func row(
        _ name: String, _ share: Double, _ range: (Double, Double), scale: Double, isAll: Bool = false
    ) -> String {
        func place(_ value: Double) -> String { Format.fixed(min(max(value / scale, 0), 1) * 100, 2) + "%" }
        let width = Format.fixed(max(min(range.1, scale) - range.0, 0) / scale * 100, 2) + "%"
        let track =
            [0, 0.5, 1].map { HTML.element("i", ["style": "left:\(place($0))"], "") }.joined()
            + HTML.element(
                "b", ["class": range.1 > scale ? "cut" : "", "style": "left:\(place(range.0));width:\(width)"], "")
            + HTML.element("u", ["style": "left:\(place(share))"], "")
        let cells =
            HTML.element("th", ["scope": "row", "class": "name"], name)
            + HTML.element(
                "td", ["class": "bars"], HTML.element("div", ["class": "track", "aria-hidden": "true"], track))
            + HTML.element("td", ["class": "n"], HTML.number(Format.percent(share)))
            + HTML.element(
                "td", ["class": "n soft"],
                range.0 == range.1
                    ? "–" : "\(HTML.number(Format.fixed(range.0 * 100, 1))) to \(HTML.number(Format.percent(range.1)))")
        return HTML.element("tr", ["class": isAll ? "all" : ""], cells) + "\n"
    }
}
