// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend
import X265Backend

@Suite struct TwoLibrariesTests {
    @Test("x264 and x265 encode the same pictures at once as each does alone", arguments: VideoCodec.allCases)
    func twoSessions(codec: VideoCodec) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == "two-sessions" })
        let suite =
            switch codec {
            case .h264:
                try await ConformanceSuite(
                    backend: X264Backend(), codec: .h264, companion: X265Backend(), patience: Patience.seconds)
            case .hevc:
                try await ConformanceSuite(
                    backend: X265Backend(), codec: .hevc, companion: X264Backend(), patience: Patience.seconds)
            }
        #expect(await suite.run(scenario).outcome == .passed)
    }
}
