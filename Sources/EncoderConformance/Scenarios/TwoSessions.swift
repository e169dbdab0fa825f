// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures
import Logging

extension Scenario {
    static let twoSessions = Scenario(
        "two-sessions",
        "Sessions of both codecs, started at different times, encode the same pictures as each would alone.",
        settings: [.maxKeyFrameInterval], needsCompanion: true
    ) { context, findings in
        guard let companion = context.companion else { return }
        var first = context.configuration()
        first.live.maxKeyFrameInterval = 8
        var second = ScenarioContext.configuration(companion.encoder, .usual)
        if companion.encoder.capabilities.settings.contains(.maxKeyFrameInterval) {
            second.live.maxKeyFrameInterval = 5
        }
        second.framing = .annexB
        second.parameterSets = .everySyncFrame

        let video = ScenarioContext.video(for: first)
        var pictures: [PixelBuffer] = []
        for index in 0..<30 { pictures.append(try video.picture(at: index)) }
        let late = 10
        let alone = try await runAlone(
            Part(first, context.encoder, context.backend, GivenFrame.series(30), context.logger), pictures: pictures)
        let runs = try await runTogether(
            Part(first, context.encoder, context.backend, GivenFrame.series(30), context.logger),
            Part(
                second, companion.encoder, companion.backend, GivenFrame.series(20, rate: 25, start: 1000),
                context.logger), late: late,
            pictures: pictures)

        for (run, name) in zip(runs, [context.encoder.displayName, companion.encoder.displayName]) {
            findings.add(run.check(findings.scenario), in: name)
            let encoded = run.frames.filter { $0.accessUnit != nil }.count
            findings.expect(encoded == run.given.count, "\(run.given.count) frames of \(name)", seen: "\(encoded)")
            guard let interval = run.configuration.live.maxKeyFrameInterval else { continue }
            findings.expect(
                run.intervals(run.syncIndices).allSatisfy { $0 <= interval },
                "sync frames every \(interval) of \(name)",
                seen: "\(run.syncIndices)")
        }
        findings.expect(
            runs[0].frames.compactMap { $0.accessUnit?.data } == alone.frames.compactMap { $0.accessUnit?.data },
            "the same stream as without the other session", seen: "another")
    }

    static let sessionsAtOnce = Scenario(
        "sessions-at-once",
        "Two sessions of one encoder, fed in turn with different pictures, encode what each would alone, in less than "
            + "five times the time: of one size and of two, and where one is updated and has a key frame forced."
    ) { context, findings in
        let configuration = context.configuration()
        let part = Part(configuration, context.encoder, context.backend, GivenFrame.series(30), context.logger)
        var other = part
        other.configuration = context.repeatable(configuration)
        var updated = other
        (other.configuration.width, other.configuration.height) = (configuration.height, configuration.width)
        updated.given = GivenFrame.series(30, forced: context.has(.forceKeyFrame) ? [17] : [])
        if context.has(.averageBitRate) {
            other.configuration.live.averageBitRate = 300_000
            updated.configuration.live.averageBitRate = 300_000
            updated.update = { $0.averageBitRate = 100_000 }
        }
        var ratios: [Double] = []
        for (first, second) in [(part, part), (updated, other), (other, updated)] {
            let pictures = [try first.pictures(.calm), try second.pictures(.busy)]
            let start = ContinuousClock.now
            let alone = [
                try await runAlone(first, pictures: pictures[0]), try await runAlone(second, pictures: pictures[1]),
            ]
            let middle = ContinuousClock.now
            let together = try await runTogether(first, second, late: 0, pictures: pictures[0], others: pictures[1])
            ratios.append((ContinuousClock.now - middle) / max(middle - start, .milliseconds(100)))
            for (number, (alone, together)) in zip(alone, together).enumerated() {
                findings.add(together.check(findings.scenario), in: "session \(number)")
                findings.expect(
                    together.stream == alone.stream, "the same stream of session \(number) as without the other",
                    seen: "another")
            }
        }
        let least = ratios.min() ?? 1
        findings.expect(
            least < 5, "both sessions within five times the time of one after the other", seen: "\(least) times")
    }

    /// One of the sessions.
    private struct Part: Sendable {
        var configuration: SessionConfiguration
        let encoder: EncoderDescription
        let backend: any EncoderBackend
        var given: [GivenFrame]
        let logger: Logger
        /// What changes before frame 12.
        var update: (@Sendable (inout LiveSettings) -> Void)?

        init(
            _ configuration: SessionConfiguration, _ encoder: EncoderDescription, _ backend: any EncoderBackend,
            _ given: [GivenFrame], _ logger: Logger
        ) {
            self.configuration = configuration
            self.encoder = encoder
            self.backend = backend
            self.given = given
            self.logger = logger
        }

        func session() throws(EncoderError) -> CompressionSession {
            try CompressionSession(configuration, encoder: encoder, of: backend, logger: logger)
        }

        func pictures(_ content: SyntheticVideo.Content) throws(EncoderError) -> [PixelBuffer] {
            let video = ScenarioContext.video(for: configuration, content)
            var pictures: [PixelBuffer] = []
            for index in given.indices { pictures.append(try video.picture(at: index)) }
            return pictures
        }

        func update(_ session: CompressionSession, before index: Int) async throws {
            guard index == 12, let update else { return }
            _ = try await session.update(update)
        }
    }

    private static func runAlone(_ part: Part, pictures: [PixelBuffer]) async throws -> SessionRun {
        try await ScenarioContext.run(
            part.session(), part.given, picture: { pictures[$0] },
            before: { index, session in try await part.update(session, before: index) })
    }

    /// Gives each picture to the first session and, from picture `late` on, to the second as well, or another.
    private static func runTogether(
        _ first: Part, _ second: Part, late: Int, pictures: [PixelBuffer], others: [PixelBuffer]? = nil
    ) async throws -> [SessionRun] {
        let started = try first.session()
        let later = try second.session()
        async let firstFrames = ScenarioContext.read(started.encodedFrames)
        async let secondFrames = ScenarioContext.read(later.encodedFrames)
        for (index, picture) in pictures.enumerated() {
            try await give(picture, index, first, to: started)
            if index >= late { try await give(others?[index] ?? picture, index - late, second, to: later) }
        }
        try await started.finish()
        try await later.finish()
        let frames = try await (firstFrames, secondFrames)
        return [
            SessionRun(
                configuration: first.configuration, given: first.given, frames: frames.0,
                adjustments: started.adjustments),
            SessionRun(
                configuration: second.configuration, given: second.given, frames: frames.1,
                adjustments: later.adjustments),
        ]
    }

    private static func give(
        _ picture: PixelBuffer, _ index: Int, _ part: Part, to session: CompressionSession
    ) async throws {
        let frame = part.given[index]
        try await part.update(session, before: index)
        try await session.encode(
            picture, at: frame.time, duration: frame.duration,
            options: FrameOptions(forceKeyFrame: frame.forceKeyFrame, token: index))
    }
}
