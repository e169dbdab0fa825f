// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend

/// Back ends that are honest in what is common, and lie in what is rare.
@Suite(.serialized, .requiresLibAV) struct RareLieTests {
    @Test("a rare lie is found by the scenario that is about it", arguments: Sample.of(RareLie.allCases, least: 6))
    func sampledRareLie(_ lie: RareLie) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == lie.scenario })
        let suite = try await ConformanceSuite(
            backend: RareLiar(honest: X264Backend(), lie: lie), codec: .h264, decoder: LibAVReferenceDecoder(),
            patience: Patience.seconds, findingLimit: 1)
        let findings = await suite.run(scenario).findings
        #expect(!findings.isEmpty, "\(scenario) found nothing")
        print("\(lie): \(findings.first.map { "\($0)" } ?? "not found")")
    }
}
