// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import Synchronization
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Applications that encode a live source and end by `invalidate`, as those for VideoToolbox often do.
@Suite(.timeLimit(.minutes(2))) struct RealTimeClientTests {
    private static let backends: [(any ImmediateBackend, VideoCodec)] = [
        (X264Backend(), .h264), (X265Backend(), .hevc),
    ]
    private static let clip = TestClip.textures(width: 176, height: 144, count: 12)

    @Test(
        "a client that ends by invalidate loses no frame but the last, whatever the preset", arguments: [0, 1],
        [(nil, nil), (nil, 30), ("ultrafast", nil), ("ultrafast", 30), ("medium", nil), ("medium", 30)]
            as [(String?, FrameRate?)])
    func invalidated(index: Int, settings: (preset: String?, frameRate: FrameRate?)) async throws {
        let (backend, codec) = Self.backends[index]
        var configuration = SessionConfiguration(codec: codec, width: Self.clip.width, height: Self.clip.height)
        configuration.realTime = true
        configuration.preset = settings.preset
        configuration.live.expectedFrameRate = settings.frameRate
        configuration.live.averageBitRate = 300_000
        let session = try CompressionSession(configuration, encoder: backend, logger: .silent)
        let arrivals = Arrivals()
        try session.deliver { arrivals.note($0) }
        let last = Self.clip.frames.count - 1
        let came = try await onThread {
            for frame in 0...last {
                try session.synchronous.encode(
                    try Self.clip.pixelBuffer(frame), at: MediaTime(value: Int64(frame), timescale: 30),
                    options: FrameOptions(token: frame))
                // The next frame of a source would come later than this one out of the encoder; the last has no next.
                guard frame < last, arrivals.waitForNext() else { break }
            }
            session.invalidate()
            return arrivals.tokens
        }
        #expect(came.starts(with: 0..<last))
    }

    /// What came out of a session, in order.
    private final class Arrivals: Sendable {
        private let arrived = DispatchSemaphore(value: 0)
        private let noted = Mutex<[Int]>([])

        var tokens: [Int] { noted.withLock { $0 } }

        func note(_ frame: EncodedFrame) {
            noted.withLock { $0.append(frame.token as? Int ?? -1) }
            arrived.signal()
        }

        /// Waits for a frame that was not waited for yet; false where none comes.
        func waitForNext() -> Bool { arrived.wait(timeout: .now() + Patience.seconds) == .success }
    }
}
