// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Synchronization

/// One encode for the sizes and times of its frames alone: nothing is decoded, and nothing timed.
package struct StreamRun: RunKind {
    package static let name = "stream"
    package static let isTimed = false

    package init() {}

    package func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> StreamResult? {
        let record = Mutex(StreamRecord(keepsFrames: true))
        let encoded = try await point.encode(in: context) { frame in
            record.withLock { $0.add(frame) }
            progress()
        }
        guard let (session, outcome) = encoded else { return nil }
        // Frames that rate control leaves out belong to the answer; others do not.
        if case .failed(let error) = outcome.firstDrop { throw error }
        guard outcome.encoded > 0 else { throw EncoderBenchError(.picturesMissing, reason: "no frames") }
        let rate = session.configuration.live.expectedFrameRate
        return StreamResult(
            work: point.work, build: EncoderBuild(session.encoder),
            seconds: record.withLock { $0.seconds(statedRate: rate) },
            adjustments: session.adjustments.map(\.sentence),
            givenBitsPerSecond: session.effective.live.rate.control.bitsPerSecond,
            frames: record.withLock { $0.frames })
    }
}

/// A stream, frame by frame.
package struct StreamResult: KeptResult {
    package static let suffix = ".stream.json"

    package var work: PointWork
    package var build: EncoderBuild
    /// Seconds from the first picture's time to the end of the last.
    package var seconds: Double
    /// What the session did otherwise than asked, a sentence each.
    package var adjustments: [String]
    /// The mean bit rate that the session gave the library, less than what was asked where limits leave no room for it;
    /// nil where it gave none, and in files that older versions wrote.
    package var givenBitsPerSecond: Int?
    /// Frames in decode order, dropped ones among them.
    package var frames: [FrameRecord]

    package var isWhole: Bool { !frames.isEmpty }
    /// Bytes of all access units, parameter sets included.
    package var byteCount: Int { frames.reduce(0) { $0 + $1.bytes } }
    /// Frames that were taken, and that rate control left out of the stream.
    package var droppedCount: Int { frames.count { $0.type == nil } }
}
