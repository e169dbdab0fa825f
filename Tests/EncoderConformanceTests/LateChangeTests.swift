// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Streams with several live changes, then times that need another encoder: no parameter set changes but those told.
@Suite struct LateChangeTests {
    /// A change of the live settings before a frame.
    typealias Change = @Sendable (inout LiveSettings) -> Void

    @Test(
        "an encoder for another pace keeps the parameter sets where every picture became a key frame",
        arguments: [12_000, 90_000])
    func pace(bytes: Int) async throws {
        var configuration = SessionConfiguration(codec: .hevc, width: 64, height: 48)
        (configuration.threadCount, configuration.preset) = (1, "ultrafast")
        configuration.live.constantRateFactor = 30
        configuration.bitRateCeiling = 1_000_000
        let times = (0..<24).map { (frame: Int) -> MediaTime in
            let ticks: Int64 = frame < 4 ? 20 * Int64(frame) : 80 + Int64(frame - 4)
            return MediaTime(value: ticks, timescale: 600)
        }
        let changes: [Int: Change] = [
            8: { $0.dataRateLimits = [DataRateLimit(bytes: bytes, seconds: 0.5)] },
            16: { $0.maxKeyFrameInterval = 1 },
        ]
        try await expectNothingUntold(configuration, X265Backend(), times, changes)
    }

    @Test(
        "a finer clock opens no encoder while pictures are inside whose parameter sets have a buffer model",
        arguments: [nil, 30, 60] as [FrameRate?])
    func clock(hint: FrameRate?) async throws {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 48)
        (configuration.threadCount, configuration.preset) = (1, "medium")
        configuration.profileLevel = ProfileLevel(profile: nil, level: 20)
        configuration.live.averageBitRate = 200_000
        configuration.live.expectedFrameRate = hint
        configuration.nativeOptions = [NativeOption("nal-hrd", "vbr")]
        // A million seconds and a little, in ticks of several clocks.
        let times = [
            (600_000_038, 600), (48_000_005_520, 48_000), (1_000_000_205, 1000), (1_000_000_272, 1000),
            (1_000_000_336_000_000, 1_000_000_000), (600_000_205, 600), (1_000_000_393, 1000), (1_000_000_469, 1000),
            (1_000_000_514, 1000), (1_000_000_574, 1000), (1_000_000_640, 1000), (1_000_000_700, 1000),
        ].map { MediaTime(value: $0.0, timescale: $0.1) }
        let changes: [Int: Change] = [
            2: { $0.constantQuantizer = 30 }, 5: { $0.averageBitRate = 50_000 }, 8: { $0.expectedFrameRate = 120 },
        ]
        try await expectNothingUntold(configuration, X264Backend(), times, changes)
    }

    /// Encodes pictures at `times`, changing the settings before some, and expects parameter sets to change only at
    /// the first key frame after a call that was told so.
    private func expectNothingUntold(
        _ configuration: SessionConfiguration, _ backend: any ImmediateBackend, _ times: [MediaTime],
        _ changes: [Int: Change]
    ) async throws {
        let session = try CompressionSession(configuration, encoder: backend)
        async let collected = session.collected()
        var told = 0
        for (frame, time) in times.enumerated() {
            if let change = changes[frame], try await session.update(change) == .restarted(formatMayChange: true) {
                told += 1
            }
            try await session.encode(try session.movingTexture(frame), at: time)
        }
        try await session.finish()
        let formats = try await collected.compactMap(\.accessUnit?.format)
        #expect(formats.count == times.count)
        #expect(zip(formats, formats.dropFirst()).count { $0 != $1 } <= told)
    }
}
