// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import X264Backend

/// H.264 Baseline of 640x480 with a key frame every second, whatever the encoder would have chosen.
///
/// The mean is given in bits, the limit in bytes: 800 kbit/s, and no second above 150 kB.
func publishBaseline(seconds: Int, to outputs: [Output]) async throws -> [OutputStatistics] {
    var configuration = SessionConfiguration(codec: .h264, width: 640, height: 480)
    configuration.profileLevel = ProfileLevel(profile: .h264Baseline)
    configuration.allowFrameReordering = false
    configuration.live.averageBitRate = 800_000
    configuration.live.dataRateLimits = [DataRateLimit(bytes: 150_000, seconds: 1)]
    configuration.live.expectedFrameRate = 30
    configuration.preset = "veryfast"
    let session = try CompressionSession(configuration, encoder: X264Backend())
    let signal = TestSignal(.flashAndBeep)
    let broadcast = try Broadcast(
        tracks: [.video], outputs: outputs, onKeyFrameWanted: { try? session.requestKeyFrame() })
    async let pictures: Void = {
        for frame in 0..<seconds * 30 {
            let time = MediaTime(value: Int64(frame), timescale: 30)
            try await session.encode(
                signal.picture(at: time, width: 640, height: 480), at: time,
                options: FrameOptions(forceKeyFrame: frame % 30 == 0))
        }
        try await session.finish()
    }()
    for try await frame in session.encodedFrames { try await broadcast.send(frame) }
    try await pictures
    await broadcast.finish()
    return broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
}
