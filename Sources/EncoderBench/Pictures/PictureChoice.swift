// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
package import PictureQuality

/// Which encodes of a pair are shown side by side, and which of their pictures: a typical one, and of the worst scene.
package struct PictureChoice: Equatable, Sendable {
    /// The anchor's point in the middle of the bit rates that both curves reach.
    package let anchor: PointSpec
    /// The test's encode of the nearest bit rate: a point, or one between its points.
    package let test: PointSpec
    /// The picture that is neither among the good nor among the bad: the median of both encodes' headline score.
    package let frame: Int
    /// Where the test curve is worst beside the anchor's at that bit rate; nil where frames have no values.
    package let worst: WorstScene?

    /// The numbers of the pictures that are shown, each once.
    package var frames: [Int] { [frame] + [worst?.worstFrame].compactMap { $0 }.filter { $0 != frame } }

    /// Chooses from what was measured; nil where one curve has no points.
    package init?(clip: Int, pair: Study.Pair, measurements: Measurements) {
        let points = measurements.study.points(ofClip: clip).filter { !$0.isDefault }
        func curve(_ variant: Int) -> [Encode] {
            points.filter { $0.variant == variant }.compactMap { point in
                measurements.results[point].flatMap { Encode(point: point, result: $0) }
            }.sorted { $0.logRate < $1.logRate }
        }
        let (anchors, tests) = (curve(pair.anchor), curve(pair.test))
        guard let place = EqualRate(anchors: anchors.map(\.logRate), tests: tests.map(\.logRate)) else { return nil }
        let (chosen, neighbor) = (anchors[place.anchor], tests[place.test])
        anchor = chosen.point
        test = Self.between(tests, at: chosen.logRate) ?? neighbor.point
        let score = measurements.study.scores.compared.first
        frame = Self.typicalFrame([chosen.result.frames, neighbor.result.frames], score)
        worst = score.flatMap { score in
            WorstScene.all(
                anchors: anchors.map(\.rated), tests: tests.map(\.rated), score: score,
                framesPerSecond: Double(chosen.result.frames.count) / chosen.result.seconds
            ).first
        }
    }

    private struct Encode {
        let point: PointSpec
        let result: PointResult
        let logRate: Double

        init?(point: PointSpec, result: PointResult) {
            guard result.byteCount > 0, result.seconds > 0 else { return nil }
            self.point = point
            self.result = result
            logRate = log(Double(result.byteCount) / result.seconds)
        }

        var rated: WorstScene.Encode {
            WorstScene.Encode(
                rate: point.rate, bitsPerSecond: Double(result.byteCount) * 8 / result.seconds, frames: result.frames)
        }
    }

    /// What decides the bits of a point, as far as there are values between two points.
    private struct RateSetting {
        let name: String
        /// The value, on the scale that is interpolated, and back.
        let scale: @Sendable (Double) -> Double
        let value: @Sendable (Double) -> Double
        let text: @Sendable (Double) -> String
        let label: @Sendable (Double) -> String

        static let all = [
            RateSetting(
                name: "ConstantRateFactor", scale: { $0 }, value: { ($0 * 4).rounded() / 4 }, text: { "\($0)" },
                label: { RateControl.constantRateFactor($0).label }),
            RateSetting(
                name: "AverageBitRate", scale: { log($0) }, value: { (exp($0) / 1000).rounded() * 1000 },
                text: { "\(Int($0))" }, label: { RateControl.averageBitRate(Int($0)).label }),
        ]
    }

    /// An encode between points that should give a bit rate; nil where there is nothing between them, or none gives it.
    private static func between(_ encodes: [Encode], at logRate: Double) -> PointSpec? {
        func settings(_ setting: RateSetting) -> [Double] {
            encodes.compactMap { $0.point.work.settings[setting.name].flatMap(Double.init) }
        }
        let rates = encodes.map(\.logRate)
        // What is the same in several encodes, such as the factor of caps, does not decide their bit rates.
        guard let setting = RateSetting.all.first(where: { Set(settings($0)).count == encodes.count }),
            encodes.count > 1,
            zip(rates, rates.dropFirst()).allSatisfy({ $0 < $1 }),
            let place = PiecewiseCubic(x: rates, y: settings(setting).map(setting.scale), method: .pchip).value(
                at: logRate)
        else { return nil }
        let value = setting.value(place)
        if let known = settings(setting).firstIndex(of: value) { return encodes[known].point }
        var point = encodes[0].point
        point.work.settings[setting.name] = setting.text(value)
        point.rate = setting.label(value)
        return point
    }

    /// The frame in the middle when they are ordered by the sum of their scores; the middle one where none has a score.
    package static func typicalFrame(_ tables: [FrameTable], _ score: Score?) -> Int {
        let count = tables.map(\.count).min() ?? 0
        let scored = (0..<count).compactMap { frame -> (frame: Int, sum: Double)? in
            let values = tables.compactMap { score?.value($0.frame(frame)) }
            guard values.count == tables.count, values.allSatisfy(\.isFinite) else { return nil }
            return (frame, values.reduce(0, +))
        }
        return scored.isEmpty ? count / 2 : scored.sorted { $0.sum < $1.sum }[scored.count / 2].frame
    }
}
