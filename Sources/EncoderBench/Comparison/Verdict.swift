// SPDX-License-Identifier: MIT

import CommandOptions
package import PictureQuality

/// Whether "H.265 needs about half of H.264's bytes for the same picture" is true of what was measured.
package struct Verdict: Codable, Equatable, Sendable {
    package static let claim = "H.265 needs about half of H.264's bytes for the same picture"
    /// Shares of the bytes that "about half" stands for.
    package static let half = 0.4...0.6

    /// What follows for the claim.
    package enum Judgement: String, Codable, Sendable {
        /// All of the interval is about half.
        case holds
        /// All of it is more than that.
        case fails
        /// All of it is less than that.
        case exceeded
        /// It reaches over a limit, or holds 100 %, so that not even fewer or more is known.
        case undecided
        /// No clip gives an answer, for the reasons that the sentence has.
        case refused
    }

    /// One pair of curves over all clips.
    package struct Finding: Codable, Equatable, Sendable {
        /// The curve of H.264, whichever of the two is the comparison's anchor.
        package var h264: String
        /// The curve of H.265.
        package var h265: String
        /// What was held equal: the headline's score.
        package var score: String
        /// Bytes that H.265 needs as a share of H.264's, geometric mean over clips; nil without an answer.
        package var share: Double?
        /// From three clips on the mean's 95 % interval; below, what either half of the qualities gives.
        package var low: Double?
        package var high: Double?
        /// The least and the most of the score that curves were compared at on any clip; nil without an answer.
        package var qualityLow: Double?
        package var qualityHigh: Double?
        /// What of that all clips with an answer have in common; nil where they share none.
        package var sharedQualityLow: Double?
        package var sharedQualityHigh: Double?
        /// Clips that gave an answer.
        package var clips: Int
        /// All clips of the comparison, also those without points.
        package var clipsCompared: Int
        package var judgement: Judgement
        /// All of this in words.
        package var sentence: String

        enum CodingKeys: String, CodingKey {
            case h264, h265, score, clips, judgement, sentence
            case share = "byte_share"
            case low = "byte_share_low"
            case high = "byte_share_high"
            case qualityLow = "quality_low"
            case qualityHigh = "quality_high"
            case sharedQualityLow = "shared_quality_low"
            case sharedQualityHigh = "shared_quality_high"
            case clipsCompared = "clips_compared"
        }
    }

    package var claim = Self.claim
    /// One for each pair in which H.265 is held against H.264.
    package var findings: [Finding]
}

extension Verdict {
    /// Judges what clips' pairs gave; nil where no pair holds one codec against the other.
    ///
    /// - Parameters:
    ///   - pairs: The names of curves of H.264 and of H.265 that were compared, whichever of them was the anchor.
    ///   - clips: What was found.
    ///   - clipsCompared: All clips of the comparison, also those of which there is nothing.
    ///   - score: What was held equal.
    package init?(
        pairs: [(h264: String, h265: String)], clips: [ComparisonReport.Clip], clipsCompared: Int, score: Score?
    ) {
        guard let score, !pairs.isEmpty, !clips.isEmpty else { return nil }
        findings = pairs.map { pair in
            let compared = clips.map { clip in
                clip.pairs.first { Set([$0.anchor, $0.test]) == [pair.h264, pair.h265] }
            }
            let answers = compared.compactMap { found in
                found?.equalQuality.first { $0.score == score.id }.map {
                    found?.anchor == pair.h264 ? $0 : $0.turnedAround
                }
            }
            let reasons = compared.map { $0.map { $0.reason(score) } ?? "a curve has no points" }
            return Finding(
                h264: pair.h264, h265: pair.h265, score: score, answers: answers,
                reasons: distinct(reasons.compactMap(\.self)), clipsCompared: clipsCompared)
        }
    }
}

extension Verdict.Finding {
    fileprivate init(
        h264: String, h265: String, score: Score, answers: [PairComparison.EqualQuality], reasons: [String],
        clipsCompared: Int
    ) {
        self.h264 = h264
        self.h265 = h265
        self.score = score.id
        self.clipsCompared = clipsCompared
        clips = answers.count
        let shares = answers.map { 1 + $0.pchip }
        share = PairComparison.geometricMean(shares)
        if let interval = PairComparison.interval(shares) {
            (low, high) = (interval.lowerBound, interval.upperBound)
        } else {
            low = answers.map { 1 + min($0.lowerHalf, $0.upperHalf, $0.pchip) }.min()
            high = answers.map { 1 + max($0.lowerHalf, $0.upperHalf, $0.pchip) }.max()
        }
        qualityLow = answers.map(\.overlapLow).min()
        qualityHigh = answers.map(\.overlapHigh).max()
        let shared = PairComparison.sharedQualities(answers)
        (sharedQualityLow, sharedQualityHigh) = (shared?.lowerBound, shared?.upperBound)
        judgement = Self.judgement(low, high)
        sentence = ""
        sentence = words(score, reasons)
    }

    private static func judgement(_ low: Double?, _ high: Double?) -> Verdict.Judgement {
        guard let low, let high else { return .refused }
        if low <= 1, high >= 1 { return .undecided }
        if low > Verdict.half.upperBound { return .fails }
        if high < Verdict.half.lowerBound { return .exceeded }
        return Verdict.half.contains(low) && Verdict.half.contains(high) ? .holds : .undecided
    }

    /// How far the answer reaches: one or two clips speak for themselves alone.
    private var scope: String {
        if clips == 1, clipsCompared == 1 { return "on this clip" }
        let count = clips == clipsCompared ? "\(clips)" : "\(clips) of \(clipsCompared)"
        return clips < 3 ? "on \(count) clips" : "over \(count) clips"
    }

    private func words(_ score: Score, _ reasons: [String]) -> String {
        guard let share, let low, let high else {
            let others = reasons.count > 1 ? "; other clips have other reasons" : ""
            return "\(h265) against \(h264): no answer at equal \(score.title): \(reasons.first ?? "")\(others)"
        }
        let range = "[\(Format.percent(low)), \(Format.percent(high))]"
        var qualities = ", each clip's own,"
        if let sharedQualityLow, let sharedQualityHigh {
            let end = score.text(sharedQualityHigh)
            qualities = " from \(Format.fixed(sharedQualityLow, score.decimals)) to \(end)"
        }
        let need =
            "\(h265) needs \(Format.percent(share)) \(range) of \(h264)'s bytes at equal \(score.title)\(qualities) "
            + scope
        let conclusion =
            switch judgement {
            case .holds: "about half, as claimed"
            case .fails: "more than half, so the claim does not hold"
            case .exceeded: "clearly less than half"
            case .undecided where low <= 1 && high >= 1: "not decided, since fewer and more are both possible"
            case .undecided, .refused: "not decided, since about half and something else are both possible"
            }
        let limits = clips == 1 ? "; one clip says nothing of others" : clips == 2 ? "; two say nothing of others" : ""
        return "\(need): \(conclusion)\(limits)"
    }
}
