// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import X265Backend

/// Takes one settings value, encodes with an output handler on a queue of its own, and offers a stream of frames.
final class StreamingCodec: Sendable {
    struct Settings: Sendable {
        var width = 320
        var height = 180
        var bitRate = 300_000
        var keyFrameIntervalSeconds = 1.0
    }

    let frames: AsyncStream<EncodedFrame>
    private let continuation: AsyncStream<EncodedFrame>.Continuation
    private let session: CompressionSession

    init(_ settings: Settings, queue: DeliveryQueue) throws {
        var configuration = SessionConfiguration(
            codec: .hevc, width: settings.width, height: settings.height, pixelFormat: .nv12)
        configuration.realTime = true
        configuration.preset = "ultrafast"
        configuration.live.averageBitRate = settings.bitRate
        configuration.live.maxKeyFrameIntervalDuration = settings.keyFrameIntervalSeconds
        session = try CompressionSession(configuration, encoder: X265Backend(), logger: .silent)
        (frames, continuation) = AsyncStream.makeStream()
        try session.deliver(on: queue) { [continuation] in continuation.yield($0) }
    }

    /// Called by a capture callback: never waits, and says whether the picture was taken.
    func append(_ picture: PixelBuffer, at time: MediaTime) throws -> Bool {
        try session.synchronous.encode(
            picture, at: time, duration: MediaTime(value: 1, timescale: 30), whenFull: .grow(to: 120))
    }

    func stop() throws {
        try session.synchronous.finish()
        continuation.finish()
    }
}
