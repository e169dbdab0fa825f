// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench
import Glibc
import PictureQuality

/// The curves of a clip: quality over bit rate, joined as they are compared.
struct RateQualityChart {
    let clip: ComparisonReport.Clip
    let score: Score
    let series: [ChartSeries]

    /// The chart; nil where no point has the score.
    var svg: String? {
        let curves = series.compactMap { series -> Curve? in
            let points = clip.points.filter { $0.variant == series.label && $0.bitsPerSecond > 0 }
            let known = points.compactMap { point in point.value(score.id).map { (point, $0) } }
            return known.isEmpty ? nil : Curve(series: series, points: known)
        }
        guard !curves.isEmpty else { return nil }
        let rates = curves.flatMap { $0.points.map(\.0.bitsPerSecond) }
        let isMega = (rates.max() ?? 0) >= 2_000_000
        let unit = isMega ? 1e6 : 1e3
        let longest = curves.map(\.series.label.count).max() ?? 0
        let chart = Chart(
            x: ChartAxis(logarithmic: rates.map { $0 / unit }),
            y: ChartAxis(linear: curves.flatMap { $0.points.map(\.1) }),
            right: min(24 + 7 * Double(min(longest, Self.longestLabel)), 164))
        let ends = curves.map { curve in
            let end = curve.line.last ?? (curve.points[0].0.bitsPerSecond, curve.points[0].1)
            return (x: chart.px(end.0 / unit), y: chart.py(end.1))
        }
        let places = LabelPlacement.spread(ends.map(\.y), gap: 15, in: chart.top...chart.planeBottom - 4)
        let column = (ends.map(\.x).max() ?? 0) + 14
        var content = ""
        for (curve, (end, place)) in zip(curves, zip(ends, places)) {
            content += draw(curve, on: chart, unit: unit)
            content += label(curve.series, at: (column, place), from: end)
        }
        let names = curves.map(\.series.label).joined(separator: ", ")
        return chart.svg(
            title: "\(score.title) over bit rate on \(clip.name): \(names). The table of points has the numbers.",
            xTitle: isMega ? "Mbit/s" : "kbit/s", yTitle: score.heading, content: content)
    }

    private static let longestLabel = 20

    private struct Curve {
        let series: ChartSeries
        let points: [(ComparisonReport.Point, Double)]

        /// Bit rates and values along the curve; joined by straight lines where it does not rise, as it then is not
        /// compared.
        var line: [(Double, Double)] {
            let sorted = points.filter { !$0.0.isDefault }.map { ($0.0.bitsPerSecond, $0.1) }.sorted { $0.0 < $1.0 }
            let rises = zip(sorted, sorted.dropFirst()).allSatisfy { $0.0 < $1.0 && $0.1 < $1.1 }
            guard sorted.count > 1, rises, let low = sorted.first?.1, let high = sorted.last?.1 else { return sorted }
            let curve = PiecewiseCubic(x: sorted.map(\.1), y: sorted.map { log($0.0) }, method: .pchip)
            let steps = 12 * sorted.count
            return (0...steps).compactMap { step in
                let value = min(low + (high - low) * Double(step) / Double(steps), high)
                return curve.value(at: value).map { (exp($0), value) }
            }
        }
    }

    private func draw(_ curve: Curve, on chart: Chart, unit: Double) -> String {
        var content = HTML.element(
            "path", ["class": "line", "d": Chart.path(curve.line.map { (chart.px($0.0 / unit), chart.py($0.1)) })], "")
        for (point, value) in curve.points {
            let tip = "\(point.variant), \(point.rate): \(Format.bitRate(point.bitsPerSecond)), \(score.text(value))"
            content += HTML.element(
                "path",
                [
                    "class": point.isDefault ? "mark hollow" : "mark",
                    "d": curve.series.mark(x: chart.px(point.bitsPerSecond / unit), y: chart.py(value)),
                ], HTML.element("title", HTML.escaped(point.isDefault ? tip + " (library's default)" : tip)))
        }
        return HTML.element("g", ["class": curve.series.classes], content)
    }

    /// A curve's name right of its end, with a line to it where others pushed it away.
    private func label(
        _ series: ChartSeries, at place: (x: Double, y: Double), from end: (x: Double, y: Double)
    ) -> String {
        var content = ""
        if abs(place.y - end.y) > 6 || place.x - end.x > 20 {
            content = HTML.element(
                "path", ["class": "leader", "d": Chart.path([(end.x + 5, end.y), (place.x - 3, place.y)])], "")
        }
        let name = series.label
        let short = name.count > Self.longestLabel ? name.prefix(Self.longestLabel - 1) + "…" : name
        content += Chart.label(short, x: place.x, y: place.y + 4, classes: "name")
        return HTML.element("g", ["class": series.classes], content)
    }
}
