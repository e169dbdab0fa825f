// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SessionPromiseTests {
    @Test("what no encoder could be opened with is refused when the session is made")
    func checked() throws {
        let refusal = EncoderError(.invalidValue, reason: "no such option", setting: .nativeOptions)
        let error = #expect(throws: EncoderError.self) {
            try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(refusal: { _ in refusal }))
        }
        #expect(error == refusal)
    }

    @Test("what the back end is asked to check is complete: frame rate and timescale are assumed")
    func complete() throws {
        _ = try CompressionSession(
            FakeStream.configuration(),
            encoder: FakeBackend(refusal: { settings in
                settings.plan.frameRate.framesPerSecond > 0 && settings.plan.timescale > 0
                    ? nil : EncoderError(.invalidValue, reason: "incomplete")
            }))
    }

    @Test("a forced key frame is refused where the encoder does not list it, and the frame is not taken")
    func forcedKeyFrame() async throws {
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: FakeBackend(forcesKeyFrames: false))
        let error = await #expect(throws: EncoderError.self) {
            try await session.encode(FakeStream.picture(), at: .zero, options: FrameOptions(forceKeyFrame: true))
        }
        #expect(error?.code == .unsupported && error?.setting == .forceKeyFrame)
        #expect(throws: EncoderError.self) {
            try session.encodeImmediately(FakeStream.picture(), at: .zero, options: FrameOptions(forceKeyFrame: true))
        }
        #expect(session.pendingFrameCount == 0)
    }

    @Test("reordering that is asked for and that the encoder does not do is listed", arguments: [true, false])
    func reordering(reorders: Bool) async throws {
        let session = try CompressionSession(
            FakeStream.configuration { $0.allowFrameReordering = true }, encoder: FakeBackend(reorders: reorders))
        try await session.prepare()
        #expect(session.adjustments.contains { $0.setting == .allowFrameReordering } == !reorders)
    }

    @Test(
        "reordering in force is what the open encoder does, and nothing is listed where nobody asked",
        arguments: [true, false])
    func reorderingInForce(reorders: Bool) async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(reorders: reorders))
        #expect(session.value(of: .allowFrameReordering) == "true")
        try await session.prepare()
        #expect(session.value(of: .allowFrameReordering) == "\(reorders)")
        #expect(!session.adjustments.contains { $0.setting == .allowFrameReordering })
    }

    @Test(
        "a limit that the stream breaks is listed with its worst window, and warned of once, in every rate mode",
        arguments: [RateControl.automatic, .averageBitRate(8000), .quality(0.5)])
    func brokenLimit(control: RateControl) async throws {
        let log = RecordingLog()
        let limits = [DataRateLimit(bytes: 5000, seconds: 1), DataRateLimit(bytes: 100_000, seconds: 2)]
        let configuration = FakeStream.configuration {
            $0.live = LiveSettings(rateControl: control, dataRateLimits: limits, expectedFrameRate: 30)
        }
        let session = try CompressionSession(
            configuration, encoder: FakeBackend(sliceBytes: 196), logger: log.logger(level: .warning))
        let frames = try await FakeStream.run(session, frames: 90)
        // 200 bytes with the length of the NAL unit, 30 times.
        let listed = session.adjustments.filter { $0.setting == .dataRateLimits }
        #expect(listed.map(\.requested) == ["5000 bytes in 1.0 s"] && listed.map(\.used) == ["6000 bytes in a window"])
        #expect(log.texts(.warning).count == 1)
        #expect(frames.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) } == 90 * 200)
    }

    @Test("a limit that is kept is not listed; one lowered below what comes out is, from then on")
    func loweredLimit() async throws {
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 6000, seconds: 1)]
        }
        let session = try CompressionSession(configuration, encoder: FakeBackend(sliceBytes: 196))
        async let frames = FakeStream.collect(session)
        for index in 0..<60 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        try await session.update { $0.dataRateLimits = [DataRateLimit(bytes: 1999, seconds: 1)] }
        #expect(!session.adjustments.contains { $0.setting == .dataRateLimits })
        for index in 60..<70 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        try await session.finish()
        _ = try await frames
        #expect(session.adjustments.filter { $0.setting == .dataRateLimits }.map(\.used) == ["2000 bytes in a window"])
    }

    @Test("a limit that is broken stays listed when an update that would change it fails")
    func failedUpdate() async throws {
        let configuration = FakeStream.configuration {
            $0.live.dataRateLimits = [DataRateLimit(bytes: 5000, seconds: 1)]
        }
        let session = try CompressionSession(
            configuration, encoder: FakeBackend(sliceBytes: 196, failsToReopen: true, updatesLive: false))
        async let frames = FakeStream.collect(session)
        for index in 0..<40 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        await #expect(throws: EncoderError.self) {
            try await session.update { $0.dataRateLimits = [DataRateLimit(bytes: 9000, seconds: 1)] }
        }
        #expect(session.adjustments.filter { $0.setting == .dataRateLimits }.map(\.used) == ["6000 bytes in a window"])
        try await session.finish()
        #expect(try await frames.count == 40)
    }

    @Test("an average that the limits lower is warned of")
    func loweredAverage() async throws {
        let log = RecordingLog()
        let configuration = FakeStream.configuration {
            $0.live.averageBitRate = 1_000_000
            $0.live.dataRateLimits = [DataRateLimit(bytes: 125_000, seconds: 1)]
        }
        let session = try CompressionSession(configuration, encoder: FakeBackend(), logger: log.logger(level: .warning))
        try await session.prepare()
        #expect(log.texts(.warning).count == 1)
        #expect(log.texts(.warning).first?.contains("1000000 bit/s became 800000 bit/s") == true)
    }
}
