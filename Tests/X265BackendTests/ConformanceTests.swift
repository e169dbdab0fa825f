// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X265Backend

@Suite("x265 conforms", .serialized, .requiresLibAV)
struct ConformanceTests {
    @Test("every scenario finds nothing", arguments: Sample.of(ConformanceSuite.scenarios, least: 25, seed: 2))
    func sampledConformance(scenario: Scenario) async throws {
        try await expectConformance(
            scenario, of: X265Backend(), codec: .hevc, nativeOption: NativeOption("aq-mode", "0"))
    }
}
