// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderBench

@Suite struct UpperHullTests {
    /// Points of any kind: some at one place, on one line, or with equal coordinates.
    private static func points(_ random: inout SeededGenerator) -> [UpperHull.Point] {
        let isCoarse = Bool.random(using: &random)
        return (0..<Int.random(in: 1...24, using: &random)).map { _ in
            isCoarse
                ? UpperHull.Point(
                    x: Double(Int.random(in: 0...5, using: &random)), y: Double(Int.random(in: 0...5, using: &random)))
                : UpperHull.Point(
                    x: Double.random(in: 5...17, using: &random), y: Double.random(in: 20...50, using: &random))
        }
    }

    @Test("no point lies above the hull, from the leftmost on, and its corners are points")
    func above() {
        var random = SeededGenerator()
        for _ in 0..<2000 {
            let points = Self.points(&random)
            let hull = UpperHull(points)
            for point in points {
                let height = hull.height(at: point.x)
                #expect(height.map { $0 >= point.y - 1e-9 } == true, "\(point) of \(points)")
            }
            #expect(hull.height(at: (points.map(\.x).min() ?? 0) - 0.001) == nil)
            for corner in hull.vertices { #expect(hull.height(at: points[corner].x) == points[corner].y) }
        }
    }

    @Test("the hull rises from corner to corner, ever less steeply, up to the highest point")
    func concave() {
        var random = SeededGenerator()
        for _ in 0..<2000 {
            let points = Self.points(&random)
            let corners = UpperHull(points).vertices.map { points[$0] }
            let steps = zip(corners, corners.dropFirst()).map { (x: $1.x - $0.x, y: $1.y - $0.y) }
            #expect(steps.allSatisfy { $0.x > 0 && $0.y > 0 })
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.y * $1.x > $1.y * $0.x }, "\(corners)")
            #expect(corners.last?.y == points.map(\.y).max() && corners.first?.x == points.map(\.x).min())
        }
    }

    @Test("the order of points does not matter")
    func order() {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let points = Self.points(&random)
            let shuffled = points.shuffled(using: &random)
            #expect(UpperHull(points).vertices.map { points[$0] } == UpperHull(shuffled).vertices.map { shuffled[$0] })
        }
    }

    @Test("a corner that is taken away lowers the hull there, so that none is there for nothing")
    func needed() {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let points = Self.points(&random)
            for corner in UpperHull(points).vertices {
                let rest = points.filter { $0 != points[corner] }
                let height = UpperHull(rest).height(at: points[corner].x) ?? -.infinity
                #expect(height < points[corner].y, "\(points[corner]) of \(points)")
            }
        }
    }

    @Test("the place of a height is where the hull has it")
    func inverse() throws {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let points = Self.points(&random)
            let hull = UpperHull(points)
            let (first, last) = (points[hull.vertices[0]].y, points[hull.vertices[hull.vertices.count - 1]].y)
            let height = Double.random(in: first...last, using: &random)
            let place = try #require(hull.place(of: height))
            #expect(try abs(#require(hull.height(at: place)) - height) < 1e-9)
            #expect(hull.place(of: first - 0.01) == nil && hull.place(of: last + 0.01) == nil)
        }
    }

    @Test("points that are no numbers are left out, and without points there is no height")
    func notFinite() {
        let points = [(1, 2), (Double.nan, 3), (2, .infinity), (-.infinity, 1), (3, 4)].map {
            UpperHull.Point(x: $0.0, y: $0.1)
        }
        #expect(UpperHull(points).vertices == [0, 4])
        #expect(UpperHull([]).vertices.isEmpty && UpperHull([]).height(at: 0) == nil)
    }

    @Test("lines cross where both have the same height, in whatever pieces they have it")
    func crossing() {
        var random = SeededGenerator()
        for _ in 0..<500 {
            // One starts above and ends below: a line of slope 1 and a steeper one, which meet at x = meeting.
            let (meeting, slope) = (
                Double.random(in: 2...8, using: &random), Double.random(in: 1.5...4, using: &random)
            )
            func line(_ slope: Double, _ count: Int) -> PolyLine {
                let inner = (0..<count).map { _ in Double.random(in: 0...10, using: &random) }
                return PolyLine(([0, 10] + inner).map { UpperHull.Point(x: $0, y: slope * ($0 - meeting)) })
            }
            let (lower, upper) = (line(1, Int.random(in: 0...4, using: &random)), line(slope, 3))
            #expect(abs(lower.crossing(by: upper, in: 0...10) - meeting) < 1e-6)
        }
    }

    @Test("lines that share no place cross in the middle between them, or where the better one starts")
    func apart() {
        func line(_ points: [(Double, Double)]) -> PolyLine {
            PolyLine(points.map { UpperHull.Point(x: $0.0, y: $0.1) })
        }
        let low = line([(0, 0), (2, 2)])
        #expect(low.crossing(by: line([(5, 5), (6, 8)]), in: 2...5) == 3.5)
        // Above at once, where it starts.
        #expect(line([(0, 0), (4, 1)]).crossing(by: line([(3, 2), (6, 8)]), in: 0...6) == 3)
        // Never above as far as both are known.
        #expect(line([(0, 0), (4, 9)]).crossing(by: line([(3, 2), (6, 10)]), in: 0...6) == 4)
    }
}
