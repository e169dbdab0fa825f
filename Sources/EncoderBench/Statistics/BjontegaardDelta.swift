// SPDX-License-Identifier: MIT

import Glibc

/// One encode as a point of a rate-quality curve.
package struct RatePoint: Equatable, Sendable {
    /// Mean bit rate in bit/s, more than 0.
    package var bitsPerSecond: Double
    /// What is to be equal, larger is better: PSNR in dB, SSIM.
    package var quality: Double
}

/// How much less or more one encoder needs than another, between two curves (Bjontegaard, VCEG-M33).
///
/// Not symmetric: -50 % one way is +100 % the other, so results always say which curve is the anchor.
package struct BjontegaardDelta {
    /// Points that a curve needs.
    package static let minimumPoints = 4
    /// Share of each curve's quality range that both must have in common.
    package static let minimumOverlap = 0.5

    /// Qualities that both curves reach.
    package let overlap: ClosedRange<Double>
    /// How much of the anchor's quality range the overlap is, 0 to 1.
    package let anchorShare: Double
    /// How much of the other curve's quality range the overlap is, 0 to 1.
    package let testShare: Double
    private let anchor: [RatePoint]
    private let test: [RatePoint]

    /// Prepares a comparison.
    ///
    /// - Throws: ``EncoderBenchError`` when a curve has fewer than four points or does not rise, or when less than half
    ///   of either curve's quality range is shared.
    package init(anchor: [RatePoint], test: [RatePoint]) throws(EncoderBenchError) {
        self.anchor = try Self.check(anchor, name: "anchor")
        self.test = try Self.check(test, name: "other")
        let ranges = [self.anchor, self.test].map { ($0[0].quality, $0[$0.count - 1].quality) }
        let low = max(ranges[0].0, ranges[1].0)
        let high = min(ranges[0].1, ranges[1].1)
        let shares = ranges.map { max(high - low, 0) / ($0.1 - $0.0) }
        guard low < high, shares.allSatisfy({ $0 >= Self.minimumOverlap }) else {
            // Rounded down: what falls short of the limit must not look as if it reached it.
            let percent = shares.map { Int($0 * 100) }
            throw EncoderBenchError(
                .notComparable,
                reason:
                    "the curves share only \(percent[0]) % and \(percent[1]) % of their quality ranges, expected 50 % "
                    + "or more of both; choose points of nearer quality")
        }
        overlap = low...high
        anchorShare = shares[0]
        testShare = shares[1]
    }

    private static func check(_ points: [RatePoint], name: String) throws(EncoderBenchError) -> [RatePoint] {
        guard points.count >= minimumPoints else {
            let count = "\(points.count) point\(points.count == 1 ? "" : "s")"
            throw EncoderBenchError(
                .notComparable, reason: "the \(name) curve has \(count), expected \(minimumPoints) or more")
        }
        for point in points where !(point.bitsPerSecond > 0 && point.bitsPerSecond.isFinite && point.quality.isFinite) {
            throw EncoderBenchError(
                .notComparable,
                reason: "the \(name) curve has a point at \(point.bitsPerSecond) bit/s, expected more than 0")
        }
        let sorted = points.sorted { $0.bitsPerSecond < $1.bitsPerSecond }
        for (left, right) in zip(sorted, sorted.dropFirst())
        where left.bitsPerSecond == right.bitsPerSecond || left.quality >= right.quality {
            throw EncoderBenchError(
                .notComparable,
                reason:
                    "the \(name) curve does not rise from \(Int(left.bitsPerSecond)) to \(Int(right.bitsPerSecond)) bit/s"
            )
        }
        return sorted
    }

    /// The mean change of the bit rate at equal quality: -0.2 means that the test curve needs 20 % less.
    package func rate(_ method: PiecewiseCubic.Method = .pchip) -> Double { rate(method, over: overlap) }

    /// The mean change over the lower and over the upper half of the shared qualities.
    package func halves(_ method: PiecewiseCubic.Method = .pchip) -> (lower: Double, upper: Double) {
        let middle = (overlap.lowerBound + overlap.upperBound) / 2
        return (rate(method, over: overlap.lowerBound...middle), rate(method, over: middle...overlap.upperBound))
    }

    /// The smallest and largest change when one point of either curve is left out; nil when no curve has one to spare.
    package func leaveOneOut(_ method: PiecewiseCubic.Method = .pchip) -> ClosedRange<Double>? {
        var rates: [Double] = []
        for index in anchor.indices {
            var fewer = anchor
            fewer.remove(at: index)
            if let delta = try? BjontegaardDelta(anchor: fewer, test: test) { rates.append(delta.rate(method)) }
        }
        for index in test.indices {
            var fewer = test
            fewer.remove(at: index)
            if let delta = try? BjontegaardDelta(anchor: anchor, test: fewer) { rates.append(delta.rate(method)) }
        }
        guard let low = rates.min(), let high = rates.max() else { return nil }
        return low...high
    }

    /// The mean gain in quality at equal bit rate, in the unit of quality; nil where the curves share no bit rates.
    package func quality(_ method: PiecewiseCubic.Method = .pchip) -> Double? {
        let low = max(anchor[0].logRate, test[0].logRate)
        let high = min(anchor[anchor.count - 1].logRate, test[test.count - 1].logRate)
        guard low < high else { return nil }
        let areas = [anchor, test].map { points in
            PiecewiseCubic(x: points.map(\.logRate), y: points.map(\.quality), method: method)
                .integral(from: low, to: high)
        }
        return (areas[1] - areas[0]) / (high - low)
    }

    /// The bit rate that the test curve needs for a quality; nil where it does not reach it.
    package func testRate(at quality: Double, _ method: PiecewiseCubic.Method = .pchip) -> Double? {
        PiecewiseCubic(x: test.map(\.quality), y: test.map(\.logRate), method: method).value(at: quality)
            .map { pow(10, $0) }
    }

    private func rate(_ method: PiecewiseCubic.Method, over range: ClosedRange<Double>) -> Double {
        let areas = [anchor, test].map { points in
            PiecewiseCubic(x: points.map(\.quality), y: points.map(\.logRate), method: method)
                .integral(from: range.lowerBound, to: range.upperBound)
        }
        return pow(10, (areas[1] - areas[0]) / (range.upperBound - range.lowerBound)) - 1
    }
}

extension RatePoint {
    fileprivate var logRate: Double { log10(bitsPerSecond) }
}
