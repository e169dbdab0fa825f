// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Logging
import Testing

@testable import VAAPIBackend

/// Tests on Intel's real driver, in children of this process whose GPU is pretended; one at a time, as they share an
/// environment.
@Suite(.serialized) struct IntelDriverTests {
    @Test(
        "the probe reads what the free build offers", .requiresIntelDriver(.free),
        arguments: IntelMachine.all(.free))
    func freeOffers(machine: IntelMachine) async throws {
        try await machine.run {
            await #expect(processExitsWith: .success) { try Self.compareOffers() }
        }
    }

    @Test(
        "the probe reads what the full build offers", .requiresIntelDriver(.full),
        arguments: IntelMachine.all(.full))
    func fullOffers(machine: IntelMachine) async throws {
        try await machine.run {
            await #expect(processExitsWith: .success) { try Self.compareOffers() }
        }
    }

    @Test("the encoders of the free build are listed", .requiresIntelDriver(.free), arguments: IntelMachine.all(.free))
    func freeEncoders(machine: IntelMachine) async throws {
        try await machine.run {
            await #expect(processExitsWith: .success) { try Self.compareEncoders() }
        }
    }

    @Test("the encoders of the full build are listed", .requiresIntelDriver(.full), arguments: IntelMachine.all(.full))
    func fullEncoders(machine: IntelMachine) async throws {
        try await machine.run {
            await #expect(processExitsWith: .success) { try Self.compareEncoders() }
        }
    }

    /// What a machine lists, each encoder a line: its identity, depths, least and largest width, and whether bit rates
    /// can be asked for.
    private static func expected(on machine: IntelMachine) -> [String] {
        // Low power has rate control from firmware alone.
        let rates = machine.faults.isEmpty ? " rates" : ""
        let h264 = "h264 [8] 32...4096 rates"
        let h264LowPower = "h264.lowpower [8] 32...4096\(rates)"
        return switch (machine.build, machine.chip) {
        case (.free, "kbl"): [h264LowPower]
        case (.free, "icl"): [h264LowPower, "hevc.lowpower [8, 10] 128...8192\(rates)"]
        case (.free, _): [h264LowPower, "hevc.lowpower [8, 10] 128...16384\(rates)"]
        case (.full, "kbl"): [h264, h264LowPower, "hevc [8, 10] 32...4096 rates"]
        // Asked about low power before, the driver says 128 for HEVC's other entry point too.
        case (.full, "icl"):
            [
                h264, h264LowPower, "hevc [8, 10] 128...8192 rates",
                "hevc.lowpower [8, 10] 128...8192\(rates)",
            ]
        case (.full, _):
            [
                h264, h264LowPower, "hevc [8, 10] 128...16384 rates",
                "hevc.lowpower [8, 10] 128...16384\(rates)",
            ]
        }
    }

    /// In a child: compares the list of the back end with what its machine should have.
    private static func compareEncoders() throws {
        let listed = try VAAPIBackend().discover(logger: Logger(label: "test")).map(\.description)
        let lines = listed.map { encoder in
            let capabilities = encoder.capabilities
            let rates = capabilities.settings.contains(.averageBitRate) ? " rates" : ""
            let name = encoder.id.rawValue.dropFirst("vaapi.renderD128.".count)
            return "\(name) \(capabilities.bitDepths) \(capabilities.codedWidths)\(rates)"
        }
        #expect(lines == expected(on: try .current()), "\(lines)")
        #expect(
            listed.allSatisfy { $0.device == "/dev/dri/renderD128" && $0.id.rawValue.hasPrefix("vaapi.renderD128.") })
        #expect(listed.allSatisfy { $0.libraryVersion == "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()" })
    }

    /// In a child: compares the answers to the probe with the table of its machine.
    private static func compareOffers() throws {
        let recorded = try RecordedOffers(of: try .current())
        let node = RenderNode(path: "/dev/dri/renderD128")
        #expect(RenderNode.all() == [node])
        let display = try VADisplayHandle(opening: .renderNode(node), logger: Logger(label: "test"))
        #expect(display.driver == recorded.driver)
        let answers = try VACapabilityProbe(display).answers()
        #expect(answers.count == recorded.words.values.reduce(0) { $0 + $1.count })
        for answer in answers {
            let known = answer.words.filter { $0.value != UInt32(VA_ATTRIB_NOT_SUPPORTED) }
            #expect(known == recorded.words[answer.profile]?[answer.entrypoint])
        }
    }
}
