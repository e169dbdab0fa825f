// SPDX-License-Identifier: MIT

package import EncoderAPI
import Logging
import PictureQuality
import Synchronization

/// The search for a quality with one encoder: each trial is a point as comparisons have them, kept in the same store.
package struct TargetRun: Sendable {
    package let goal: TargetGoal
    package let variant: Variant
    package let clip: ClipInput.Clip
    package let encoder: EncoderDescription
    package let scale: TargetScale
    package let planner: PointPlanner
    package let runner: Runner<PointResult>
    /// Scenes that stand for the clip; nil where all of it is encoded.
    package var sample: SceneSample?
    /// Where decoded scenes are kept; nil where all of the clip is encoded.
    package var clips: DecodedClips?
    /// What encodes so with a program.
    package let command: @Sendable (RateControl) throws -> String

    package init(
        goal: TargetGoal, variant: Variant, clip: ClipInput.Clip, encoder: EncoderDescription, scale: TargetScale,
        planner: PointPlanner, runner: Runner<PointResult>, sample: SceneSample? = nil,
        clips: DecodedClips? = nil, command: @escaping @Sendable (RateControl) throws -> String
    ) {
        self.goal = goal
        self.variant = variant
        self.clip = clip
        self.encoder = encoder
        self.scale = scale
        self.planner = planner
        self.runner = runner
        self.sample = sample
        self.clips = clips
        self.command = command
    }

    /// An answer, and the encodes that it was found by.
    package typealias Found = (answer: TargetReport.Answer, points: [PointSpec])

    /// Searches.
    ///
    /// - Parameter tell: Called with each trial.
    /// - Returns: What was found, and the encodes that it was found by; nil when it was interrupted.
    /// - Throws: What made a trial fail.
    package func answer(
        tell: @Sendable (TargetReport.Trial) -> Void
    ) async throws -> Found? {
        let (facts, settings) = (clip.facts, scale.settings)
        let samples = Double(facts.width * facts.height) * (facts.framesPerSecond ?? 25)
        var search = TargetSearch(
            count: settings.count, goal: goal.value,
            first: scale.first(for: try variant.kind, samplesPerSecond: samples), stride: scale.stride)
        var measures: [Int: TargetMeasure] = [:]
        var encodes: [Int: [PointSpec]] = [:]
        var trials: [TargetReport.Trial] = []
        while let index = search.next {
            let point = try await planner.point(variant, settings[index], of: clip, on: encoder)
            let points = sample?.points(of: point) ?? [point]
            if sample != nil { await clips?.expectScenes(of: points) }
            guard let measure = try await measure(points) else { return nil }
            guard let quality = goal.score.value(measure.frames) else {
                throw EncoderBenchError(
                    .notComparable, reason: "\(goal.metric) has no value for pictures of \(facts.width)x\(facts.height)"
                )
            }
            search.add(quality, of: index)
            (measures[index], encodes[index]) = (measure, points)
            trials.append(trial(measure, point.rate))
            tell(trial(measure, point.rate))
        }
        guard let outcome = search.outcome else { return nil }
        let (found, isReached) =
            switch outcome {
            case .reached(let index): (index, true)
            case .unreachable(let best): (best, false)
            }
        guard let measure = measures[found] else { return nil }
        let result = measure.any
        let next = isReached ? measures[found - 1].map { trial($0, settings[found - 1].label) } : nil
        var answer = TargetReport.Answer(
            variant: variant.label, library: result.build.library, frames: measure.frames.count, step: scale.step,
            isReached: isReached,
            found: trial(measure, settings[found].label), next: next,
            bytesAtGoal: isReached
                ? TargetReport.Trial.bytes(at: goal.value, better: trial(measure, settings[found].label), worse: next)
                : nil, trials: trials,
            command: try command(settings[found]),
            programCommand: result.programCommand(of: facts),
            programObstacle: result.programObstacle(of: facts), adjustments: result.adjustments)
        answer.prediction = measure.prediction
        answer.prediction?.quality = SamplePrediction.quality(measure.scenes, of: goal.score)
        return (answer, encodes[found] ?? [])
    }

    private func trial(_ measure: TargetMeasure, _ rate: String) -> TargetReport.Trial {
        let quality = goal.score.value(measure.frames)
        return TargetReport.Trial(
            rate: rate, score: quality.flatMap { $0.isFinite ? $0 : nil }, bytes: measure.bytes,
            bitsPerSecond: measure.bitsPerSecond)
    }

    /// Encodes the clip, or scenes of it; nil when it was interrupted.
    private func measure(_ points: [PointSpec]) async throws -> TargetMeasure? {
        var study = Study(variants: [variant], pairs: [], metrics: [goal.metric.name])
        study.clips = [clip.facts]
        study.points = points
        let found = Mutex<(results: [PointSpec: PointResult], error: (any Error)?)>(([:], nil))
        await runner.run(study) { event in
            switch event {
            case .frame: break
            case .finished(let points, let result):
                found.withLock { found in for point in points { found.results[point] = result } }
            case .failed(_, let error): found.withLock { $0.error = $0.error ?? error }
            }
        }
        let (byPoint, error) = found.withLock { $0 }
        if let error { throw error }
        let results = points.compactMap { byPoint[$0] }
        guard results.count == points.count, let first = results.first else { return nil }
        guard let sample else { return TargetMeasure(first) }
        return try TargetMeasure(results, of: sample)
    }
}
