// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality

/// Two encodes frame by frame: bytes, quantizers and the headline's score, one strip below the other.
struct FrameStrips {
    /// An encode whose frames are shown.
    struct Encode: Equatable {
        /// The variant's label.
        var variant: String
        /// What decided the bits.
        var rate: String
        var bitsPerSecond: Double
        var frames: FrameTable

        /// "x264 medium, crf 25".
        var name: String { "\(variant), \(rate)" }
    }

    let anchor: Encode
    let test: Encode
    /// Scores by preference; the first that both encodes have is shown.
    let scores: [Score]
    let series: [ChartSeries]

    private static let width = 960.0
    private static let left = 58.0
    private static let right = 12.0

    /// The strips as one drawing.
    var svg: String {
        var content = ""
        var top = 0.0
        func add(_ strip: String, height: Double) {
            content += HTML.element("g", ["transform": "translate(0 \(Chart.n(top)))"], strip)
            top += height
        }
        let most = Double([anchor, test].flatMap(\.frames.bytes).max() ?? 1)
        for point in [anchor, test] { add(bytes(point, most: most), height: 92) }
        let both = [anchor, test]
        if let lines = lines(both.map { $0.frames.quantizers ?? [] }, title: "quantizer", height: 76) {
            add(lines, height: 100)
        }
        let shown = scores.lazy.map { score in (score, both.map { Self.values($0, score) }) }
            .first { $0.1.allSatisfy { $0.contains { $0 != nil } } }
        if let (score, values) = shown {
            if let lines = lines(values, title: score.heading, height: 76) { add(lines, height: 100) }
        }
        content += HTML.element("g", ["transform": "translate(0 \(Chart.n(top)))"], frameNumbers)
        return Chart.drawing(
            width: Self.width, height: top + 26,
            title: "Frame by frame. " + both.map { summary($0, shown?.0) }.joined(separator: " "), content)
    }

    private static func values(_ encode: Encode, _ score: Score) -> [Double?] {
        (0..<encode.frames.count).map { frame in
            score.value(encode.frames.frame(frame)).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    /// An encode in numbers, for those who cannot see its frames.
    private func summary(_ encode: Encode, _ score: Score?) -> String {
        let bytes = encode.frames.bytes
        var parts = ["\(bytes.min() ?? 0) to \(bytes.max() ?? 0) bytes a frame"]
        let quantizers = (encode.frames.quantizers ?? []).compactMap { $0 }
        if let low = quantizers.min(), let high = quantizers.max() {
            parts.append("quantizers \(Format.fixed(low, 1)) to \(Format.fixed(high, 1))")
        }
        let values = score.map { Self.values(encode, $0).compactMap { $0 } } ?? []
        if let score, let low = values.min(), let high = values.max() {
            parts.append("\(score.title) \(Format.fixed(low, score.decimals)) to \(score.text(high))")
        }
        return "\(encode.name): \(parts.joined(separator: ", "))."
    }

    private var count: Int { max(anchor.frames.count, test.frames.count, 1) }
    private var step: Double { (Self.width - Self.left - Self.right) / Double(count) }
    private func series(of point: Encode) -> ChartSeries {
        series.first { $0.label == point.variant } ?? ChartSeries(label: point.variant, place: 0)
    }

    /// Bars, stronger for frames that others hang on: I, then P, then B.
    private func bytes(_ point: Encode, most: Double) -> String {
        let (top, bottom) = (24.0, 80.0)
        var bars: [String: String] = [:]
        for (frame, bytes) in point.frames.bytes.enumerated() {
            let height = max((bottom - top) * Double(bytes) / most, 0.5)
            let x = Self.left + Double(frame) * step
            let width = max(step - min(1.5, step * 0.2), 0.4)
            let type = point.frames.types[frame]
            bars[type.isEmpty ? "p" : type, default: ""] +=
                "M\(Chart.n(x)) \(Chart.n(bottom))v\(Chart.n(-height))h\(Chart.n(width))v\(Chart.n(height))Z"
        }
        var content = series(of: point).sample(x: Self.left, y: 11)
        content += Chart.label(point.name, x: Self.left + 36, y: 15, classes: "name")
        content += Chart.label("bytes per frame", x: Self.width - Self.right, y: 15, anchor: "end")
        content += Chart.label(Self.thousands(most), x: Self.left - 6, y: top + 8, anchor: "end")
        content += Chart.label("0", x: Self.left - 6, y: bottom, anchor: "end")
        for type in ["i", "p", "b"] {
            guard let path = bars[type] else { continue }
            // Outlines of narrow bars would leave nothing hollow.
            let isNarrow = type == "b" && step < 4
            content += HTML.element("path", ["class": "bar \(isNarrow ? "p" : type)", "d": path], "")
        }
        content += rule(bottom)
        return HTML.element("g", ["class": series(of: point).classes], content)
    }

    /// A line for each of the encodes; nil where neither has values.
    private func lines(_ values: [[Double?]], title: String, height: Double) -> String? {
        let known = values.flatMap { $0.compactMap { $0 } }
        guard !known.isEmpty else { return nil }
        let axis = ChartAxis(linear: known, count: 3)
        let (top, bottom) = (24.0, height + 10)
        func y(_ value: Double) -> Double { bottom - axis.share(value) * (bottom - top) }
        var content = Chart.label(title, x: Self.width - Self.right, y: 15, anchor: "end")
        // Every second or third where labels would touch.
        let apart = axis.ticks.count > 1 ? abs(y(axis.ticks[1].value) - y(axis.ticks[0].value)) : 0
        let every = apart > 0 ? max(Int((15 / apart).rounded(.up)), 1) : 1
        for (place, tick) in axis.ticks.enumerated() where place % every == 0 {
            content += rule(y(tick.value))
            content += Chart.label(tick.label, x: Self.left - 6, y: y(tick.value) + 4, anchor: "end")
        }
        for (point, values) in zip([anchor, test], values) {
            // A gap in the values is a gap in the line.
            var path = ""
            var isDrawing = false
            for (frame, value) in values.enumerated() {
                guard let value else {
                    isDrawing = false
                    continue
                }
                let x = Self.left + (Double(frame) + 0.5) * step
                path += "\(isDrawing ? "L" : "M")\(Chart.n(x)) \(Chart.n(y(value)))"
                isDrawing = true
            }
            content += HTML.element(
                "g", ["class": series(of: point).classes], HTML.element("path", ["class": "line", "d": path], ""))
        }
        return content
    }

    private var frameNumbers: String {
        let ticks = ChartAxis(linear: [0, Double(count - 1)], count: 10, startsAtZero: true).ticks.filter {
            $0.value == $0.value.rounded() && $0.value < Double(count)
        }
        var content = ""
        for tick in ticks {
            let x = Self.left + (tick.value + 0.5) * step
            content += Chart.label(Format.fixed(tick.value, 0), x: x, y: 14, anchor: "middle")
        }
        return content + Chart.label("frame", x: Self.left - 16, y: 14, anchor: "end")
    }

    private func rule(_ y: Double) -> String {
        HTML.element(
            "path", ["class": "grid", "d": Chart.path([(Self.left, y), (Self.width - Self.right, y)])], "")
    }

    private static func thousands(_ bytes: Double) -> String {
        bytes < 10_000 ? Format.fixed(bytes, 0) : Format.fixed(bytes / 1000, 0) + " kB"
    }
}
