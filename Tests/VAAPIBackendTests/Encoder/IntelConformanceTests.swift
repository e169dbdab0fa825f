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

    // Firmware writes the commands of Gen11's bit rates in HEVC from nothing, which the stand-in does not do.
    private static let gen11 = "huc=absent"
    private static let lowPower = [
        IntelMachine(chip: "kbl"), IntelMachine(chip: "icl", faults: gen11), IntelMachine(chip: "ehl", faults: gen11),
        IntelMachine(chip: "tgl"), IntelMachine(chip: "rkl"), IntelMachine(chip: "adlp"),
    ]
    /// Elkhart Lake has low power alone, in this build too.
    private static let full = [
        IntelMachine(build: .full, chip: "kbl"), IntelMachine(build: .full, chip: "ehl", faults: gen11),
        IntelMachine(build: .full, chip: "tgl"), IntelMachine(build: .full, chip: "rkl"),
        IntelMachine(build: .full, chip: "adlp"),
    ]

    @Test(
        "low power passes every scenario that needs no pixels", .requiresIntelDriver(.free),
        arguments: lowPower)
    func sampledLowPower(machine: IntelMachine) async throws {
        let refusals = try await machine.run {
            await #expect(processExitsWith: .success) {
                try await Self.examine(
                    Sample.of(Self.rows(of: Self.lowPower), thorough: Self.thoroughRows, labels: \.labels))
            }
        }
        #expect(refusals == [])
    }

    @Test("the full build passes them at its other entry point too", .requiresIntelDriver(.full), arguments: full)
    func sampledFull(machine: IntelMachine) async throws {
        let refusals = try await machine.run {
            await #expect(processExitsWith: .success) {
                try await Self.examine(
                    Sample.of(Self.rows(of: Self.full), thorough: Self.thoroughRows, labels: \.labels))
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

    private static let scenarios = ConformanceSuite.scenarios.filter { !needsGPU($0) }
    /// Rows of a thorough run: each scenario, and half as many again.
    private static let thoroughRows = scenarios.count * 3 / 2

    private static func rows(of machines: [IntelMachine]) -> [Row] {
        machines.flatMap { machine in scenarios.map { Row(machine: machine, scenario: $0) } }
    }

    /// In a child, on one of the machines: examines its encoders, of a full build those of the entry point that only
    /// it has, if it has one.
    private static func examine(_ rows: [Row]) async throws {
        let machine = try IntelMachine.current()
        let scenarios = rows.filter { $0.machine == machine }.map(\.scenario)
        // A run that takes turns has none for some of the machines.
        #expect(!scenarios.isEmpty || Turn.current != nil)
        let backend = VAAPIBackend()
        let listed = try backend.listEncoders()
        let others = listed.filter { !$0.id.rawValue.hasSuffix(".lowpower") }
        let encoders = others.isEmpty ? listed : others
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
