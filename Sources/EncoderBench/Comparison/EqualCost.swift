// SPDX-License-Identifier: MIT

import Glibc
import PictureQuality

/// What an encoder needs of bytes with as much CPU time as another takes, by interpolation between its presets.
package struct EqualCost: Codable, Equatable, Sendable {
    /// The curve whose CPU time is held equal.
    package var anchor: String
    /// The encoder whose curves are interpolated.
    package var encoder: String
    /// What was held equal besides.
    package var score: String
    /// How many bytes less or more at equal quality and CPU time, geometric mean over clips: -0.2 is 20 % less.
    package var rateChange: Double
    /// Clips on which the encoder has a curve that takes less, and one that takes more.
    package var clips: Int
    /// The curves between which the time lies, the cheaper first, of all these clips.
    package var between: [String]

    enum CodingKeys: String, CodingKey {
        case anchor, encoder, score, clips, between
        case rateChange = "rate_change"
    }

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

extension ComparisonReport {
    /// Takes up what encoding cost, and what follows of equal CPU time.
    package mutating func take(_ timing: TimingReport?) {
        self.timing = timing
        equalCost = timing.map(equalCosts) ?? []
    }

    /// For each anchor and each encoder with several curves against it, what it needs with the anchor's CPU time.
    private func equalCosts(_ timing: TimingReport) -> [EqualCost] {
        guard let score = scores.compared.first?.id else { return [] }
        let encoders = Dictionary(
            clips.flatMap(\.points).map { ($0.variant, $0.encoder) }, uniquingKeysWith: { first, _ in first })
        let timed = timing.pairs.filter { $0.threads == threadsPerEncoder }
        var groups: [(anchor: String, encoder: String)] = []
        for pair in timed {
            guard let encoder = encoders[pair.test], encoder != encoders[pair.anchor] else { continue }
            if !groups.contains(where: { $0 == (pair.anchor, encoder) }) { groups.append((pair.anchor, encoder)) }
        }
        return groups.compactMap { anchor, encoder in
            let answers = clips.compactMap { clip -> (byteRatio: Double, between: [String])? in
                EqualCost.interpolated(
                    timed.filter { $0.clip == clip.name && $0.anchor == anchor && encoders[$0.test] == encoder }
                        .compactMap { pair in
                            let found = clip.pairs.first { $0.anchor == anchor && $0.test == pair.test }
                            // The times of a better encode are no times of one that is as good.
                            guard let answer = found?.equalQuality.first(where: { $0.score == score }),
                                let times = pair.atEqualQuality, times.cpuRatio.median > 0,
                                times.isEqual(among: answer.overlapLow...answer.overlapHigh)
                            else { return nil }
                            return EqualCost.Knot(
                                curve: pair.test, cpuRatio: times.cpuRatio.median, byteRatio: 1 + answer.pchip)
                        })
            }
            guard let mean = PairComparison.geometricMean(answers.map(\.byteRatio)) else { return nil }
            return EqualCost(
                anchor: anchor, encoder: encoder, score: score, rateChange: mean - 1, clips: answers.count,
                between: distinct(answers.flatMap(\.between)))
        }
    }
}
