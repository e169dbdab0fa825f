// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import PictureQuality

/// The encodes of a clip in all sizes: quality over bit rate, a thin line for each size, a heavy one for the best of
/// each curve, and a dashed one for its convex hull.
struct LadderChart {
    let clip: LadderReport.Clip
    /// The name of the score that is the quality.
    let score: String

    /// The drawing; nil where no encode has the score.
    var svg: String? {
        let known = clip.points.filter { $0.bitsPerSecond > 0 && $0.value(score) != nil }
        guard !known.isEmpty else { return nil }
        let isMega = known.contains { $0.bitsPerSecond >= 2_000_000 }
        let unit = isMega ? 1e6 : 1e3
        let longest = clip.curves.compactMap(\.variant?.count).max() ?? 0
        let chart = Chart(
            x: ChartAxis(logarithmic: known.map { $0.bitsPerSecond / unit }),
            y: ChartAxis(linear: known.compactMap { $0.value(score) }),
            right: min(24 + 7 * Double(min(longest, Self.longestLabel)), 164))
        func place(_ point: LadderPoint) -> (x: Double, y: Double) {
            (chart.px(point.bitsPerSecond / unit), chart.py(point.value(score) ?? 0))
        }
        var content = ""
        for (index, curve) in clip.curves.enumerated() {
            let series = ChartSeries(label: curve.variant ?? "", place: index)
            content += HTML.element("g", ["class": series.classes], lines(series, curve, place))
        }
        content += names(on: chart, place) + sizes(on: chart, place)
        let title = Score.title(ofID: score)
        return chart.svg(
            title: "\(title) over bit rate on \(clip.name), in all sizes. The table of encodes has the numbers.",
            xTitle: isMega ? "Mbit/s" : "kbit/s", yTitle: Score.named(score)?.heading ?? score, content: content)
    }

    private static let longestLabel = 20

    /// A line for each size, the hull, and the best with their marks.
    private func lines(
        _ series: ChartSeries, _ curve: LadderHull, _ place: (LadderPoint) -> (x: Double, y: Double)
    ) -> String {
        let own = clip.points.filter { $0.variant == curve.variant && $0.bitsPerSecond > 0 && $0.value(score) != nil }
        var content = ""
        for size in distinct(own.map(\.size.text)) {
            let line = own.filter { $0.size.text == size }.sorted { $0.bitsPerSecond < $1.bitsPerSecond }
            content += HTML.element("path", ["class": "line thin", "d": Chart.path(line.map(place))], "")
        }
        let (corners, best) = (curve.corners.map { clip.points[$0] }, curve.front.map { clip.points[$0] })
        content += HTML.element("path", ["class": "reference", "d": Chart.path(corners.map(place))], "")
        content += HTML.element("path", ["class": "line front", "d": Chart.path(best.map(place))], "")
        for point in best {
            let value = Score.named(score)?.text(point.value(score) ?? 0) ?? ""
            let tip =
                "\(point.variant), \(point.size.text), \(point.rate): \(Format.bitRate(point.bitsPerSecond)), \(value)"
            let (x, y) = place(point)
            content += HTML.element(
                "path", ["class": "mark", "d": series.mark(x: x, y: y)], HTML.element("title", HTML.escaped(tip)))
        }
        return content
    }

    /// The curves' names right of their best encodes.
    private func names(on chart: Chart, _ place: (LadderPoint) -> (x: Double, y: Double)) -> String {
        let ends = clip.curves.compactMap { $0.front.last.map { place(clip.points[$0]) } }
        let places = LabelPlacement.spread(ends.map(\.y), gap: 15, in: chart.top...chart.planeBottom - 4)
        let named = clip.curves.enumerated().filter { !$0.element.front.isEmpty }
        return zip(named, places).map { curve, y in
            let series = ChartSeries(label: curve.element.variant ?? "", place: curve.offset)
            let short =
                series.label.count > Self.longestLabel
                ? series.label.prefix(Self.longestLabel - 1) + "…" : Substring(series.label)
            let text = Chart.label(String(short), x: chart.planeRight + 6, y: y + 4, classes: "name")
            return HTML.element("g", ["class": series.classes], text)
        }.joined()
    }

    /// The size beside the first encode of each choice, as far as there is room.
    private func sizes(on chart: Chart, _ place: (LadderPoint) -> (x: Double, y: Double)) -> String {
        var marks: [LabelPlacement.Box] = []
        var labels: [(text: String, series: ChartSeries, point: (x: Double, y: Double))] = []
        for (index, curve) in clip.curves.enumerated() {
            let series = ChartSeries(label: curve.variant ?? "", place: index)
            var last: String?
            for corner in curve.front {
                let point = clip.points[corner]
                let (x, y) = place(point)
                marks.append(LabelPlacement.Box(left: x - 4, top: y - 4, width: 8, height: 8))
                if point.size.text != last { labels.append((point.size.text, series, (x, y))) }
                last = point.size.text
            }
        }
        let frame = LabelPlacement.Box(
            left: chart.left, top: chart.top, width: chart.planeRight - chart.left,
            height: chart.planeBottom - chart.top)
        let boxes = LabelPlacement.beside(
            labels.map(\.point), sizes: labels.map { (7 * Double($0.text.count), 13) }, avoiding: marks, in: frame)
        return zip(labels, boxes).compactMap { label, box in
            box.map { box in
                HTML.element(
                    "g", ["class": label.series.classes],
                    Chart.label(label.text, x: box.left, y: box.bottom - 2, classes: "name"))
            }
        }.joined()
    }
}
