// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc
import PictureQuality

/// What an encoder needs of bytes with as much CPU time as another takes, by interpolation between its presets.
package struct EqualCost: Codable, Equatable, Sendable {
    /// The curve whose CPU time is held equal.
    package var anchor: String
    /// What the curves have in common that are interpolated: all but the preset.
    package var family: CurveFamily
    /// These curves, as far as they are held against the anchor and were timed.
    package var curves: [String]
    /// What was held equal besides.
    package var score: String
    /// How many bytes less or more at equal quality and CPU time, geometric mean over clips: -0.2 is 20 % less; nil
    /// without an answer.
    package var rateChange: Double?
    /// Ends of the 95 % interval of ``rateChange`` over other clips like these; nil for fewer than three.
    package var low: Double?
    package var high: Double?
    /// Clips on which a curve of the family takes less, and one takes more.
    package var clips: Int
    /// The curves between which the time lies, of all these clips: the cheaper first, or where the clips have more than
    /// two in the order of ``curves``.
    package var between: [String]
    /// Why there is no answer, in words; nil where there is one.
    package var refusal: String?

    enum CodingKeys: String, CodingKey {
        case anchor, family, curves, score, low, high, clips, between, refusal
        case rateChange = "rate_change"
    }

    /// Whether the interval holds no change, so that less and more are both possible.
    package var isUndecided: Bool { low.map { $0 <= 0 } ?? false && high.map { $0 >= 0 } ?? false }

    /// One curve beside the anchor on one clip.
    package struct Knot {
        package var curve: String
        /// How many times the anchor's CPU time it takes, more than 0.
        package var cpuRatio: Double
        /// How many times the anchor's bytes it needs, more than 0.
        package var byteRatio: Double

        package init(curve: String, cpuRatio: Double, byteRatio: Double) {
            self.curve = curve
            self.cpuRatio = cpuRatio
            self.byteRatio = byteRatio
        }
    }

    /// The bytes with the anchor's own CPU time, and the two curves next to it; nil where not both sides have one.
    ///
    /// Logarithms are interpolated: presets multiply both.
    package static func interpolated(_ knots: [Knot]) -> (byteRatio: Double, between: [String])? {
        guard let cheaper = knots.filter({ $0.cpuRatio <= 1 }).max(by: { $0.cpuRatio < $1.cpuRatio }),
            let dearer = knots.filter({ $0.cpuRatio >= 1 }).min(by: { $0.cpuRatio < $1.cpuRatio })
        else { return nil }
        guard cheaper.cpuRatio < dearer.cpuRatio else { return (cheaper.byteRatio, [cheaper.curve]) }
        let share = -log(cheaper.cpuRatio) / (log(dearer.cpuRatio) - log(cheaper.cpuRatio))
        let logarithm = log(cheaper.byteRatio) + share * (log(dearer.byteRatio) - log(cheaper.byteRatio))
        return (exp(logarithm), [cheaper.curve, dearer.curve])
    }
}

// MARK: - From times to answers

extension EqualCost {
    /// What one clip says of a family.
    fileprivate enum Finding {
        case answer(byteRatio: Double, between: [String])
        case none(Obstacle)
    }

    /// Why a clip gives no answer.
    fileprivate enum Obstacle: Hashable {
        /// A curve has no answer at equal quality.
        case noBytes
        /// A curve has no times.
        case noTimes
        /// The encodes whose times these are were not as good as each other.
        case unequal
        /// Each curve takes more than the anchor: the least of them so many times as much.
        case dearer(Double)
        /// Each takes less: the most of them so many times as much.
        case cheaper(Double)

        /// Whether it is of one kind with another.
        func isLike(_ other: Obstacle) -> Bool {
            switch (self, other) {
            case (.noBytes, .noBytes), (.noTimes, .noTimes), (.unequal, .unequal), (.dearer, .dearer),
                (.cheaper, .cheaper):
                true
            default: false
            }
        }
    }

