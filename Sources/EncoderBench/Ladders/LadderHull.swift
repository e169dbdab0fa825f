// SPDX-License-Identifier: MIT

package import CommandOptions
import Glibc

/// The best encodes of a clip over all sizes, and what to send at which bit rate.
package struct LadderHull: Codable, Equatable, Sendable {
    /// What is best from one bit rate up to another.
    package struct Choice: Codable, Equatable, Sendable {
        /// The label of what encodes it.
        package var variant: String
        package var width: Int
        package var height: Int
        /// Bit/s: of the first the least that was tried, of others where it gets better than the choice before.
        package var from: Double
        /// Bit/s: of the last the most that is worth it.
        package var to: Double

        package init(variant: String, width: Int, height: Int, from: Double, to: Double) {
            self.variant = variant
            self.width = width
            self.height = height
            self.from = from
            self.to = to
        }

        package var size: PictureSize { PictureSize(width: width, height: height) }
    }

    /// The label of the curve that it is of; nil for all of them together.
    package var variant: String?
    /// Places of the encodes that are its corners among the clip's, from the least bit rate on.
    package var corners: [Int]
    /// Places of the encodes that are best at their bit rates, from the least on: better than all at fewer bits, and
    /// no worse than any other size there, whose encodes are joined by straight lines over the logarithm.
    ///
    /// The hull leaves out some of them where quality rises ever faster with the logarithm.
    package var front: [Int]
    /// From the least bit rate on, each up to the next.
    package var choices: [Choice]
    /// Encodes of the front to send, from the least bit rate on: the best, and below it those whose bit rates are at
    /// least a step apart.
    package var rungs: [Int]

    /// How many times the bit rate of the rung below a rung may have at least.
    package static let steps = 1.0...10.0

    /// Finds the hull of encodes.
    ///
    /// - Parameters:
    ///   - variant: The curve whose encodes count; nil for all.
    ///   - points: All encodes of a clip, in any order.
    ///   - score: The name of the score that is the quality.
    ///   - step: How many times the bit rate of the rung below a rung has at least; one of ``steps``.
    package init(of variant: String?, _ points: [LadderPoint], score: String, step: Double) {
        let own = points.indices.filter { variant == nil || points[$0].variant == variant }
        let known = own.filter { points[$0].place(by: score) != nil }
        let places = known.compactMap { points[$0].place(by: score) }
        let corners = UpperHull(places).vertices.map { known[$0] }
        self.variant = variant
        self.corners = corners
        let front = Self.front(known, points, score: score)
        self.front = front
        choices = Self.choices(front, points, score: score)
        var rungs: [Int] = []
        for corner in front.reversed() {
            guard let above = rungs.last else {
                rungs.append(corner)
                continue
            }
            if points[corner].bitsPerSecond * step <= points[above].bitsPerSecond { rungs.append(corner) }
        }
        self.rungs = rungs.reversed()
    }

    /// The encodes that are best at their bit rates.
    private static func front(_ known: [Int], _ points: [LadderPoint], score: String) -> [Int] {
        let lines = Dictionary(grouping: known) { points[$0].variant + " " + points[$0].size.text }
            .mapValues { PolyLine($0.compactMap { points[$0].place(by: score) }) }
        var front: [Int] = []
        var best = -Double.infinity
        let places = known.compactMap { index in points[index].place(by: score).map { (index, $0) } }
        for (index, place) in places.sorted(by: { ($0.1.x, -$0.1.y, $0.0) < ($1.1.x, -$1.1.y, $1.0) })
        where place.y > best {
            guard lines.values.allSatisfy({ $0.height(at: place.x) ?? -.infinity <= place.y + 1e-9 }) else { continue }
            best = place.y
            front.append(index)
        }
        return front
    }

    private static func choices(_ corners: [Int], _ points: [LadderPoint], score: String) -> [Choice] {
        var choices: [Choice] = []
        var last: LadderPoint?
        for corner in corners {
            let point = points[corner]
            if let last, last.variant == point.variant, last.size == point.size {
                choices[choices.count - 1].to = point.bitsPerSecond
            } else {
                let from = last.map { border($0, point, points, score: score) } ?? point.bitsPerSecond
                if !choices.isEmpty { choices[choices.count - 1].to = from }
                choices.append(
                    Choice(
                        variant: point.variant, width: point.width, height: point.height, from: from,
                        to: point.bitsPerSecond))
            }
            last = point
        }
        return choices
    }

    /// Where one size gets better than another, between two corners of the hull that follow each other.
    private static func border(
        _ lower: LadderPoint, _ upper: LadderPoint, _ points: [LadderPoint], score: String
    ) -> Double {
        let lines = [lower, upper].map { corner in
            PolyLine(
                points.filter { $0.variant == corner.variant && $0.size == corner.size }
                    .compactMap { $0.place(by: score) })
        }
        let border = exp(lines[0].crossing(by: lines[1], in: log(lower.bitsPerSecond)...log(upper.bitsPerSecond)))
        // Logarithms are rounded.
        return min(max(border, lower.bitsPerSecond), upper.bitsPerSecond)
    }

    /// What to send at a bit rate; nil outside what was tried.
    package func choice(at bitsPerSecond: Double) -> Choice? {
        choices.last { $0.from <= bitsPerSecond && bitsPerSecond <= $0.to }
    }
}
