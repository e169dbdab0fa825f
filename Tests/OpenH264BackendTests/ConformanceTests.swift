// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import OpenH264Backend
import TestSupport
import Testing

@Suite("openh264 conforms", .serialized, .requiresLibAV, .requiresOpenH264)
struct ConformanceTests {
    @Test(
        "every scenario finds nothing",
        arguments: Sample.of(ConformanceSuite.scenarios, least: ConformanceSuite.scenarios.count))
    func sampledConformance(scenario: Scenario) async throws {
        try await expectConformance(scenario, of: OpenH264Backend(), codec: .h264)
    }
}
