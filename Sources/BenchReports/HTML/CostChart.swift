// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

/// Speed against efficiency: CPU time over bytes, each as a multiple of the anchor's; a chart for each anchor.
struct CostChart {
    let report: ComparisonReport
    let timing: TimingReport

    private struct Dot {
        var pair: TimingReport.Pair
        var cost: TimingReport.AtEqualQuality
        var share: Double
        var series: ChartSeries
    }

    /// The chart, and below it what its marks and numbers stand for; nil where no pair has an answer at equal quality
    /// and times.
    var figure: String? {
        let dots = dots
        // What curves are multiples of is not the same with another anchor, so they have no place in one chart.
        let anchors = distinct(dots.map(\.pair.anchor))
        let charts = anchors.compactMap { anchor in svg(dots.filter { $0.pair.anchor == anchor }) }.joined()
        guard !charts.isEmpty else { return nil }
        let curves = report.series.filter { series in dots.contains { $0.series == series } }
        var key = HTML.element(
            "ul", curves.map { HTML.element("li", $0.key + HTML.escaped($0.label)) }.joined())
        let hasIntervals = dots.contains { $0.cost.cpuRatio.low != nil }
        key =
            HTML.paragraph(
                "Each mark is a curve against its anchor\(isNumbered(dots) ? " on the clip of its number" : "")"
                    + (hasIntervals ? "; lines are 95 % intervals." : ".")) + key
        if isNumbered(dots) {
            // Numbers count the clips of the page, so each of them is in the list.
            let clips = report.clips.enumerated().map { index, clip in
                HTML.element(
                    "li",
                    HTML.element(
                        "a", ["href": "#clip-\(index + 1)"], HTML.breakable(clip.name)))
            }
            key += HTML.element("ol", clips.joined())
        }
        return HTML.element(
            "figure", ["class": "cost"], charts + HTML.element("figcaption", ["class": "key-list"], key))
    }

    /// Whether dots have the number of their clip, since there are several.
    private func isNumbered(_ dots: [Dot]) -> Bool { Set(dots.map(\.pair.clip)).count > 1 }

    private var dots: [Dot] {
        let all = report.series
        // With the libraries' own threads times say more of the machine than of the encoders.
        return timing.pairs.filter { $0.threads == report.threadsPerEncoder }.compactMap { pair -> Dot? in
            let clip = report.clips.first { $0.name == pair.clip }
            let answers = clip?.pairs.first { $0.anchor == pair.anchor && $0.test == pair.test }
            guard let answer = answers?.equalQuality.first(where: { $0.score == pair.score }),
                let series = all.first(where: { $0.label == pair.test }), let cost = pair.atEqualQuality,
                cost.cpuRatio.low ?? cost.cpuRatio.median > 0
            else { return nil }
            return Dot(pair: pair, cost: cost, share: (1 + answer.pchip) * 100, series: series)
        }
    }

    /// The labels of dots, each where it lies on nothing else, with a line to its dot where that is not next to it.
    private func labels(_ dots: [Dot], on chart: Chart) -> String {
        let isNumbered = isNumbered(dots)
        let texts = dots.map { dot in
            let number = report.clips.firstIndex { $0.name == dot.pair.clip }
            return isNumbered ? number.map { "\($0 + 1)" } ?? "" : dot.pair.test
        }
        let points = dots.map { (x: chart.px($0.cost.cpuRatio.median), y: chart.py($0.share)) }
        var taken = (points + [(x: chart.px(1), y: chart.py(100))]).map {
            LabelPlacement.Box(left: $0.x - 5, top: $0.y - 5, width: 10, height: 10)
        }
        for (dot, point) in zip(dots, points) {
            guard let low = dot.cost.cpuRatio.low, let high = dot.cost.cpuRatio.high else { continue }
            let (left, right) = (chart.px(low), chart.px(high))
            taken.append(LabelPlacement.Box(left: left, top: point.y - 1, width: right - left, height: 2))
        }
        // "anchor" above its point.
        taken.append(LabelPlacement.Box(left: chart.px(1) + 8, top: chart.py(100) - 17, width: 44, height: 12))
        let boxes = LabelPlacement.beside(
            points, sizes: texts.map { (width: 7.8 * Double($0.count), height: 12) }, avoiding: taken,
            in: LabelPlacement.Box(
                left: chart.left, top: chart.top - 6, width: chart.width - chart.left - 2,
                height: chart.planeBottom - chart.top + 4))
        return zip(zip(dots, texts), zip(points, boxes)).map { named, placed in
            let ((dot, text), (point, box)) = (named, placed)
            guard let box else { return "" }
            let middle = (x: box.left + box.width / 2, y: box.top + box.height / 2)
            let gap = max(abs(middle.x - point.x) - box.width / 2, abs(middle.y - point.y) - box.height / 2)
            var content = ""
            if gap > 8 {
                let end = (
                    x: min(max(point.x, box.left), box.right), y: min(max(point.y, box.top), box.bottom)
                )
                content = HTML.element("path", ["class": "leader", "d": Chart.path([point, end])], "")
            }
            // Letters of another width than reckoned with move the end that is away from the mark.
            let (x, side) =
                box.left > point.x
                ? (box.left, "start") : box.right < point.x ? (box.right, "end") : (middle.x, "middle")
            content += Chart.label(text, x: x, y: box.bottom - 2, anchor: side, classes: "name")
            return HTML.element("g", ["class": dot.series.classes], content)
        }.joined()
    }

    private func svg(_ dots: [Dot]) -> String? {
        guard let score = dots.first?.pair.score, let anchor = dots.first?.pair.anchor else { return nil }
        let ratios = dots.map(\.cost.cpuRatio)
        let chart = Chart(
            x: ChartAxis(logarithmic: [1] + ratios.flatMap { [$0.median, $0.low ?? $0.median, $0.high ?? $0.median] }),
            y: ChartAxis(linear: dots.map(\.share) + [100]), right: 30)
        var content = HTML.element(
            "path",
            ["class": "reference", "d": Chart.path([(chart.left, chart.py(100)), (chart.planeRight, chart.py(100))])],
            "")
        content += HTML.element(
            "path", ["class": "anchor", "d": ChartSeries(label: "", place: 0).mark(x: chart.px(1), y: chart.py(100))],
            HTML.element("title", "the anchor: 1 and 100 %"))
        content += Chart.label("anchor", x: chart.px(1) + 8, y: chart.py(100) - 7)
        for dot in dots {
            let ratio = dot.cost.cpuRatio
            let (x, y) = (chart.px(ratio.median), chart.py(dot.share))
            let tip =
                "\(dot.pair.test) on \(dot.pair.clip): \(Format.fixed(ratio.median, 2)) times the CPU time of "
                + "\(dot.pair.anchor), \(dot.cost.words(dot.pair.score)), \(Format.fixed(dot.share, 1)) % of its bytes"
            var drawing = ""
            if let low = ratio.low, let high = ratio.high {
                drawing += HTML.element(
                    "path", ["class": "leader", "d": Chart.path([(chart.px(low), y), (chart.px(high), y)])], "")
            }
            drawing += HTML.element(
                "path", ["class": "mark", "d": dot.series.mark(x: x, y: y)], HTML.element("title", HTML.escaped(tip)))
            content += HTML.element("g", ["class": dot.series.classes], drawing)
        }
        content += labels(dots, on: chart)
        return chart.svg(
            title:
                "Bytes at equal quality over CPU time, both against \(anchor). The sentences below have the numbers.",
            xTitle: "times the CPU time of \(anchor)", yTitle: "% of its bytes at equal \(Score.title(ofID: score))",
            content: content)
    }
}