    /// What one clip's times and bytes say.
    ///
    /// - Parameters:
    ///   - pairs: The times of a family's curves against the anchor on the clip.
    ///   - clip: What was found of the clip.
    ///   - score: What is held equal.
    /// - Returns: The bytes at the anchor's time, or why there is no such number.
    fileprivate static func finding(
        _ pairs: [TimingReport.Pair], on clip: ComparisonReport.Clip, score: String
    ) -> Finding {
        var knots: [Knot] = []
        var obstacles: [Obstacle] = []
        for pair in pairs {
            let found = clip.pairs.first { $0.anchor == pair.anchor && $0.test == pair.test }
            guard let answer = found?.equalQuality.first(where: { $0.score == score }) else {
                obstacles.append(.noBytes)
                continue
            }
            guard let times = pair.atEqualQuality, times.cpuRatio.median > 0 else {
                obstacles.append(.noTimes)
                continue
            }
            // The times of a better encode are no times of one that is as good.
            guard times.isEqual(among: answer.overlapLow...answer.overlapHigh) else {
                obstacles.append(.unequal)
                continue
            }
            knots.append(Knot(curve: pair.test, cpuRatio: times.cpuRatio.median, byteRatio: 1 + answer.pchip))
        }
        if let found = interpolated(knots) { return .answer(byteRatio: found.byteRatio, between: found.between) }
        if let obstacle = obstacles.first { return .none(obstacle) }
        let ratios = knots.map(\.cpuRatio)
        guard let least = ratios.min(), let most = ratios.max() else { return .none(.noTimes) }
        return .none(least > 1 ? .dearer(least) : .cheaper(most))
    }

    /// Why no clip gives an answer, in words.
    fileprivate static func refusal(_ obstacles: [Obstacle], curves: Int) -> String {
        guard let first = obstacles.first else { return "no clip was timed" }
        let others = obstacles.contains { !$0.isLike(first) } ? "; other clips have other reasons" : ""
        let subject = curves == 1 ? "its one curve takes" : "each of its curves takes"
        let ratios = obstacles.compactMap { obstacle -> Double? in
            switch obstacle {
            case .dearer(let ratio), .cheaper(let ratio): obstacle.isLike(first) ? ratio : nil
            default: nil
            }
        }
        let reason =
            switch first {
            case .noBytes: "not all of its curves have an answer at equal quality"
            case .noTimes: "not all of its curves have times"
            case .unequal: "encodes that were timed are not as good as each other; --rounds interpolates between more"
            case .dearer:
                "\(subject) more CPU time, \(Format.fixed(ratios.min() ?? 1, 2)) times as much or more"
            case .cheaper:
                "\(subject) less CPU time, \(Format.fixed(ratios.max() ?? 1, 2)) times as much or less"
            }
        return reason + others
    }
}

extension ComparisonReport {
    /// Takes up what encoding cost, and what follows of equal CPU time.
    package mutating func take(_ timing: TimingReport?) {
        self.timing = timing
        equalCost = timing.map(equalCosts) ?? []
    }

    /// For each anchor and each family of curves against it, what the family needs with the anchor's CPU time.
    private func equalCosts(_ timing: TimingReport) -> [EqualCost] {
        guard let score = scores.compared.first?.id else { return [] }
        let families = families
        let timed = timing.pairs.filter { $0.threads == threadsPerEncoder }
        var groups: [(anchor: String, family: CurveFamily)] = []
        for pair in timed {
            // A curve beside others of its own family is not held against another encoder.
            guard let family = families[pair.test], family != families[pair.anchor] else { continue }
            if !groups.contains(where: { $0 == (pair.anchor, family) }) { groups.append((pair.anchor, family)) }
        }
        return groups.map { anchor, family in
            let pairs = timed.filter { $0.anchor == anchor && families[$0.test] == family }
            var answers: [(byteRatio: Double, between: [String])] = []
            var obstacles: [EqualCost.Obstacle] = []
            for clip in clips {
                let own = pairs.filter { $0.clip == clip.name }
                guard !own.isEmpty else { continue }
                switch EqualCost.finding(own, on: clip, score: score) {
                case .answer(let byteRatio, let between): answers.append((byteRatio, between))
                case .none(let obstacle): obstacles.append(obstacle)
                }
            }
            let curves = distinct(pairs.map(\.test))
            let between = distinct(answers.flatMap(\.between))
            let mean = PairComparison.geometricMean(answers.map(\.byteRatio))
            let interval = PairComparison.interval(answers.map(\.byteRatio))
            return EqualCost(
                anchor: anchor, family: family, curves: curves, score: score, rateChange: mean.map { $0 - 1 },
                low: interval.map { $0.lowerBound - 1 }, high: interval.map { $0.upperBound - 1 }, clips: answers.count,
                between: between.count > 2 ? curves.filter(between.contains) : between,
                refusal: mean == nil ? EqualCost.refusal(obstacles, curves: curves.count) : nil)
        }
    }
}
