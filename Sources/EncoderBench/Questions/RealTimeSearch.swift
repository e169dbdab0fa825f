// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderAPI
import PictureQuality

/// Finds the setting at which an encoder, set up for real time, gives a clip one quality, so that encoders are raced at
/// the same.
package struct RealTimeSearch: Sendable {
    /// Sets encoders up for real time, and measures ``Metric/squaredError``.
    package let planner: PointPlanner
    package let runner: Runner<PointResult>

    package init(planner: PointPlanner, runner: Runner<PointResult>) {
        self.planner = planner
        self.runner = runner
    }

    /// What was found for one encoder.
    package struct Found: Sendable {
        package var rate: RateControl
        package var quality: RealTimeReport.EqualQuality
    }

    /// The quality that an encoder gives by its own default.
    ///
    /// - Parameters:
    ///   - variant: The encoder.
    ///   - clip: What it encodes.
    ///   - encoder: Its description.
    /// - Returns: What it gives; nil where all pictures equal their sources, so that no other can be held to it.
    /// - Throws: ``Interrupted``; what made the encode fail.
    package func usual(
        _ variant: Variant, of clip: ClipInput.Clip, on encoder: EncoderDescription
    ) async throws -> Found? {
        let point = try await planner.point(variant, .automatic, of: clip, on: encoder)
        guard let result = try await runner.result(of: point, variant: variant, clip: clip.facts) else {
            throw Interrupted()
        }
        guard let psnr = PSNR.ofLuma(result.frames), psnr.isFinite else { return nil }
        return Found(
            rate: .automatic,
            quality: RealTimeReport.EqualQuality(
                goal: psnr, psnr: psnr, bytes: result.byteCount, bytesAtGoal: Double(result.byteCount)))
    }

    /// The cheapest setting with which an encoder reaches a quality.
    ///
    /// - Parameters:
    ///   - goal: PSNR of luma in dB.
    ///   - variant: The encoder.
    ///   - clip: What it encodes.
    ///   - encoder: Its description.
    ///   - tell: Called with each trial.
    /// - Returns: The setting, and what it gives.
    /// - Throws: ``EncoderBenchError`` where none reaches it; ``Interrupted``; what made an encode fail.
    package func found(
        goal: Double, _ variant: Variant, of clip: ClipInput.Clip, on encoder: EncoderDescription,
        tell: @Sendable (TargetReport.Trial) -> Void
    ) async throws -> Found {
        let scale = TargetScale(of: try variant.kind)
        let target = TargetGoal(metric: .squaredError, value: goal)
        let run = TargetRun(
            goal: target, variant: variant, clip: clip, encoder: encoder, scale: scale, planner: planner,
            runner: runner, command: { _ in "" })
        guard let (answer, _) = try await run.answer(tell: tell) else { throw Interrupted() }
        guard answer.isReached, let rate = scale.settings.first(where: { $0.label == answer.found.rate }) else {
            throw EncoderBenchError(
                .notComparable,
                reason: "\(target.text) is not reached in real time; the best is "
                    + "\(target.score.text(answer.found.score ?? .infinity)) at \(answer.found.rate)")
        }
        return Found(
            rate: rate,
            quality: RealTimeReport.EqualQuality(
                goal: goal, psnr: answer.found.score, bytes: answer.found.bytes, bytesAtGoal: answer.bytesAtGoal))
    }
}
