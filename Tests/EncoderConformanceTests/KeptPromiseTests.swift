// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing
import X264Backend
import X265Backend

/// What a session promises whatever the library behind it.
@Suite(.timeLimit(.minutes(2))) struct KeptPromiseTests {
    private static let backends: [any ImmediateBackend] = [X264Backend(), X265Backend()]

    private static func configuration(_ backend: any ImmediateBackend) -> SessionConfiguration {
        var configuration = SessionConfiguration(
            codec: backend.identifier == "x264" ? .h264 : .hevc, width: 192, height: 112)
        configuration.preset = "superfast"
        configuration.threadCount = 1
        return configuration
    }

    /// A picture of noise, another for each index.
    private static func picture(_ index: Int, _ width: Int = 192, _ height: Int = 112) throws -> PixelBuffer {
        var buffer = try MutablePixelBuffer(format: .i420, width: width, height: height)
        var state = UInt64(index + 1)
        for plane in 0..<3 {
            buffer.withMutablePlane(plane) { bytes, _ in
                for word in 0..<bytes.count / 8 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    bytes.storeBytes(of: state >> 8 & 0x1F1F_1F1F_1F1F_1F1F, toByteOffset: 8 * word, as: UInt64.self)
                }
            }
        }
        return PixelBuffer(buffer)
    }

    private static func collect(_ session: CompressionSession) async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return frames
    }

    @Test(
        "below a ceiling, averages and limits that climb and fall keep the parameter sets", arguments: [0, 1],
        [30, 60, nil])
    func ladder(index: Int, hint: Int?) async throws {
        var configuration = Self.configuration(Self.backends[index])
        configuration.bitRateCeiling = 8_000_000
        @Sendable func live(_ rate: Int) -> LiveSettings {
            LiveSettings(
                rateControl: .averageBitRate(rate), dataRateLimits: [DataRateLimit(bytes: rate * 3 / 10, seconds: 2)],
                expectedFrameRate: hint.map { FrameRate(numerator: $0) })
        }
        configuration.live = live(8_000_000)
        let session = try CompressionSession(configuration, encoder: Self.backends[index], logger: .silent)
        async let collected = Self.collect(session)
        let picture = try Self.picture(0)
        var time: Int64 = 0
        for rate in [8_000_000, 6_000_000, 500_000, 3_000_000, 8_000_000] {
            try await session.update { $0 = live(rate) }
            for _ in 0..<5 {
                try await session.encode(
                    picture, at: MediaTime(value: time, timescale: 60), duration: MediaTime(value: 1, timescale: 60))
                time += 1
            }
        }
        try await session.finish()
        let formats = Set(try await collected.compactMap { $0.accessUnit?.format })
        #expect(formats.count == 1, "\(formats.map(\.codecString))")
    }

    @Test(
        "frames come out whatever the first frame's duration and the ceiling", arguments: [0, 1],
        [25, 60, 120] as [Int32])
    func firstDuration(index: Int, rate: Int32) async throws {
        var configuration = Self.configuration(Self.backends[index])
        (configuration.width, configuration.height) = (1280, 720)
        configuration.preset = "ultrafast"
        configuration.bitRateCeiling = 4_000_000
        configuration.live.averageBitRate = 1_000_000
        let session = try CompressionSession(configuration, encoder: Self.backends[index], logger: .silent)
        async let collected = Self.collect(session)
        let picture = try Self.picture(1, 1280, 720)
        for frame in 0..<3 {
            let duration = MediaTime(value: 1, timescale: rate)
            try await session.encode(picture, at: MediaTime(value: Int64(frame), timescale: rate), duration: duration)
        }
        try await session.finish()
        #expect(try await collected.compactMap(\.accessUnit).count == 3)
    }

    @Test(
        "a hint that the presentation times contradict is said, once, and does not double the bit rate",
        arguments: [0, 1], [true, false])
    func contradictedHint(index: Int, realTime: Bool) async throws {
        var configuration = Self.configuration(Self.backends[index])
        if realTime { configuration.preset = nil }
        configuration.realTime = realTime
        configuration.live = LiveSettings(
            rateControl: .averageBitRate(400_000), dataRateLimits: [DataRateLimit(bytes: 60_000, seconds: 1)],
            expectedFrameRate: 30)
        let log = RecordingLog()
        let session = try CompressionSession(
            configuration, encoder: Self.backends[index], logger: log.logger(level: .warning))
        async let collected = Self.collect(session)
        let pictures = try (0..<8).map { try Self.picture($0 / 4) }
        for frame in 0..<240 {
            try await session.encode(pictures[frame % 8], at: MediaTime(value: Int64(frame), timescale: 60))
        }
        try await session.finish()
        let bytes = try await collected.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) }
        #expect(bytes * 8 / 4 < 480_000, "\(bytes * 8 / 4) bit/s of 400000")
        #expect(log.texts(.warning).filter { $0.contains("30 frames per second became 60") }.count == 1)
    }

    @Test("with open GOP, an interval in seconds brings points to start from, sync or partial", arguments: [0, 1])
    func openGOP(index: Int) async throws {
        var configuration = Self.configuration(Self.backends[index])
        configuration.preset = "medium"
        configuration.allowOpenGOP = true
        configuration.live.maxKeyFrameIntervalDuration = 0.5
        configuration.live.expectedFrameRate = 30
        let session = try CompressionSession(configuration, encoder: Self.backends[index], logger: .silent)
        async let collected = Self.collect(session)
        let picture = try Self.picture(1)
        for frame in 0..<60 { try await session.encode(picture, at: MediaTime(value: Int64(frame), timescale: 30)) }
        try await session.finish()
        let starts = try await collected.filter { $0.accessUnit.map { $0.isSync || $0.isPartialSync } ?? false }
        #expect(starts.map(\.presentationTime.value).sorted() == [0, 15, 30, 45])
    }
}
