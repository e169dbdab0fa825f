// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend
import X265Backend

/// A constant bit rate over as long as small errors take to add up.
@Suite(.timeLimit(.minutes(2))) struct ConstantRateTests {
    private static let size = (width: 96, height: 80)

    private static func backend(_ codec: VideoCodec) -> any ImmediateBackend {
        codec == .h264 ? X264Backend() : X265Backend()
    }

    private static func configuration(_ codec: VideoCodec, _ rate: Int) -> SessionConfiguration {
        var configuration = SessionConfiguration(codec: codec, width: size.width, height: size.height)
        configuration.preset = "ultrafast"
        configuration.live.constantBitRate = rate
        configuration.live.expectedFrameRate = 30
        return configuration
    }

    /// Gives a session so many pictures, 30 in a second; one alone again and again if it is a still.
    private static func encode(
        _ count: Int, with configuration: SessionConfiguration, isStill: Bool = false,
        at time: (Int64) -> MediaTime = { MediaTime(value: $0, timescale: 30) }
    ) async throws -> (frames: [EncodedFrame], session: CompressionSession) {
        let session = try CompressionSession(configuration, encoder: backend(configuration.codec))
        let clip = TestClip.scenes(width: size.width, height: size.height, count: isStill ? 1 : min(count, 60))
        async let collected: [EncodedFrame] = {
            var frames: [EncodedFrame] = []
            for try await frame in session.encodedFrames { frames.append(frame) }
            return frames
        }()
        for index in 0..<count {
            try await session.encode(
                try clip.pixelBuffer(index % clip.frames.count), at: time(Int64(index)))
        }
        try await session.finish()
        return (try await collected, session)
    }

    @Test(
        "headers and filler count in a constant rate, so that a decoder's buffer never runs dry further and further",
        .inTurn(),
        arguments: VideoCodec.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func filledUp(codec: VideoCodec, mode: (isRealTime: Bool, isStill: Bool)) async throws {
        let rate = 60_000
        var configuration = Self.configuration(codec, rate)
        configuration.realTime = mode.isRealTime
        let frames = try await Self.encode(1200, with: configuration, isStill: mode.isStill).frames
        #expect(frames.count == 1200)
        let bits = frames.map { Double($0.accessUnit?.byteCount ?? 0) * 8 }
        // How much of the rate had to be there before the first picture, in seconds, at each second.
        var (sum, lead): (Double, [Double]) = (0, [])
        for index in frames.indices {
            sum += bits[index]
            if index % 30 == 29 { lead.append((sum - Double(rate) * Double(index) / 30) / Double(rate)) }
        }
        let (early, late) = (lead.prefix(10).max() ?? 0, lead.suffix(10).max() ?? 0)
        // libx265 takes more for a key frame than its buffer has, and makes up for it.
        #expect(late < early + (codec == .h264 ? 0.05 : 0.1), "\(lead)")
        #expect(sum / 40 > Double(rate) * 0.99, "\(sum / 40)")
    }

    @Test("a pause is not written as filler", arguments: VideoCodec.allCases, [false, true])
    func pause(codec: VideoCodec, isRealTime: Bool) async throws {
        var configuration = Self.configuration(codec, 60_000)
        configuration.realTime = isRealTime
        let frames = try await Self.encode(120, with: configuration) {
            MediaTime(value: $0 < 60 ? $0 : $0 + 18_000, timescale: 30)
        }.frames
        #expect(frames.count == 120)
        let most = frames.compactMap { $0.accessUnit?.byteCount }.max() ?? 0
        // What a decoder's buffer holds, in bytes; a key frame of libx265 may take more.
        let buffer = 60_000 * 15 / 100 / 8
        #expect(most <= (codec == .h264 ? buffer : buffer * 5 / 4), "\(most)")
    }

    @Test("a rate is none lower where few pictures in a second make the buffer larger", arguments: VideoCodec.allCases)
    func fewFrames(codec: VideoCodec) async throws {
        var configuration = Self.configuration(codec, 1_000_000)
        configuration.live.expectedFrameRate = 6
        let session = try CompressionSession(configuration, encoder: Self.backend(codec))
        try await session.prepare()
        #expect(session.value(of: .constantBitRate) == "1000000")
        #expect(!session.adjustments.contains { [.constantBitRate, .vbvBufferDuration].contains($0.setting) })
        session.invalidate()
    }

    @Test(
        "a constant rate is filled up wherever parameter sets are, with key frames everywhere", .inTurn(),
        arguments: VideoCodec.allCases, ParameterSetPlacement.allCases)
    func parameterSets(codec: VideoCodec, placement: ParameterSetPlacement) async throws {
        let rate = 200_000
        var configuration = Self.configuration(codec, rate)
        configuration.live.maxKeyFrameInterval = 2
        configuration.parameterSets = placement
        let frames = try await Self.encode(600, with: configuration).frames
        let mean = Double(frames.reduce(0) { $0 + ($1.accessUnit?.byteCount ?? 0) }) * 8 / 20
        #expect(abs(mean / Double(rate) - 1) < 0.02, "\(mean)")
    }

    @Test("a source of two seconds is not held in real time", arguments: VideoCodec.allCases)
    func shortSource(codec: VideoCodec) async throws {
        var configuration = Self.configuration(codec, 300_000)
        configuration.realTime = true
        configuration.maxFrameDelayCount = 0
        configuration.sourceFrameCount = 60
        let (frames, session) = try await Self.encode(60, with: configuration)
        #expect(frames.count == 60 && session.statistics.encoded == 60)
        #expect(session.adjustments.contains { $0.setting == .sourceFrameCount && $0.used == "no plan" })
        configuration.sourceFrameCount = 61
        configuration.maxFrameDelayCount = nil
        let longer = try CompressionSession(configuration, encoder: Self.backend(codec))
        try await longer.prepare()
        // libx264 plans with none.
        #expect(longer.adjustments.contains { $0.setting == .sourceFrameCount } == (codec == .h264))
        longer.invalidate()
    }
}
