// SPDX-License-Identifier: MIT

import Glibc

/// One encoder's curve against another's, at equal quality and as it looks at first sight.
struct PairComparison: Codable, Equatable, Sendable {
    /// The change of the bit rate at equal quality by one measure of quality; -0.2 means 20 % less.
    struct EqualQuality: Codable, Equatable, Sendable {
        /// What was held equal: "PSNR-Y", "PSNR 6:1:1", "SSIM", "SSIM dB".
        var measure: String
        /// By shape-preserving splines, the form MPEG uses; the one to quote.
        var pchip: Double
        /// By Akima's splines, as a check.
        var akima: Double
        /// By one fitted polynomial, as a check.
        var cubic: Double
        /// Over the lower half of the shared qualities.
        var lowerHalf: Double
        /// Over the upper half.
        var upperHalf: Double
        /// The smallest result when one point is left out; nil for curves of four points.
        var leaveOneOutLow: Double?
        /// The largest such result.
        var leaveOneOutHigh: Double?
        /// Qualities that both curves reach.
        var overlapLow: Double
        var overlapHigh: Double
        /// Share of each curve's range that the overlap is.
        var anchorShare: Double
        var testShare: Double
        /// Mean gain of quality at equal bit rate, in the measure's unit; nil where no bit rates are shared.
        var gainAtEqualRate: Double?

        enum CodingKeys: String, CodingKey {
            case measure
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
    struct AtDefaults: Codable, Equatable, Sendable {
        /// Bytes of the test encode as a share of the anchor's.
        var sizeRatio: Double
        /// How much better the test encode is, in dB of PSNR-Y; negative is worse.
        var psnrYDifference: Double

        enum CodingKeys: String, CodingKey {
            case sizeRatio = "size_ratio"
            case psnrYDifference = "psnr_y_difference_db"
        }
    }

    /// The curve that counts as 100 %, such as "x264 medium".
    var anchor: String
    /// The other curve.
    var test: String
    /// One result for each measure that the curves allow.
    var equalQuality: [EqualQuality]
    /// Why there are fewer results, in words.
    var refusals: [String]
    /// The same libraries at their defaults; not a fair comparison.
    var atDefaults: AtDefaults?
    /// CPU time of the test encodes for each second of the anchor's, point by point, as a geometric mean.
    var cpuRatio: Double?

    enum CodingKeys: String, CodingKey {
        case anchor, test, refusals
        case equalQuality = "equal_quality"
        case atDefaults = "at_library_defaults"
        case cpuRatio = "cpu_ratio"
    }
}

extension PairComparison {
    private static let measures: [(name: String, value: @Sendable (QualitySummary) -> Double?)] = [
        ("PSNR-Y", { $0.y.fromMeanSquaredError }), ("PSNR 6:1:1", { $0.weighted.fromMeanSquaredError }),
        ("SSIM", { $0.ssim }), ("SSIM dB", { $0.ssimDecibels }),
    ]

    /// Compares the points of two encoders on one clip.
    init(
        anchor: [ComparisonPoint], test: [ComparisonPoint], anchorDefault: ComparisonPoint?,
        testDefault: ComparisonPoint?
    ) {
        self.anchor = Self.name(anchor)
        self.test = Self.name(test)
        var results: [EqualQuality] = []
        var refusals: [String] = []
        for measure in Self.measures {
            let curves = [anchor, test].map { points in
                points.compactMap { point in
                    measure.value(point.quality).map {
                        RatePoint(bitsPerSecond: point.bitsPerSecond, quality: $0)
                    }
                }
            }
            do throws(OptionError) {
                let delta = try BjontegaardDelta(anchor: curves[0], test: curves[1])
                results.append(EqualQuality(measure.name, delta))
            } catch {
                refusals.append("\(measure.name): \(error)")
            }
        }
        equalQuality = results
        self.refusals = refusals
        if let anchorDefault, let testDefault {
            atDefaults = AtDefaults(
                sizeRatio: Double(testDefault.bytes) / Double(anchorDefault.bytes),
                psnrYDifference: testDefault.quality.y.fromMeanSquaredError
                    - anchorDefault.quality.y.fromMeanSquaredError)
        }
        cpuRatio = Self.geometricMean(zip(test, anchor).map { $0.cpuSeconds / $1.cpuSeconds })
    }

    private static func name(_ points: [ComparisonPoint]) -> String {
        guard let first = points.first else { return "nothing" }
        return ([first.encoder] + (first.preset.map { [$0] } ?? [])).joined(separator: " ")
    }

    /// The mean of ratios; nil where there are none or one is no positive number.
    static func geometricMean(_ ratios: [Double]) -> Double? {
        guard !ratios.isEmpty, ratios.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        return exp(ratios.reduce(0) { $0 + log($1) } / Double(ratios.count))
    }
}

extension PairComparison.EqualQuality {
    fileprivate init(_ measure: String, _ delta: BjontegaardDelta) {
        let halves = delta.halves()
        let spread = delta.leaveOneOut()
        self.init(
            measure: measure, pchip: delta.rate(.pchip), akima: delta.rate(.akima), cubic: delta.rate(.cubic),
            lowerHalf: halves.lower, upperHalf: halves.upper, leaveOneOutLow: spread?.lowerBound,
            leaveOneOutHigh: spread?.upperBound, overlapLow: delta.overlap.lowerBound,
            overlapHigh: delta.overlap.upperBound, anchorShare: delta.anchorShare, testShare: delta.testShare,
            gainAtEqualRate: delta.quality())
    }
}
