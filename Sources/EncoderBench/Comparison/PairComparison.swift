// SPDX-License-Identifier: MIT

import Glibc
package import PictureQuality

/// One encoder's curve against another's, at equal quality and as it looks at first sight.
package struct PairComparison: Codable, Equatable, Sendable {
    /// The change of the bit rate at equal quality by one measure of quality; -0.2 means 20 % less.
    package struct EqualQuality: Codable, Equatable, Sendable {
        /// What was held equal, as the points' scores name it: "psnr_y_db".
        package var score: String
        /// By shape-preserving splines, the form MPEG uses; the one to quote.
        package var pchip: Double
        /// By Akima's splines, as a check.
        package var akima: Double
        /// By one fitted polynomial, as a check.
        package var cubic: Double
        /// Over the lower half of the shared qualities.
        package var lowerHalf: Double
        /// Over the upper half.
        package var upperHalf: Double
        /// The smallest result when one point is left out; nil for curves of four points.
        package var leaveOneOutLow: Double?
        /// The largest such result.
        package var leaveOneOutHigh: Double?
        /// Qualities that both curves reach.
        package var overlapLow: Double
        package var overlapHigh: Double
        /// Share of each curve's range that the overlap is.
        package var anchorShare: Double
        package var testShare: Double
        /// Mean gain of quality at equal bit rate, in the measure's unit; nil where no bit rates are shared.
        package var gainAtEqualRate: Double?

        enum CodingKeys: String, CodingKey {
            case score
            case pchip = "rate_change_pchip"
            case akima = "rate_change_akima"
            case cubic = "rate_change_cubic"
            case lowerHalf = "rate_change_lower_half"
            case upperHalf = "rate_change_upper_half"
            case leaveOneOutLow = "rate_change_leave_one_out_low"
            case leaveOneOutHigh = "rate_change_leave_one_out_high"
            case overlapLow = "overlap_low"
            case overlapHigh = "overlap_high"
            case anchorShare = "overlap_share_of_anchor"
            case testShare = "overlap_share_of_test"
            case gainAtEqualRate = "quality_gain_at_equal_rate"
        }
    }

    /// What a comparison of both libraries' defaults suggests, and what it leaves out.
    package struct AtDefaults: Codable, Equatable, Sendable {
        /// Bytes of the test encode as a share of the anchor's.
        package var sizeRatio: Double
        /// How much better the test encode is by the first score, in its unit; negative is worse.
        package var scoreDifference: Double
        /// Bytes that the test curve needs, by interpolation, for the score of the anchor's default, as a share of that
        /// encode's; nil where the curve does not reach it.
        package var sizeRatioAtEqualScore: Double?

        enum CodingKeys: String, CodingKey {
            case sizeRatio = "size_ratio"
            case scoreDifference = "score_difference"
            case sizeRatioAtEqualScore = "size_ratio_at_equal_score"
        }
    }

    /// The curve that counts as 100 %, such as "x264 medium".
    package var anchor: String
    /// The other curve.
    package var test: String
    /// One result for each measure that the curves allow.
    package var equalQuality: [EqualQuality]
    /// Why there are fewer results, in words.
    package var refusals: [String]
    /// The same libraries at their defaults; not a fair comparison.
    package var atDefaults: AtDefaults?
    /// Where the test curve is worst beside the anchor's by the first score at about equal bit rate, worst first.
    package var worstScenes: [WorstScene] = []

    enum CodingKeys: String, CodingKey {
        case anchor, test, refusals
        case worstScenes = "worst_scenes"
        case equalQuality = "equal_quality"
        case atDefaults = "at_library_defaults"
    }
}

extension PairComparison {
    /// Compares two curves on one clip, of so many frames a second, by each score; the first makes the headline.
    package init(anchor: Curve, test: Curve, scores: [Score], framesPerSecond: Double) {
        self.anchor = anchor.label
        self.test = test.label
        var results: [EqualQuality] = []
        var refusals: [String] = []
        var headline: BjontegaardDelta?
        for score in scores {
            do throws(EncoderBenchError) {
                try Self.checkSize(anchor.points + test.points, score)
                for curve in [anchor, test] { try curve.checkCount(score) }
                let delta = try BjontegaardDelta(anchor: anchor.points(score), test: test.points(score))
                results.append(EqualQuality(score, delta))
                if score.id == scores.first?.id { headline = delta }
            } catch {
                refusals.append(Self.refusal(by: score) + error.description)
            }
        }
        equalQuality = results
        self.refusals = refusals
        worstScenes =
            scores.first.map { score in
                WorstScene.all(
                    anchors: anchor.encodes, tests: test.encodes, score: score, framesPerSecond: framesPerSecond)
            } ?? []
        let defaults = [anchor, test].compactMap(\.atDefault)
        guard defaults.count == 2, let score = scores.first?.id else { return }
        let values = defaults.compactMap { $0.value(score) }
        guard values.count == 2 else { return }
        atDefaults = AtDefaults(
            sizeRatio: Double(defaults[1].bytes) / Double(defaults[0].bytes), scoreDifference: values[1] - values[0],
            sizeRatioAtEqualScore: headline?.testRate(at: values[0]).map { $0 / defaults[0].bitsPerSecond })
    }

