// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Constant bit rates that go up and down while a session runs.
///
/// An average of these libraries starts with a bucket of 2.25 seconds, which hides the first of these steps.
@Suite(.timeLimit(.minutes(2))) struct LiveRateStepTests {
    @Test(
        "5, 8, 12, 8 and 5 Mbit/s in steps of three seconds are apart, and no second of a constant rate passes it",
        arguments: VideoCodec.allCases)
    func steps(codec: VideoCodec) async throws {
        var configuration = SessionConfiguration(codec: codec, width: 640, height: 360)
        configuration.preset = "ultrafast"
        configuration.live.constantBitRate = LiveRateSteps.rates[0]
        let backend: any ImmediateBackend = codec == .h264 ? X264Backend() : X265Backend()
        let frames = try await LiveRateSteps.run(
            try CompressionSession(configuration, encoder: backend), as: RateControl.constantBitRate)
        #expect(frames.count == 450 && frames.allSatisfy { $0.accessUnit != nil })
        LiveRateSteps.expectApart(LiveRateSteps.bytes(of: frames))
        #expect(LiveRateSteps.fullestSecond(of: frames) <= LiveRateSteps.mostInSecond)
    }
}
