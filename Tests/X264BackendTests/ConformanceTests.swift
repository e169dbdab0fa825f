// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend

@Suite("x264 conforms", .serialized, .requiresLibAV)
struct ConformanceTests {
    @Test(
        "every scenario finds nothing",
        arguments: Sample.of(ConformanceSuite.scenarios, least: ConformanceSuite.scenarios.count))
    func sampledConformance(scenario: Scenario) async throws {
        let suite = try await ConformanceSuite(
            backend: X264Backend(), codec: .h264, decoder: LibAVReferenceDecoder(),
            nativeOption: NativeOption("aq-mode", "0"),
            patience: Patience.seconds)
        await expectConformance(scenario, suite)
    }
}
