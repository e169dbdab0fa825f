// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Synchronization

/// One encode for how long frames are inside: each picture is given when the encoder has dealt with the one before, so
/// that no picture waits for another, in a process that does nothing else.
package struct DelayRun: RunKind {
    package static let name = "delay"
    package static let isTimed = true

    package init() {}

    package func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> EncodeDelay? {
        let session = try await point.work.makeSession(logger: context.logger)
        try await session.prepare()
        context.interruption.whenSignalled { [weak session] in session?.invalidate() }
        let log = Mutex((latencies: [Double](), held: 0))
        var run = EncodeRun(
            session: session, frameLimit: point.work.frameLimit, forcedKeyFrames: Set(point.work.forcedKeyFrames))
        run.give = { [session] frame, options in
            try await session.encode(frame, options: options)
            // Has nothing left to do, and takes its turn behind the picture.
            try await session.prepare()
            let pending = session.pendingFrameCount
            log.withLock { $0.held = max($0.held, pending) }
        }
        let source = try await context.clips.clip(of: point)?.open() ?? point.open()
        let outcome = try await run.run(from: source, to: FrameSink()) { frame in
            if let cost = frame.cost { log.withLock { $0.latencies.append(cost.latency / .seconds(1)) } }
            progress()
        }
        guard !context.interruption.hasHappened else { return nil }
        if let error = outcome.error { throw error }
        return log.withLock { log in
            Latencies(log.latencies).map { EncodeDelay(latencies: $0, framesHeld: log.held) }
        }
    }
}

/// How long frames are inside an encoder.
package struct EncodeDelay: Codable, Equatable, Sendable {
    /// From the moment a picture is taken to the moment its frame is encoded, by the session's own measure.
    package var latencies: Latencies
    /// The most frames that were inside after the encoder had dealt with a picture; with a given number of threads, the
    /// same on each machine.
    package var framesHeld: Int

    enum CodingKeys: String, CodingKey {
        case latencies
        case framesHeld = "frames_held"
    }
}
