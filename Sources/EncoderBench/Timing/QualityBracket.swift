// SPDX-License-Identifier: MIT

import Glibc

/// The encodes of a curve next to a quality, and what of theirs belongs to that quality.
package struct QualityBracket: Equatable, Sendable {
    /// One encode of a curve.
    package struct Knot: Equatable, Sendable {
        package var point: PointSpec
        /// Finite, larger is better.
        package var quality: Double
    }

    package let quality: Double
    /// One encode of that very quality, or the two between which it lies, the better first.
    package let knots: [Knot]

    /// Finds them; nil for a quality that the curve does not reach, since nothing is extrapolated.
    package init?(_ quality: Double, on curve: [Knot]) {
        self.quality = quality
        if let exact = curve.first(where: { $0.quality == quality }) {
            knots = [exact]
            return
        }
        guard let worse = curve.filter({ $0.quality < quality }).max(by: { $0.quality < $1.quality }),
            let better = curve.filter({ $0.quality > quality }).min(by: { $0.quality < $1.quality })
        else { return nil }
        knots = [better, worse]
    }

    /// Takes the encode of a curve that is nearest to a quality, and nothing of another; nil for an empty curve.
    package init?(nearest quality: Double, on curve: [Knot]) {
        guard let nearest = curve.min(by: { abs($0.quality - quality) < abs($1.quality - quality) }) else { return nil }
        self.quality = nearest.quality
        knots = [nearest]
    }

    /// What belongs to the quality where the knots took so much, in their order and more than 0 each.
    ///
    /// The logarithm is interpolated, as it is for bit rates: a step of a quantizer multiplies what an encode takes.
    package func interpolated(_ amounts: [Double]) -> Double {
        guard knots.count > 1 else { return amounts[0] }
        let curve = PiecewiseCubic(
            x: knots.map(\.quality).reversed(), y: amounts.map { log($0) }.reversed(), method: .pchip)
        return exp(curve.value(at: quality) ?? .nan)
    }

    /// The qualities that all of some curves reach; nil where there are none.
    static func sharedRange(_ curves: [[Double]]) -> ClosedRange<Double>? {
        guard curves.allSatisfy({ !$0.isEmpty }), let lowest = curves.compactMap({ $0.min() }).max(),
            let highest = curves.compactMap({ $0.max() }).min(), lowest <= highest
        else { return nil }
        return lowest...highest
    }

    /// The quality at which curves are compared with an anchor, near the middle of what all of them reach; nil where
    /// there is none.
    ///
    /// It is that of an encode, the anchor's where one is shared, so that the anchor need not be interpolated.
    package static func sharedQuality(anchor: [Double], tests: [[Double]]) -> Double? {
        guard !tests.isEmpty, let range = sharedRange([anchor] + tests) else { return nil }
        let middle = (range.lowerBound + range.upperBound) / 2
        func nearest(_ qualities: [Double]) -> Double? {
            qualities.filter(range.contains).min { abs($0 - middle) < abs($1 - middle) }
        }
        return nearest(anchor) ?? tests.lazy.compactMap(nearest).first
    }
}
