// SPDX-License-Identifier: MIT

/// The least curve that is concave, never falls, and has no point above it, as far as the highest point.
///
/// Of bit rates and qualities it is what the best encodes reach: whoever sends anything else gets less for the same
/// bits, or may mix two that are on it.
package struct UpperHull: Equatable, Sendable {
    /// A point of the plane.
    package struct Point: Equatable, Sendable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// Places among the points that were given, from left to right; both coordinates rise from one to the next.
    package let vertices: [Int]
    private let corners: [Point]

    /// Finds the hull of points in any order; of several at one place the first counts.
    ///
    /// - Parameter points: Those that are not finite are left out.
    package init(_ points: [Point]) {
        let known = points.indices.filter { points[$0].x.isFinite && points[$0].y.isFinite }
        let sorted = known.sorted { left, right in
            let (first, second) = (points[left], points[right])
            return (first.x, -first.y, left) < (second.x, -second.y, right)
        }
        var chain: [Int] = []
        for place in sorted {
            let point = points[place]
            // What is not higher than something to its left, or above it, is never a corner.
            if let last = chain.last, points[last].y >= point.y { continue }
            while chain.count > 1 {
                let (before, last) = (points[chain[chain.count - 2]], points[chain[chain.count - 1]])
                if Self.turnsDown(before, last, point) { break }
                chain.removeLast()
            }
            chain.append(place)
        }
        vertices = chain
        corners = chain.map { points[$0] }
    }

    /// Whether the way over the middle point is above the straight one.
    private static func turnsDown(_ first: Point, _ middle: Point, _ last: Point) -> Bool {
        (middle.y - first.y) * (last.x - first.x) > (last.y - first.y) * (middle.x - first.x)
    }

    /// The curve's height; nil left of its first corner, and that of the last corner right of it.
    package func height(at x: Double) -> Double? {
        guard let first = corners.first, let last = corners.last, x >= first.x else { return nil }
        guard x < last.x else { return last.y }
        return PolyLine(corners).height(at: x)
    }

    /// Where the curve has a height; nil below its first corner and above its last.
    package func place(of y: Double) -> Double? {
        PolyLine(corners.map { Point(x: $0.y, y: $0.x) }).height(at: y)
    }
}

/// Points that straight lines join, from left to right.
package struct PolyLine: Equatable, Sendable {
    /// With rising x.
    package let points: [UpperHull.Point]

    /// Joins points in any order; of several with one x the highest counts.
    package init(_ points: [UpperHull.Point]) {
        var kept: [UpperHull.Point] = []
        for point in points.sorted(by: { ($0.x, -$0.y) < ($1.x, -$1.y) }) where kept.last?.x != point.x {
            kept.append(point)
        }
        self.points = kept
    }

    /// The height; nil left of the first point and right of the last.
    package func height(at x: Double) -> Double? {
        guard let first = points.first, let last = points.last, (first.x...last.x).contains(x) else { return nil }
        guard let next = points.firstIndex(where: { $0.x > x }) else { return last.y }
        let (left, right) = (points[next - 1], points[next])
        return left.y + (right.y - left.y) * (x - left.x) / (right.x - left.x)
    }

    /// Where another line gets above this one, which is not below it at the range's start, nor above it at its end.
    ///
    /// - Parameters:
    ///   - other: The line that ends above.
    ///   - range: Where to look; each line has points in some part of it.
    /// - Returns: Where they cross; where no x has both, the middle between the end of this one and the start of the
    ///   other.
    package func crossing(by other: PolyLine, in range: ClosedRange<Double>) -> Double {
        let end = min(points.last?.x ?? range.lowerBound, range.upperBound)
        let start = max(other.points.first?.x ?? range.upperBound, range.lowerBound)
        guard start < end else { return (start + end) / 2 }
        let inner = (points + other.points).map(\.x).filter { $0 > start && $0 < end }
        var last: (x: Double, lead: Double)?
        for x in [start] + inner.sorted() + [end] {
            guard let own = height(at: x), let others = other.height(at: x) else { continue }
            let lead = others - own
            if lead > 0 {
                guard let last else { return x }
                return last.x + (x - last.x) * -last.lead / (lead - last.lead)
            }
            last = (x, lead)
        }
        return end
    }
}
