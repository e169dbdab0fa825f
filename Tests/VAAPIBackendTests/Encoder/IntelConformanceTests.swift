// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

@testable import VAAPIBackend

/// The exam on Intel's real driver, in children of this process whose GPU is pretended: everything is real but what is in
/// slices.
@Suite(.serialized) struct IntelConformanceTests {
    /// Scenarios that ask how many bytes come out, which is the same whatever is coded.
    private static let needGPU: Set = [
        "length-overflow", "real-time", "constant-quantizer", "quality", "average-bit-rate", "expected-frame-rate",
        "data-rate-limits", "live-bit-rate", "live-rate-control", "bit-rate-ceiling",
    ]

    @Test(
        "low power passes every scenario that needs no pixels", .requiresIntelDriver(.free),
        arguments: [
            IntelMachine(chip: "kbl"), IntelMachine(chip: "icl", faults: "huc=absent"), IntelMachine(chip: "tgl"),
            IntelMachine(chip: "adlp"),
        ])
    func lowPower(machine: IntelMachine) async throws {
        let refusals = try await machine.run {
            await #expect(processExitsWith: .success) { try await Self.examine { $0.hasSuffix(".lowpower") } }
        }
        #expect(refusals == [])
    }

    @Test(
        "the other entry point passes them too", .requiresIntelDriver(.full),
        arguments: ["kbl", "tgl"].map { IntelMachine(build: .full, chip: $0) })
    func shaders(machine: IntelMachine) async throws {
        let refusals = try await machine.run {
            await #expect(processExitsWith: .success) { try await Self.examine { !$0.hasSuffix(".lowpower") } }
        }
        #expect(refusals == [])
    }

    /// In a child: examines encoders of its machine.
    private static func examine(_ isMeant: (String) -> Bool) async throws {
        let backend = VAAPIBackend()
        let encoders = try backend.listEncoders().filter { isMeant($0.id.rawValue) }
        #expect(!encoders.isEmpty)
        for encoder in encoders {
            let suite = try await ConformanceSuite(backend: backend, encoder: encoder, patience: Patience.seconds)
            for scenario in ConformanceSuite.scenarios where !needGPU.contains(scenario.name) {
                let findings = await suite.run(scenario).findings
                #expect(findings == [], "\(encoder.id) \(findings)")
            }
        }
    }
}
