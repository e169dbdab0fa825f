// SPDX-License-Identifier: MIT

package import EncoderAPI
import Logging
import PictureQuality

/// The search for a quality with one encoder: each trial is a point as comparisons have them, kept in the same store.
package struct TargetRun: Sendable {
    package let goal: TargetGoal
    package let variant: Variant
    package let clip: ClipInput.Clip
    package let encoder: EncoderDescription
    package let scale: TargetScale
    package let planner: PointPlanner
    package let runner: Runner<PointResult>
    /// What encodes so with a program.
    package let command: @Sendable (RateControl) throws -> String

    package init(
        goal: TargetGoal, variant: Variant, clip: ClipInput.Clip, encoder: EncoderDescription, scale: TargetScale,
        planner: PointPlanner, runner: Runner<PointResult>, command: @escaping @Sendable (RateControl) throws -> String
    ) {
        self.goal = goal
        self.variant = variant
        self.clip = clip
        self.encoder = encoder
        self.scale = scale
        self.planner = planner
        self.runner = runner
        self.command = command
    }

    /// Searches.
    ///
    /// - Parameter tell: Called with each trial.
    /// - Returns: What was found; nil when it was interrupted.
    /// - Throws: What made a trial fail.
    package func answer(tell: @Sendable (TargetReport.Trial) -> Void) async throws -> TargetReport.Answer? {
        let (facts, settings) = (clip.facts, scale.settings)
        let samples = Double(facts.width * facts.height) * (facts.framesPerSecond ?? 25)
        var search = TargetSearch(
            count: settings.count, goal: goal.value,
            first: scale.first(for: try variant.kind, samplesPerSecond: samples), stride: scale.stride)
        var results: [Int: PointResult] = [:]
        var trials: [TargetReport.Trial] = []
        while let index = search.next {
            let point = try await planner.point(variant, settings[index], of: clip, on: encoder)
            guard let result = try await runner.result(of: point, variant: variant, clip: facts) else { return nil }
            guard let quality = goal.score.value(result.frames) else {
                throw EncoderBenchError(
                    .notComparable, reason: "\(goal.metric) has no value for pictures of \(facts.width)x\(facts.height)"
                )
            }
            search.add(quality, of: index)
            results[index] = result
            trials.append(trial(result, point.rate))
            tell(trial(result, point.rate))
        }
        guard let outcome = search.outcome else { return nil }
        let (found, isReached) =
            switch outcome {
            case .reached(let index): (index, true)
            case .unreachable(let best): (best, false)
            }
        guard let result = results[found] else { return nil }
        let next = isReached ? results[found - 1].map { trial($0, settings[found - 1].label) } : nil
        return TargetReport.Answer(
            variant: variant.label, library: result.build.library, frames: result.frames.count, step: scale.step,
            isReached: isReached,
            found: trial(result, settings[found].label), next: next,
            bytesAtGoal: isReached
                ? TargetReport.Trial.bytes(at: goal.value, better: trial(result, settings[found].label), worse: next)
                : nil, trials: trials,
            command: try command(settings[found]),
            programCommand: result.programCommand(of: facts),
            programObstacle: result.programObstacle(of: facts), adjustments: result.adjustments)
    }

    private func trial(_ result: PointResult, _ rate: String) -> TargetReport.Trial {
        let quality = goal.score.value(result.frames)
        return TargetReport.Trial(
            rate: rate, score: quality.flatMap { $0.isFinite ? $0 : nil }, bytes: result.byteCount,
            bitsPerSecond: result.seconds > 0 ? Double(result.byteCount) * 8 / result.seconds : 0)
    }
}
