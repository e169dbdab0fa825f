// SPDX-License-Identifier: MIT

/// Speed against efficiency: CPU time over bytes, each as a multiple of the anchor's.
struct CostChart {
    let report: ComparisonReport
    let timing: TimingReport

    private struct Dot {
        var pair: TimingReport.Pair
        var cost: TimingReport.AtEqualQuality
        var share: Double
        var series: ChartSeries
    }

    /// The chart; nil where no pair has both an answer at equal quality and times.
    var svg: String? {
        let all = report.series
        let dots = timing.pairs.compactMap { pair -> Dot? in
            let clip = report.clips.first { $0.name == pair.clip }
            let answers = clip?.pairs.first { $0.anchor == pair.anchor && $0.test == pair.test }
            guard let answer = answers?.equalQuality.first(where: { $0.score == pair.score }),
                let series = all.first(where: { $0.label == pair.test }), let cost = pair.atEqualQuality,
                cost.cpuRatio.low ?? cost.cpuRatio.median > 0
            else { return nil }
            return Dot(pair: pair, cost: cost, share: (1 + answer.pchip) * 100, series: series)
        }
        guard let score = dots.first?.pair.score else { return nil }
        let ratios = dots.map(\.cost.cpuRatio)
        let chart = Chart(
            x: ChartAxis(logarithmic: ratios.flatMap { [$0.median, $0.low ?? $0.median, $0.high ?? $0.median] } + [1]),
            y: ChartAxis(linear: dots.map(\.share) + [100]), right: 30)
        var content = HTML.element(
            "path",
            ["class": "reference", "d": Chart.path([(chart.left, chart.py(100)), (chart.planeRight, chart.py(100))])],
            "")
        content += HTML.element(
            "path", ["class": "anchor", "d": ChartSeries(label: "", place: 0).mark(x: chart.px(1), y: chart.py(100))],
            HTML.element("title", "the anchor: 1 and 100 %"))
        content += Chart.label("anchor", x: chart.px(1) + 8, y: chart.py(100) - 7)
        let clips = Set(dots.map(\.pair.clip)).count
        for dot in dots {
            let ratio = dot.cost.cpuRatio
            let (x, y) = (chart.px(ratio.median), chart.py(dot.share))
            let tip =
                "\(dot.pair.test) on \(dot.pair.clip): \(Format.fixed(ratio.median, 2)) times the CPU time of "
                + "\(dot.pair.anchor) at \(dot.cost.words(dot.pair.score)), \(Format.fixed(dot.share, 1)) % of its bytes"
            var drawing = ""
            if let low = ratio.low, let high = ratio.high {
                drawing += HTML.element(
                    "path", ["class": "leader", "d": Chart.path([(chart.px(low), y), (chart.px(high), y)])], "")
            }
            drawing += HTML.element(
                "path", ["class": "mark", "d": dot.series.mark(x: x, y: y)], HTML.element("title", HTML.escaped(tip)))
            if dots.count <= 4 {
                let label = clips > 1 ? dot.pair.clip : dot.pair.test
                let isLeft = x < (chart.left + chart.planeRight) / 2
                drawing += Chart.label(
                    label, x: isLeft ? x + 8 : x - 8, y: y - 8, anchor: isLeft ? "start" : "end", classes: "name")
            }
            content += HTML.element("g", ["class": dot.series.classes], drawing)
        }
        return chart.svg(
            title:
                "Bytes at equal quality over CPU time, both against the anchor. The sentences below have the numbers.",
            xTitle: "times the anchor's CPU time", yTitle: "% of its bytes at equal \(Score.title(ofID: score))",
            content: content)
    }
}
