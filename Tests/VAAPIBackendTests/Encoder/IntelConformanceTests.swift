// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

@testable import VAAPIBackend

/// The exam on Intel's real driver, in children of this process whose GPU is pretended: everything is real but what is
/// in slices.
@Suite(.serialized) struct IntelConformanceTests {
    /// Scenarios that ask how many bytes come out, which is the same whatever is coded.
    private static let needGPU: Set = [
        "length-overflow", "real-time", "constant-quantizer", "quality", "average-bit-rate", "expected-frame-rate",
        "data-rate-limits", "live-bit-rate", "live-rate-control", "bit-rate-ceiling",
        "constant-bit-rate", "variable-bit-rate", "average-quantizers", "late-bit-rates",
        "late-frame-rates", "late-limits",
        "late-quantizers", "late-smallest-quantizers", "late-qualities", "large-pictures",
    ]

    /// Whether a scenario is one of them, in whatever circumstance.
    private static func needsGPU(_ scenario: Scenario) -> Bool {
        needGPU.contains { name in
            scenario.name == name || scenario.name == "\(name)-after-another-size"
                || scenario.name == "\(name)-in-ten-bits"
        }
    }

    private static let lowPower = [
        IntelMachine(chip: "kbl"), IntelMachine(chip: "icl", faults: "huc=absent"), IntelMachine(chip: "tgl"),
        IntelMachine(chip: "adlp"),
    ]
    private static let shaders = ["kbl", "tgl"].map { IntelMachine(build: .full, chip: $0) }

    @Test(
        "low power passes every scenario that needs no pixels", .requiresIntelDriver(.free),
        arguments: lowPower)
    func sampledLowPower(machine: IntelMachine) async throws {
        let refusals = try await machine.run {
            await #expect(processExitsWith: .success) {
                let rows = Sample.of(Self.rows(Self.lowPower), labels: \.labels)
                try await Self.examine(rows) { $0.hasSuffix(".lowpower") }
            }
        }
        #expect(refusals == [])
    }

    @Test("the other entry point passes them too", .requiresIntelDriver(.full), arguments: shaders)
    func sampledShaders(machine: IntelMachine) async throws {
        let refusals = try await machine.run {
            await #expect(processExitsWith: .success) {
                let rows = Sample.of(Self.rows(Self.shaders), labels: \.labels)
                try await Self.examine(rows) { !$0.hasSuffix(".lowpower") }
            }
        }
        #expect(refusals == [])
    }

    /// A scenario on a machine; a sample has each machine and each scenario.
    private struct Row {
        var machine: IntelMachine
        var scenario: Scenario

        var labels: [String] { [machine.title, scenario.name] }
    }

    private static func rows(_ machines: [IntelMachine]) -> [Row] {
        let scenarios = ConformanceSuite.scenarios.filter { !needsGPU($0) }
        return machines.flatMap { machine in scenarios.map { Row(machine: machine, scenario: $0) } }
    }

    /// In a child: examines encoders of its machine.
    private static func examine(_ rows: [Row], _ isMeant: (String) -> Bool) async throws {
        let machine = try IntelMachine.current()
        let scenarios = rows.filter { $0.machine == machine }.map(\.scenario)
        #expect(!scenarios.isEmpty)
        let backend = VAAPIBackend()
        let encoders = try backend.listEncoders().filter { isMeant($0.id.rawValue) }
        #expect(!encoders.isEmpty)
        for encoder in encoders {
            let suite = try await ConformanceSuite(backend: backend, encoder: encoder, patience: Patience.seconds)
            for scenario in scenarios {
                let findings = await suite.run(scenario).findings
                #expect(findings == [], "\(encoder.id) \(findings)")
            }
        }
    }
}
