// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import X264Backend

/// A loop that pushes pictures in and takes out what is ready, at most so many frames later.
final class PushEncoder {
    private let session: CompressionSession
    private let ready = Output()

    init(width: Int, height: Int, delay: Int) throws {
        var configuration = SessionConfiguration(codec: .h264, width: width, height: height, pixelFormat: .i420)
        configuration.maxFrameDelayCount = delay
        configuration.preset = "ultrafast"
        configuration.live.averageBitRate = 300_000
        configuration.live.expectedFrameRate = 30
        session = try CompressionSession(configuration, encoder: X264Backend(), logger: .silent)
        try session.deliver { [ready] in ready.append($0) }
    }

    /// Frames that are ready after this one went in.
    func push(_ picture: PixelBuffer, at time: MediaTime) throws -> [EncodedFrame] {
        try session.synchronous.encode(picture, at: time)
        return ready.takeAll()
    }

    func drain() throws -> [EncodedFrame] {
        try session.synchronous.finish()
        return ready.takeAll()
    }
}
