// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderBench

/// How a curve looks: its color, its dashes and its mark, the same in all charts of a page.
struct ChartSeries: Equatable {
    /// Colors that the style sheet has.
    static let colors = 6
    /// Marks, and as many kinds of dashes, which the style sheet has too; they tell curves apart where colors do not.
    static let shapes = 4

    let label: String
    /// Its place among the curves of a report.
    let place: Int

    /// The classes of its color and its dashes.
    var classes: String { "s s\(place % Self.colors) d\(place % Self.shapes)" }

    /// A piece of its line with its mark, for where it is named in a line of text.
    var key: String {
        HTML.element(
            "svg", ["class": "key \(classes)", "viewBox": "0 0 28 12", "aria-hidden": "true"], sample(x: 0, y: 6))
    }

    /// A piece of its line with its mark, 28 units wide, within a drawing.
    func sample(x: Double, y: Double) -> String {
        HTML.element("path", ["class": "line", "d": Chart.path([(x, y), (x + 28, y)])], "")
            + HTML.element("path", ["class": "mark", "d": mark(x: x + 14, y: y)], "")
    }

    /// Its mark around a point, as a path.
    func mark(x: Double, y: Double, radius r: Double = 3.6) -> String {
        func point(_ dx: Double, _ dy: Double) -> String { "\(Format.fixed(x + dx, 1)) \(Format.fixed(y + dy, 1))" }
        switch place % Self.shapes {
        case 0:
            let arc = "\(Format.fixed(r, 1)) \(Format.fixed(r, 1)) 0 1 0"
            return "M\(point(-r, 0))A\(arc) \(point(r, 0))A\(arc) \(point(-r, 0))Z"
        case 1: return "M\(point(-r, -r))L\(point(r, -r))L\(point(r, r))L\(point(-r, r))Z"
        case 2: return "M\(point(0, -r * 1.25))L\(point(r * 1.2, r))L\(point(-r * 1.2, r))Z"
        default: return "M\(point(0, -r * 1.35))L\(point(r * 1.35, 0))L\(point(0, r * 1.35))L\(point(-r * 1.35, 0))Z"
        }
    }
}

extension ComparisonReport {
    /// All curves in the order of their first points.
    var series: [ChartSeries] {
        distinct(clips.flatMap { $0.points.map(\.variant) }).enumerated().map {
            ChartSeries(label: $1, place: $0)
        }
    }
}
