// SPDX-License-Identifier: MIT

import EncoderAPI
import OpenH264Backend
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Streams whose times are not those of one frame rate: their parameter sets are those of the first frame.
@Suite struct UnevenTimesTests {
    /// How frames of one stream follow each other.
    enum Times: CaseIterable {
        /// The first is at zero seconds, of a timescale that no other has; the rest comes long after.
        case lateAfterFirst
        /// Eight frames within a few milliseconds each second.
        case bursts
        /// Sixty frames in a second, eleven and a half seconds of none, then fifteen in a second.
        case pause
        /// More and more time from frame to frame.
        case drift

        func time(of frame: Int) -> MediaTime {
            let microseconds: Int =
                switch self {
                case .lateAfterFirst: frame == 0 ? 0 : 12_345_678 + 16_667 * frame
                case .bursts: frame / 8 * 1_000_000 + frame % 8 * 1_500
                case .pause: frame < 30 ? 16_667 * frame : 10_000_000 + 66_667 * frame
                case .drift: 4_000 * frame + 1_200 * frame * frame
                }
            if self == .lateAfterFirst, frame == 0 { return MediaTime(value: 0, timescale: 30) }
            return MediaTime(value: Int64(microseconds), timescale: 1_000_000)
        }
    }

    enum Library {
        case x264, x265, openH264

        var backend: any ImmediateBackend {
            switch self {
            case .x264: X264Backend()
            case .x265: X265Backend()
            case .openH264: OpenH264Backend()
            }
        }

        var codec: VideoCodec { self == .x265 ? .hevc : .h264 }

        /// Each way of controlling the rate, with limits and without.
        var rates: [@Sendable (inout LiveSettings) -> Void] {
            let all: [@Sendable (inout LiveSettings) -> Void] = [
                { _ in }, { $0.averageBitRate = 60_000 }, { $0.constantQuantizer = 30 },
            ]
            let limit = DataRateLimit(bytes: 15_000, seconds: 1)
            let more: [@Sendable (inout LiveSettings) -> Void] = [
                { ($0.averageBitRate, $0.dataRateLimits) = (60_000, [limit]) },
                { ($0.constantRateFactor, $0.dataRateLimits) = (28, [limit]) }, { $0.quality = 0.4 },
                { ($0.quality, $0.dataRateLimits) = (0.4, [limit]) },
            ]
            return self == .openH264 ? all : all + more
        }
    }

    @Test(
        "every frame is there, and none changes the parameter sets, in any mode", .inTurn(),
        arguments: [Library.x264, .x265])
    func fixedSettings(library: Library) async throws {
        for times in Times.allCases {
            for rate in library.rates {
                for hint in [nil, 25] as [FrameRate?] {
                    var live = LiveSettings()
                    rate(&live)
                    live.expectedFrameRate = hint
                    try await check(times, library, live)
                }
            }
        }
    }

    @Test(
        "an encoder opened for other times after live changes leaves the parameter sets as they are",
        arguments: [Library.x264, .x265])
    func afterLiveChanges(library: Library) async throws {
        let changes: [@Sendable (inout LiveSettings) -> Void] = [
            { $0.averageBitRate = $0.averageBitRate.map { $0 / 4 } },
            { $0.constantRateFactor = $0.constantRateFactor.map { $0 + 9 } }, { $0.maxKeyFrameInterval = 1 },
        ]
        for change in changes {
            for isAverage in library == .openH264 ? [true] : [true, false] {
                var live = LiveSettings()
                if isAverage { live.averageBitRate = 1_000_000 } else { live.constantRateFactor = 24 }
                try await check(.drift, library, live, change)
            }
        }
    }

    @Test("openh264 too keeps every frame and its parameter sets", .inTurn(), .requiresOpenH264)
    func openH264() async throws {
        try await fixedSettings(library: .openH264)
        try await afterLiveChanges(library: .openH264)
    }

    @Test("an encoder for a faster pace, whose level has longer motion vectors, leaves the parameter sets as they are")
    func motionVectors() async throws {
        var configuration = SessionConfiguration(codec: .h264, width: 176, height: 144)
        (configuration.live.expectedFrameRate, configuration.live.averageBitRate) = (30, 200_000)
        (configuration.threadCount, configuration.preset) = (1, "ultrafast")
        let session = try CompressionSession(configuration, encoder: X264Backend())
        async let collected = session.collected()
        for (frame, ticks) in [0, 1, 3, 4, 5062].enumerated() {
            if ticks == 5062 { try await session.complete() }
            let time = MediaTime(value: Int64(ticks), timescale: 600)
            try await session.encode(try session.movingTexture(frame), at: time)
        }
        try await session.finish()
        let formats = try await collected.compactMap(\.accessUnit?.format.parameterSets)
        #expect(formats.count == 5 && Set(formats).count == 1)
    }

    /// Encodes a stream, with a change in its middle if it is one that is applied, and pictures completed after it.
    private func check(
        _ times: Times, _ library: Library, _ live: LiveSettings,
        _ change: (@Sendable (inout LiveSettings) -> Void)? = nil
    ) async throws {
        var configuration = SessionConfiguration(codec: library.codec, width: 64, height: 64)
        (configuration.threadCount, configuration.preset) = (1, library == .openH264 ? "low" : "ultrafast")
        configuration.live = live
        let session = try CompressionSession(configuration, encoder: library.backend)
        async let collected = session.collected()
        let count = 70
        var told = 0
        for frame in 0..<count {
            if frame == count / 2, let change {
                if try await session.update(change) == .restarted(formatMayChange: true) { told += 1 }
                try await session.complete()
            }
            try await session.encode(try session.movingTexture(frame), at: times.time(of: frame))
        }
        try await session.finish()
        let frames = try await collected
        let sets = frames.compactMap { $0.accessUnit?.format.parameterSets }
        #expect(sets.count == count && frames.count == count, "\(library), \(times)")
        let changes = zip(sets, sets.dropFirst()).count { $0 != $1 }
        #expect(changes <= told, "\(library), \(times), \(configuration.live)")
    }
}
