// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite(.requiresLibAV) struct ConformanceTests {
        @Test(
            "every scenario finds nothing", arguments: ConformanceSuite.scenarios,
            [("strict", VideoCodec.h264), ("ihd-tgl", .hevc)])
        func conformance(scenario: Scenario, encoder: (personality: String, codec: VideoCodec)) async throws {
            let display = try SoftVADisplay(encoder.personality)
            let suite = try await ConformanceSuite(
                backend: VAAPIBackend(devices: [display.device]), codec: encoder.codec,
                decoder: LibAVReferenceDecoder(), patience: Patience.seconds)
            await expectConformance(scenario, suite)
            display.expectQuiet()
        }
    }
}
