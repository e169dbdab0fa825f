// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import X264Backend

/// An actor that follows the bandwidth: another bit rate, and where it is low another size.
actor LadderEncoder {
    private let session: CompressionSession
    private let reading: Task<Void, any Error>
    private(set) var height: Int

    init(bitRate: Int, into output: Output) throws {
        var configuration = SessionConfiguration(codec: .h264, width: 320, height: 180, pixelFormat: .nv12)
        configuration.realTime = true
        configuration.preset = "ultrafast"
        configuration.live.averageBitRate = bitRate
        configuration.live.dataRateLimits = [DataRateLimit(bytes: bitRate / 4, seconds: 1)]
        configuration.live.expectedFrameRate = 30
        height = 180
        session = try CompressionSession(configuration, encoder: X264Backend(), logger: .silent)
        reading = Task { [frames = session.encodedFrames] in
            for try await frame in frames { output.append(frame) }
        }
    }

    func encode(_ picture: PixelBuffer, at time: MediaTime) async throws { try await session.encode(picture, at: time) }

    func follow(bitRate: Int) async throws {
        try await session.update { live in
            live.averageBitRate = bitRate
            live.dataRateLimits = [DataRateLimit(bytes: bitRate / 4, seconds: 1)]
        }
        let wanted = bitRate < 200_000 ? 90 : 180
        guard wanted != height else { return }
        height = wanted
        try await session.changePictures(width: wanted * 16 / 9, height: wanted)
    }

    func stop() async throws {
        try await session.finish(until: .delivered)
        try await reading.value
    }
}
