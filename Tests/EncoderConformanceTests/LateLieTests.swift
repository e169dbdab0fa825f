// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend

/// Back ends that are honest early and in the stream, and lie late or beside it.
@Suite(.serialized, .requiresLibAV) struct LateLieTests {
    @Test("a late lie is found by the scenario that is about it", arguments: Sample.of(LateLie.allCases, least: 8))
    func sampledLateLie(_ lie: LateLie) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == lie.scenario })
        let suite = try await ConformanceSuite(
            backend: LateLiar(honest: X264Backend(), lie: lie), codec: .h264, decoder: LibAVReferenceDecoder(),
            patience: Patience.seconds, findingLimit: 1)
        let findings = await suite.run(scenario).findings
        #expect(!findings.isEmpty, "\(scenario) found nothing")
        print("\(lie): \(findings.first.map { "\($0)" } ?? "not found")")
    }
}
