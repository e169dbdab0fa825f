// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import MediaFiles
import PictureQuality

/// One encode of a clip for its sizes and qualities, in this process: nothing of it is timed, so others may run beside
/// it.
package struct QualityRun: RunKind {
    package static let name = "quality"
    package static let isTimed = false

    package init() {}

    package func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> PointResult? {
        try await result(of: point, in: context) { _ in progress() }
    }

    /// Encodes, decodes and compares.
    ///
    /// - Parameters:
    ///   - point: What to do.
    ///   - context: What the run finds around it.
    ///   - observe: Sees each frame, on another thread.
    /// - Returns: The result; nil when the run was interrupted.
    /// - Throws: ``EncoderError``, ``MediaFileError`` or ``EncoderBenchError``, when frames are missing.
    package func result(
        of point: PointSpec, in context: RunContext, observe: @escaping @Sendable (EncodedFrame) -> Void
    ) async throws -> PointResult? {
        let decoded = await context.clips.clip(of: point)
        guard !context.interruption.hasHappened else { return nil }
        let outlet = QualityWriter.Outlet()
        let writer = try QualityWriter(
            codec: try point.work.configuration().codec, reference: try decoded?.open() ?? point.open(),
            isScaledBack: point.work.scaledFrom != nil, frameLimit: point.work.frameLimit, metrics: point.work.metrics,
            tools: context.tools, outlet: outlet)
        guard let (session, outcome) = try await point.encode(in: context, to: writer, observe: observe) else {
            return nil
        }
        guard outcome.encoded == outcome.submitted else {
            throw EncoderBenchError(
                .picturesMissing,
                reason: "\(outcome.dropped) of \(outcome.submitted) frames were dropped; a comparison needs all")
        }
        guard let measured = outlet.measured else { throw EncoderBenchError(.picturesMissing, reason: "no frames") }
        let kind = try point.work.kind
        return PointResult(
            work: point.work, build: EncoderBuild(session.encoder), processor: Machine.current().processor,
            seconds: measured.seconds, isCut: measured.isCut, adjustments: session.adjustments.map(\.sentence),
            command: ProgramCommand.line(kind, session.effective, of: point.work),
            commandObstacle: ProgramCommand.obstacle(kind, session.effective, of: point.work),
            frames: measured.frames)
    }
}

extension PointSpec {
    /// Encodes the point in this process.
    ///
    /// - Parameters:
    ///   - context: What the run finds around it.
    ///   - writer: Where frames go.
    ///   - observe: Sees each frame, on another thread.
    /// - Returns: The session and what came of the pass; nil when it was interrupted.
    /// - Throws: What went wrong with the pass.
    package func encode(
        in context: RunContext, to writer: sending any EncodedFrameWriter = FrameSink(),
        observe: @escaping @Sendable (EncodedFrame) -> Void
    ) async throws -> (session: CompressionSession, outcome: EncodeRun.Outcome)? {
        let source = try scaled(try await context.clips.clip(of: self)?.open() ?? open())
        // Nothing of it is timed, and several run at a time: a queue of 16 MiB each would keep nobody busier.
        let session = try await work.makeSession(logger: context.logger, queuedBytes: 1 << 20)
        try await session.prepare()
        // A point that is not finished is of no use: its frames need not come out.
        context.interruption.whenSignalled { [weak session] in session?.invalidate() }
        let run = EncodeRun(
            session: session, frameLimit: work.frameLimit, forcedKeyFrames: Set(work.forcedKeyFrames))
        let outcome = try await run.run(from: source, to: writer, observe: observe)
        guard !context.interruption.hasHappened else { return nil }
        if let error = outcome.error { throw error }
        return (session, outcome)
    }
}

/// Takes frames and keeps nothing.
package final class FrameSink: EncodedFrameWriter {
    package func write(_ frame: EncodedFrame) {}

    package func finish() {}
}
