// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    /// Bit rates that go up and down while a session runs.
    @Suite struct LiveRateStepTests {
        static let modes: [@Sendable (Int) -> RateControl] = [{ .averageBitRate($0) }, { .constantBitRate($0) }]

        @Test(
            "5, 8, 12, 8 and 5 Mbit/s in steps of three seconds are apart, and no second of a constant rate passes it",
            .inTurn(),
            arguments: [("strict", VideoCodec.h264), ("radeonsi-new", .hevc)], modes.indices)
        func steps(_ encoder: (personality: String, codec: VideoCodec), mode: Int) async throws {
            let display = try SoftVADisplay(encoder.personality)
            let backend = VAAPIBackend(devices: [display.device])
            var configuration = DeviceEncoding.configuration(encoder.codec, width: 320, height: 180)
            configuration.live.rateControl = Self.modes[mode](LiveRateSteps.rates[0])
            let session = try CompressionSession(
                configuration, encoder: try await backend.encoder(for: encoder.codec), of: backend)
            let frames = try await LiveRateSteps.run(session, as: Self.modes[mode])
            #expect(frames.count == 450 && frames.allSatisfy { $0.accessUnit != nil })
            LiveRateSteps.expectApart(LiveRateSteps.bytes(of: frames))
            guard configuration.live.constantBitRate != nil else { return }
            #expect(LiveRateSteps.fullestSecond(of: frames) <= LiveRateSteps.mostInSecond)
        }
    }
}
