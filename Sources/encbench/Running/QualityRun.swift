// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import MediaFiles

/// One encode of a clip for its sizes and qualities, in this process: nothing of it is timed, so others may run beside it.
struct QualityRun: Sendable {
    /// Ends the run early when it happens.
    var interruption = OneShotEvent()
    /// Clips that need not be decoded again.
    var clips = DecodedClips()
    /// What takes the values of metrics that this program does not.
    var tools = MetricTools()
    let logger: Logger

    /// What encodes a point on this machine.
    static func build(for work: PointWork) async throws -> EncoderBuild {
        let kind = try OptionParsing.encoder(work.encoder)
        return EncoderBuild(try await kind.makeBackend().encoder(for: try work.configuration().codec))
    }

    /// Encodes, decodes and compares.
    ///
    /// - Parameters:
    ///   - point: What to do.
    ///   - progress: Called with each frame that is encoded, on another thread.
    /// - Returns: The result; nil when the run was interrupted.
    /// - Throws: ``EncoderError``, ``MediaFileError`` or ``CommandFailure``, when frames are missing.
    func result(
        of point: PointSpec, progress: @escaping @Sendable () -> Void
    ) async throws -> PointResult? {
        let kind = try OptionParsing.encoder(point.work.encoder)
        let configuration = try point.work.configuration()
        let decoded = await clips.clip(of: point)
        let source = try decoded?.open() ?? point.open()
        let outlet = QualityWriter.Outlet()
        let writer = try QualityWriter(
            codec: configuration.codec, reference: try decoded?.open() ?? point.open(),
            frameLimit: point.work.frameLimit, metrics: point.work.metrics, tools: tools, outlet: outlet)
        let session = try await kind.makeSession(configuration, logger: logger)
        try await session.prepare()
        // A point that is not finished is of no use: its frames need not come out.
        interruption.whenSignalled { [weak session] in session?.invalidate() }
        let run = EncodeRun(
            session: session, frameLimit: point.work.frameLimit,
            forcedKeyFrames: Set(point.work.forcedKeyFrames))
        let outcome = try await run.run(from: source, to: writer) { _ in progress() }
        guard !interruption.hasHappened else { return nil }
        if let error = outcome.error { throw error }
        guard outcome.encoded == outcome.submitted else {
            throw CommandFailure(
                "\(outcome.dropped) of \(outcome.submitted) frames were dropped; a comparison needs all")
        }
        guard let measured = outlet.measured else { throw CommandFailure("no frames") }
        return PointResult(
            work: point.work, build: EncoderBuild(session.encoder), processor: Machine.current().processor,
            seconds: measured.seconds, isCut: measured.isCut, adjustments: session.adjustments.map(\.description),
            command: ProgramCommand.line(kind, session.effective, of: point.work), frames: measured.frames)
    }
}
