// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import Synchronization

/// One encode in real time: each picture is given when a camera would have it, whether or not the encoder is ready, in
/// a process that does nothing else.
package struct PacedRun: RunKind {
    package static let name = "paced"
    package static let isTimed = true

    /// Pictures a second, as options write it; nil for the clip's own times.
    package var frameRate: String?

    package init(frameRate: String? = nil) {
        self.frameRate = frameRate
    }

    enum CodingKeys: String, CodingKey { case frameRate = "frame_rate" }

    package func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> PacedResult? {
        let rate = try frameRate.map(OptionParsing.frameRate)
        let session = try await point.work.makeSession(logger: context.logger)
        try await session.prepare()
        context.interruption.whenSignalled { [weak session] in session?.invalidate() }
        // Decoding the clip while it is encoded would take from the encoder what a camera does not.
        let source = try await context.openDecoded(point).source
        let log = Mutex(PaceLog())
        var run = EncodeRun(
            session: session, frameLimit: point.work.frameLimit, forcedKeyFrames: Set(point.work.forcedKeyFrames))
        run.give = { [session] frame, options in
            let number = options.token as? Int ?? 0
            let frame = rate.map { frame.timed(number, at: $0) } ?? frame
            let due = log.withLock { $0.due(frame.presentationTime, now: MonotonicTime.seconds) }
            MonotonicTime.sleep(until: due)
            let held = session.pendingFrameCount
            let given = MonotonicTime.seconds
            let isTaken = try session.encodeImmediately(
                frame.picture, at: frame.presentationTime, duration: frame.duration, options: options)
            log.withLock { $0.add(number, due: due, given: given, isTaken: isTaken, held: held) }
        }
        let outcome = try await run.run(from: source, to: FrameSink()) { frame in
            log.withLock { $0.add(frame) }
            progress()
        }
        guard !context.interruption.hasHappened else { return nil }
        if let error = outcome.error { throw error }
        if case .failed(let error) = outcome.firstDrop { throw error }
        return log.withLock { log in
            PacedResult(
                library: session.encoder.libraryVersion, adjustments: session.adjustments.map(\.description),
                frames: log.result, framesHeld: log.held)
        }
    }
}

/// What a run in real time was like.
package struct PacedResult: Codable, Equatable, Sendable {
    /// One picture, in display order; seconds after the first was due.
    package struct Frame: Codable, Equatable, Sendable {
        /// When a camera would have had it.
        package var due: Double
        /// When it was given.
        package var given: Double
        /// Whether the session had room for it.
        package var isTaken: Bool
        /// When its frame was encoded, by the session's own measure; nil for one that was not taken or was dropped.
        package var out: Double?
        /// Its frame's decode time.
        package var decodeTime: Double?

        enum CodingKeys: String, CodingKey {
            case due, given, out
            case isTaken = "taken"
            case decodeTime = "decode_time"
        }
    }

    package var library: String
    /// What the session did otherwise than asked, a sentence each.
    package var adjustments: [String]
    package var frames: [Frame]
    /// The most frames that were inside when the next picture was given.
    package var framesHeld: Int

    enum CodingKeys: String, CodingKey {
        case library, adjustments, frames
        case framesHeld = "frames_held"
    }
}

/// What happens in a run in real time, when.
private struct PaceLog {
    private var start: (clock: Double, time: MediaTime)?
    private var frames: [Int: PacedResult.Frame] = [:]
    private var latencies: [Int: Double] = [:]
    private(set) var held = 0

    /// When a picture is due on the clock; the first is now.
    mutating func due(_ time: MediaTime, now: Double) -> Double {
        let start = start ?? (now, time)
        self.start = start
        return start.clock + (time - start.time).seconds
    }

    mutating func add(_ number: Int, due: Double, given: Double, isTaken: Bool, held: Int) {
        let start = start?.clock ?? due
        // Its frame may be out already.
        frames[number, default: .empty].due = due - start
        frames[number, default: .empty].given = given - start
        frames[number, default: .empty].isTaken = isTaken
        self.held = max(self.held, held)
    }

    mutating func add(_ frame: EncodedFrame) {
        guard let number = frame.token as? Int, let cost = frame.cost, let start else { return }
        // Its picture may not be noted as given yet.
        latencies[number] = cost.latency / .seconds(1)
        frames[number, default: .empty].decodeTime = (frame.decodeTime - start.time).seconds
    }

    var result: [PacedResult.Frame] {
        frames.sorted { $0.key < $1.key }.map { number, frame in
            var frame = frame
            frame.out = latencies[number].map { frame.given + $0 }
            return frame
        }
    }
}

extension PacedResult.Frame {
    fileprivate static let empty = PacedResult.Frame(due: 0, given: 0, isTaken: true)
}

extension SourceFrame {
    /// The picture as one of so many a second.
    fileprivate func timed(_ number: Int, at rate: FrameRate) -> SourceFrame {
        var frame = self
        let timescale = Int32(clamping: rate.numerator)
        frame.presentationTime = MediaTime(value: Int64(number * rate.denominator), timescale: timescale)
        frame.duration = MediaTime(value: Int64(rate.denominator), timescale: timescale)
        return frame
    }
}
