// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import Synchronization

/// One encode for how long frames are inside: each picture is given when the encoder has dealt with the one before, so
/// that no picture waits for another, in a process that does nothing else.
package struct DelayRun: RunKind {
    package static let name = "delay"
    package static let isTimed = true

    /// Seconds after which no further picture is given; nil for none, so that all are.
    package var seconds: Double?

    package init(seconds: Double? = nil) { self.seconds = seconds }

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
        let pictures = try await context.openDecoded(point).source
        let source: any VideoSource = seconds.map { TimeLimitedSource(pictures, seconds: $0) } ?? pictures
        let outcome = try await run.run(from: source, to: FrameSink()) { frame in
            if let cost = frame.cost { log.withLock { $0.latencies.append(cost.latency / .seconds(1)) } }
            progress()
        }
        guard !context.interruption.hasHappened else { return nil }
        if let error = outcome.error { throw error }
        return log.withLock { log in
            Latencies(log.latencies).map {
                EncodeDelay(latencies: $0, framesHeld: log.held, frames: log.latencies.count)
            }
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
    /// Frames that came out.
    package var frames: Int

    enum CodingKeys: String, CodingKey {
        case latencies, frames
        case framesHeld = "frames_held"
    }
}

/// A source that ends some time after its first picture.
private final class TimeLimitedSource: VideoSource {
    private let source: any VideoSource
    private let seconds: Double
    private var start: Double?

    init(_ source: any VideoSource, seconds: Double) {
        self.source = source
        self.seconds = seconds
    }

    var info: VideoSourceInfo { source.info }
    var byteOffset: Int64 { source.byteOffset }

    func next() throws(MediaFileError) -> SourceFrame? {
        let now = MonotonicTime.seconds
        guard now - (start ?? now) <= seconds else { return nil }
        start = start ?? now
        return try source.next()
    }
}