    /// Why the curves give no answer by a score; nil where they do.
    package func reason(_ score: Score) -> String? {
        let start = Self.refusal(by: score)
        return refusals.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    private static func refusal(by score: Score) -> String { "\(score.title): " }

    /// Refuses pictures that no point has a value of, since they are too small for the metric.
    private static func checkSize(_ points: [ComparisonReport.Point], _ score: Score) throws(EncoderBenchError) {
        let metric = Metric.all.first { $0.scores.contains { $0.id == score.id } }
        guard let side = metric?.minimumSide, side > 1, !points.isEmpty,
            points.allSatisfy({ $0.scores[score.id] == nil })
        else { return }
        throw EncoderBenchError(
            .notComparable, reason: "the pictures are too small, expected \(side) samples or more on each side")
    }

    /// The 95 % interval of the mean over all clips of a kind, by ratios of some; nil for fewer than three, or where a
    /// ratio is no positive number.
    ///
    /// What clips differ by is more than all else that makes an answer uncertain: their logarithms are taken as drawn
    /// from a normal distribution, so that the interval of so few is wide enough.
    package static func interval(_ ratios: [Double]) -> ClosedRange<Double>? {
        guard ratios.count >= 3, let interval = StudentT.interval(ratios.map { log($0) }) else { return nil }
        return exp(interval.lowerBound)...exp(interval.upperBound)
    }

    /// The qualities that curves were compared at on each of some clips; nil where these have none in common.
    package static func sharedQualities(_ answers: [EqualQuality]) -> ClosedRange<Double>? {
        guard let low = answers.map(\.overlapLow).max(), let high = answers.map(\.overlapHigh).min(), low < high else {
            return nil
        }
        return low...high
    }

    /// The points of one variant on one clip.
    package struct Curve {
        package var label: String
        package var points: [ComparisonReport.Point]
        /// Points that were planned, without the library's default.
        package var planned = 0

        /// The encode at the library's default.
        package var atDefault: ComparisonReport.Point? { points.first(where: \.isDefault) }

        /// The encodes that are on the curve, also those that equal their sources.
        fileprivate var encodes: [WorstScene.Encode] {
            points.filter { !$0.isDefault }.map {
                WorstScene.Encode(rate: $0.rate, bitsPerSecond: $0.bitsPerSecond, frames: $0.frames)
            }
        }

        /// Refuses a curve of too few points where some are missing.
        fileprivate func checkCount(_ score: Score) throws(EncoderBenchError) {
            let there = points.count { !$0.isDefault }
            guard there < planned, points(score).count < BjontegaardDelta.minimumPoints else { return }
            throw EncoderBenchError(
                .notComparable,
                reason:
                    "\(planned - there) of \(planned) points of \(label) are missing; "
                    + "\(BjontegaardDelta.minimumPoints) or more are needed"
            )
        }

        /// Points for a curve; one that equals its source has no finite quality and is on none, nor is one that
        /// another one stands for.
        fileprivate func points(_ score: Score) -> [RatePoint] {
            points.filter { !$0.isDefault && points.standIn(for: $0) == nil }.compactMap { point in
                guard let quality = point.value(score.id) else { return nil }
                return RatePoint(bitsPerSecond: point.bitsPerSecond, quality: quality)
            }
        }
    }

    /// The mean of ratios; nil where there are none or one is no positive number.
    package static func geometricMean(_ ratios: [Double]) -> Double? {
        guard !ratios.isEmpty, ratios.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        return exp(ratios.reduce(0) { $0 + log($1) } / Double(ratios.count))
    }
}

extension [ComparisonReport.Point] {
    /// The point of the same curve that is on it in place of a capped one: where a cap does not bind, or is all that
    /// decides, encodes come out alike, and a curve of both would not rise.
    ///
    /// - Parameter point: One of these.
    /// - Returns: The first that is on the curve and whose bit rate differs by less than 0.5 %; nil for one that is on
    ///   the curve itself, and for points without caps.
    func standIn(for point: ComparisonReport.Point) -> ComparisonReport.Point? {
        var onCurve: [ComparisonReport.Point] = []
        for other in self where other.cap != nil && other.variant == point.variant {
            let alike = onCurve.first { abs($0.bitsPerSecond - other.bitsPerSecond) < 0.005 * other.bitsPerSecond }
            if other.rate == point.rate { return alike }
            if alike == nil { onCurve.append(other) }
        }
        return nil
    }
}

extension PairComparison.EqualQuality {
    /// What the anchor needs of the test's bytes: a mean distance of logarithms has the same size from either side.
    package var turnedAround: PairComparison.EqualQuality {
        func inverse(_ change: Double) -> Double { 1 / (1 + change) - 1 }
        return PairComparison.EqualQuality(
            score: score, pchip: inverse(pchip), akima: inverse(akima), cubic: inverse(cubic),
            lowerHalf: inverse(lowerHalf), upperHalf: inverse(upperHalf),
            leaveOneOutLow: leaveOneOutHigh.map(inverse), leaveOneOutHigh: leaveOneOutLow.map(inverse),
            overlapLow: overlapLow, overlapHigh: overlapHigh, anchorShare: testShare, testShare: anchorShare,
            gainAtEqualRate: gainAtEqualRate.map { -$0 })
    }

    fileprivate init(_ score: Score, _ delta: BjontegaardDelta) {
        let halves = delta.halves()
        let spread = delta.leaveOneOut()
        self.init(
            score: score.id, pchip: delta.rate(.pchip), akima: delta.rate(.akima), cubic: delta.rate(.cubic),
            lowerHalf: halves.lower, upperHalf: halves.upper, leaveOneOutLow: spread?.lowerBound,
            leaveOneOutHigh: spread?.upperBound, overlapLow: delta.overlap.lowerBound,
            overlapHigh: delta.overlap.upperBound, anchorShare: delta.anchorShare, testShare: delta.testShare,
            gainAtEqualRate: delta.quality())
    }
}
