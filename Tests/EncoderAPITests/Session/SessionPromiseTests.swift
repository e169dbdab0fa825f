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

    @Test("a picture that was decided on for others than the session takes now is not taken, until it is decided again")
    func outdated() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(hasAllSettings: true))
        let calls = session.synchronous
        let (picture, before) = (try FakeStream.picture(), session.pixelBufferPool)
        func isTaken(at number: Int, as pool: PixelBufferPool) throws -> Bool {
            try calls.encode(
                picture, at: FakeStream.time(number), duration: nil, options: FrameOptions(), takenAs: pool)
        }
        #expect(try isTaken(at: 0, as: before))
        try calls.changePictures(width: picture.width, height: picture.height, color: .bt709)
        #expect(try !isTaken(at: 1, as: before))
        #expect(try isTaken(at: 1, as: session.pixelBufferPool))
        try await session.finish()
        #expect(session.statistics.taken == 2 && session.statistics.refused == 0)
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
