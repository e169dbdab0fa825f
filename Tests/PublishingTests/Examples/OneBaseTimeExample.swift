// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import X264Backend

/// H.264 and sound from clocks that started long before, with one base time, into an ASF file.
///
/// - Parameters:
///   - seconds: How long it is.
///   - start: What the capture's clock says at the first picture; sound starts half a second earlier.
///   - path: A file whose name ends in `.asf`, or in that of any other container.
/// - Returns: What the file's output has done.
/// - Throws: What the session, the sound or the broadcast refuse.
func recordWithOneBase(seconds: Int, start: MediaTime, to path: String) async throws -> OutputStatistics? {
    var configuration = SessionConfiguration(codec: .h264, width: 320, height: 240)
    configuration.live.expectedFrameRate = 25
    configuration.preset = "veryfast"
    let session = try CompressionSession(configuration, encoder: X264Backend())
    let soundEncoder = try AudioEncoder()
    let signal = TestSignal(.flashAndBeep)
    let early = start - MediaTime(value: 1, timescale: 2)
    var sound = try TestSignal.Sound(signal, duration: MediaTime(value: Int64(seconds), timescale: 1))
    let broadcast = try Broadcast(tracks: [.video, .audio], outputs: [.file(path)])
    async let pictures: Void = {
        for frame in 0..<seconds * 25 {
            let time = MediaTime(value: Int64(frame), timescale: 25)
            // The picture of this moment in the signal, which the sound began half a second before.
            let shown = time + MediaTime(value: 1, timescale: 2)
            try await session.encode(signal.picture(at: shown, width: 320, height: 240), at: start + time)
        }
        try await session.finish()
    }()
    for try await frame in session.encodedFrames {
        try await broadcast.send(frame)
        while let block = try sound.next() {
            let time = early + (block.time ?? .zero)
            let stamped = try SoundBlock(
                samples: block.samples, channelCount: block.channelCount, sampleRate: block.sampleRate, time: time)
            for packet in try soundEncoder.encode(stamped) { try await broadcast.send(packet) }
            if time >= frame.presentationTime { break }
        }
    }
    try await pictures
    for packet in try soundEncoder.finish() { try await broadcast.send(packet) }
    await broadcast.finish()
    return broadcast.statistics.values.first
}
