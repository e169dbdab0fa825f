// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import X264Backend

/// 720x720 at 24 frames per second, 1500 kbit/s, and AAC of 64 kbit/s, to an FLV file and servers at once.
func publishSquare(seconds: Int, to outputs: [Output]) async throws -> [OutputStatistics] {
    var configuration = SessionConfiguration(codec: .h264, width: 720, height: 720)
    configuration.live.averageBitRate = 1_500_000
    configuration.live.expectedFrameRate = 24
    configuration.live.maxKeyFrameInterval = 48
    configuration.preset = "veryfast"
    let session = try CompressionSession(configuration, encoder: X264Backend())
    var settings = AudioSettings()
    (settings.sampleRate, settings.bitsPerSecond) = (44_100, 64_000)
    let soundEncoder = try AudioEncoder(settings, startTime: .zero)
    let signal = TestSignal(.flashAndBeep)
    let length = MediaTime(value: Int64(seconds), timescale: 1)
    var sound = try TestSignal.Sound(signal, sampleRate: 44_100, duration: length)

    let broadcast = try Broadcast(
        tracks: [.video, .audio], outputs: outputs, onKeyFrameWanted: { try? session.requestKeyFrame() })
    async let pictures: Void = {
        for frame in 0..<seconds * 24 {
            let time = MediaTime(value: Int64(frame), timescale: 24)
            try await session.encode(signal.picture(at: time, width: 720, height: 720), at: time)
        }
        try await session.finish()
    }()
    for try await frame in session.encodedFrames {
        try await broadcast.send(frame)
        // Sound as far as the pictures are, so that neither waits for the other.
        while let block = try sound.next() {
            for packet in try soundEncoder.encode(block) { try await broadcast.send(packet) }
            if let time = block.time, time >= frame.presentationTime { break }
        }
    }
    try await pictures
    for packet in try soundEncoder.finish() { try await broadcast.send(packet) }
    await broadcast.finish()
    return broadcast.statistics.sorted { $0.key < $1.key }.map(\.value)
}
