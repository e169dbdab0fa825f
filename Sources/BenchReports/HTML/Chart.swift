// SPDX-License-Identifier: MIT

import CommandOptions

/// A plane with two axes, drawn as SVG; charts add their curves.
struct Chart {
    /// Units of the drawing; 400 fit a telephone with letters that can be read.
    let width: Double
    let height: Double
    let x: ChartAxis
    let y: ChartAxis
    /// Room around the plane.
    let left = 46.0
    let top = 30.0
    let right: Double
    let bottom = 40.0

    init(x: ChartAxis, y: ChartAxis, width: Double = 400, height: Double = 280, right: Double = 14) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.right = right
    }

    var planeRight: Double { width - right }
    var planeBottom: Double { height - bottom }

    func px(_ value: Double) -> Double { left + x.share(value) * (planeRight - left) }
    func py(_ value: Double) -> Double { planeBottom - y.share(value) * (planeBottom - top) }

    /// A number as SVG takes it.
    static func n(_ value: Double) -> String { Format.fixed(value, 1) }

    /// A path through points.
    static func path(_ points: [(x: Double, y: Double)]) -> String {
        points.enumerated().map { "\($0 == 0 ? "M" : "L")\(n($1.x)) \(n($1.y))" }.joined()
    }

    /// A line of text.
    static func label(
        _ text: String, x: Double, y: Double, anchor: String = "start", classes: String = ""
    ) -> String {
        HTML.element(
            "text", ["x": n(x), "y": n(y), "text-anchor": anchor, "class": classes], HTML.escaped(text))
    }

    /// The drawing with grid, ticks and titles.
    ///
    /// - Parameters:
    ///   - title: What it shows, for those who cannot see it.
    ///   - xTitle: What the horizontal axis counts, with its unit.
    ///   - yTitle: What the vertical axis counts, with its unit.
    ///   - content: SVG within the plane.
    /// - Returns: An svg element.
    func svg(title: String, xTitle: String, yTitle: String, content: String) -> String {
        var grid = ""
        for tick in y.ticks {
            grid += HTML.element(
                "path", ["class": "grid", "d": Self.path([(left, py(tick.value)), (planeRight, py(tick.value))])], "")
            grid += Self.label(tick.label, x: left - 6, y: py(tick.value) + 4, anchor: "end")
        }
        for tick in x.ticks {
            grid += HTML.element(
                "path",
                ["class": "tick", "d": Self.path([(px(tick.value), planeBottom), (px(tick.value), planeBottom + 4)])],
                "")
            grid += Self.label(tick.label, x: px(tick.value), y: planeBottom + 17, anchor: "middle")
        }
        grid += HTML.element(
            "path", ["class": "axis", "d": Self.path([(left, planeBottom), (planeRight, planeBottom)])], "")
        grid += Self.label(yTitle, x: 4, y: 15, classes: "strong")
        grid += Self.label(xTitle, x: planeRight, y: height - 6, anchor: "end", classes: "strong")
        return Self.drawing(width: width, height: height, title: title, grid + content)
    }

    /// A drawing of a size, which a narrower page shrinks.
    static func drawing(width: Double, height: Double, title: String, _ content: String) -> String {
        HTML.element(
            "svg",
            [
                "viewBox": "0 0 \(n(width)) \(n(height))", "role": "img", "aria-label": title,
                "xmlns": "http://www.w3.org/2000/svg",
            ], content)
    }
}
