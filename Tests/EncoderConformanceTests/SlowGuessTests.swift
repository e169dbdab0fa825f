// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Encoders that were opened for far fewer frames than come.
@Suite(.timeLimit(.minutes(2))) struct SlowGuessTests {
    /// What made the session think so.
    enum Guess: CaseIterable {
        case hint
        case firstDuration
        /// Frames that really came so slowly.
        case slowBeginning
    }

    private static let average = 60_000

    /// Frames and how many of them come before those at 30 in a second.
    private static func encode(
        _ codec: VideoCodec, _ guess: Guess, limits: [DataRateLimit], framesPerSecond: Double,
        size: (width: Int, height: Int) = (96, 80), preset: String = "ultrafast", ceiling: Int? = nil,
        isRealTime: Bool = true
    ) async throws -> [EncodedFrame] {
        let clip = TestClip.scenes(width: size.width, height: size.height, count: 60)
        var configuration = SessionConfiguration(codec: codec, width: clip.width, height: clip.height)
        configuration.preset = preset
        configuration.realTime = isRealTime
        configuration.threadCount = 1
        configuration.bitRateCeiling = ceiling
        configuration.live.averageBitRate = average
        configuration.live.dataRateLimits = limits
        if guess == .hint { configuration.live.expectedFrameRate = FrameRate(framesPerSecond) }
        let slow = guess == .slowBeginning ? 60 : 0
        let backend: any ImmediateBackend = codec == .h264 ? X264Backend() : X265Backend()
        let session = try CompressionSession(configuration, encoder: backend)
        async let collected: [EncodedFrame] = {
            var frames: [EncodedFrame] = []
            for try await frame in session.encodedFrames { frames.append(frame) }
            return frames
        }()
        let step = Int64(30 / framesPerSecond)
        for index in 0..<slow + 300 {
            let ticks = Int64(min(index, slow)) * step + Int64(max(index - slow, 0))
            let first = MediaTime(value: step, timescale: 30)
            try await session.encode(
                try clip.pixelBuffer(index % clip.frames.count), at: MediaTime(value: ticks, timescale: 30),
                duration: guess == .firstDuration && index == 0 ? first : nil)
        }
        try await session.finish()
        return Array(try await collected.dropFirst(slow))
    }

    @Test(
        "an average holds once frames come as often as they do, with a limit and without", .inTurn(),
        arguments: VideoCodec.allCases, Guess.allCases)
    func average(codec: VideoCodec, guess: Guess) async throws {
        for framesPerSecond in [0.1, 0.4, 2] {
            for limits in [[], [DataRateLimit(bytes: Self.average / 8 * 3 / 2, seconds: 1)]] {
                let frames = try await Self.encode(codec, guess, limits: limits, framesPerSecond: framesPerSecond)
                #expect(frames.count == 300)
                // The first five seconds may be spent as was thought.
                let share = Self.share(of: frames)
                #expect((0.6...1.4).contains(share), "\(framesPerSecond) \(limits) \(share)")
                if !limits.isEmpty {
                    let dropped = frames.count { $0.accessUnit == nil }
                    #expect(dropped < 30, "\(framesPerSecond): \(dropped) dropped")
                }
            }
        }
    }

    /// Part of the average that the last five of ten seconds have.
    private static func share(of frames: [EncodedFrame]) -> Double {
        Double(frames.suffix(150).reduce(0) { $0 + ($1.accessUnit?.byteCount ?? 0) }) * 8 / 5 / Double(average)
    }

    @Test(
        "a limit leaves room for a screen that rests and wakes", arguments: VideoCodec.allCases, [false, true])
    func waking(codec: VideoCodec, isRealTime: Bool) async throws {
        let limits = [DataRateLimit(bytes: Self.average / 8 * 3 / 2, seconds: 1)]
        let frames = try await Self.encode(
            codec, .slowBeginning, limits: limits, framesPerSecond: 0.2, size: (176, 144), isRealTime: isRealTime)
        let dropped = frames.count { $0.accessUnit == nil }
        // libx265 lowers a quantizer that it is told where its own buffer has room.
        #expect(frames.count == 300 && dropped <= (codec == .h264 ? 0 : 25), "\(dropped) dropped")
    }

    @Test(
        "an average holds where the parameter sets allow no other frame rate, and no encoder is opened again and again",
        .inTurn(),
        arguments: VideoCodec.allCases, [0.1, 0.4, 1])
    func keptRate(codec: VideoCodec, framesPerSecond: Double) async throws {
        // Another level, which a ceiling pins, and with which libx264 writes other motion vectors.
        for ceiling in [nil, 100_000] {
            let frames = try await Self.encode(
                codec, .hint, limits: [], framesPerSecond: framesPerSecond, size: (176, 144), preset: "veryfast",
                ceiling: ceiling)
            #expect(frames.count == 300 && frames.count { $0.accessUnit?.isSync == true } < 20)
            let share = Self.share(of: frames)
            #expect((0.6...1.4).contains(share), "\(ceiling ?? 0): \(share)")
        }
    }
}
