// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

extension Scenario {
    static let heldPictures = Scenario(
        "held-pictures",
        "A picture is let go of once its frame is out: no more are kept than the encoder's delay, early or late."
    ) { context, findings in
        for effort in ScenarioContext.Effort.allCases {
            var configuration = context.configuration(effort)
            if effort == .least, context.has(.maxFrameDelayCount) { configuration.maxFrameDelayCount = 0 }
            let video = ScenarioContext.video(for: configuration)
            let session = try context.session(configuration)
            defer { session.invalidate() }
            let counter = OutCounter()
            let reader = Task {
                for try await _ in session.encodedFrames { counter.add() }
            }
            let tally = PictureTally()
            for index in 0..<90 {
                try await session.encode(
                    try tally.picture(like: video.picture(at: index)), at: MediaTime(value: Int64(index), timescale: 30)
                )
                guard index % 30 == 29 else { continue }
                let most = context.watch.opened.last?.maximumDelay ?? 0
                // Frames come out and pictures are let go of on another thread.
                for _ in 0..<100 where tally.alive > most || counter.value + most <= index {
                    try await Task.sleep(for: .milliseconds(20))
                }
                findings.expect(
                    tally.alive <= most,
                    "\(most) pictures kept at most after frame \(index), with \(counter.value) frames out (\(effort) effort)",
                    seen: "\(tally.alive)")
            }
            try await session.finish()
            try await reader.value
            for _ in 0..<100 where tally.alive > 0 { try await Task.sleep(for: .milliseconds(20)) }
            findings.expect(
                tally.alive == 0, "no picture kept by a session that was finished (\(effort) effort)",
                seen: "\(tally.alive)")
        }
    }
}

/// Counts frames that came out.
final class OutCounter: Sendable {
    private let count = Mutex(0)

    /// How many so far.
    var value: Int { count.withLock { $0 } }

    /// Counts one.
    func add() { count.withLock { $0 += 1 } }
}

/// Counts pictures that are in use.
final class PictureTally: Sendable {
    private let count = Mutex(0)

    /// Pictures made and not let go of.
    var alive: Int { count.withLock { $0 } }

    /// A picture that shows the same in the same memory.
    func picture(like source: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        let planes = (0..<source.format.planeCount).map { plane in
            let size = source.withPlane(plane) { bytes, _ in bytes.count }
            return PixelBuffer.WrappedPlane(
                bytes: UnsafeRawBufferPointer(start: source.unsafeAddress(plane: plane), count: size),
                bytesPerRow: source.bytesPerRow(plane: plane))
        }
        count.withLock { $0 += 1 }
        return try PixelBuffer(wrapping: planes, format: source.format, width: source.width, height: source.height) {
            [self] in
            withExtendedLifetime(source) { count.withLock { $0 -= 1 } }
        }
    }
}
