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
        try await expectConformance(
            scenario, of: X264Backend(), codec: .h264, nativeOption: NativeOption("aq-mode", "0"))
    }
}
