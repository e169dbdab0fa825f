// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

/// The exam of encoders whose pictures come out on their own time, and of one that does all in a call.
@Suite struct DeviceConformanceTests {
    /// A scenario, and whether it examines a device.
    struct Row: Sendable, CustomTestStringConvertible {
        var scenario: Scenario
        var isDevice: Bool

        static let all = ConformanceSuite.scenarios.flatMap { scenario in
            [true, false].map { Row(scenario: scenario, isDevice: $0) }
        }
        var testDescription: String { "\(scenario.name), \(isDevice ? "device" : "encoder")" }
    }

    private func exam(_ change: (inout PretendedDevice) -> Void) async throws -> ConformanceSuite {
        let shelf = PictureShelf()
        var device = PretendedDevice(ModelBackend(codecs: [.h264, .hevc], skips: true, shelf: shelf))
        device.devices = ["first", "second"]
        device.latency = .microseconds(100)
        change(&device)
        return try await ConformanceSuite(
            backend: device, codec: .h264, decoder: ModelDecoder(shelf: shelf),
            companion: ModelBackend(codecs: [.hevc], shelf: shelf), nativeOption: ModelBackend.nativeOption,
            patience: device.flaw.map { Self.hangs.contains($0) ? 0.5 : 2 } ?? Patience.seconds)
    }

    /// What is found when the patience ends, however short it is.
    private static let hangs: [PretendedDevice.Flaw] = [.waitsForTheNext, .ignoresDeadlines, .stopsAnswering]

    @Test(
        "an encoder and a device that do everything right pass every scenario",
        arguments: Sample.of(Row.all, least: 50) { ["\($0.isDevice)"] })
    func sampledSound(row: Row) async throws {
        let suite =
            if row.isDevice {
                try await exam { $0.hasSurfaces = true }
            } else {
                try await soundEncoder()
            }
        let result = await suite.run(row.scenario)
        #expect(result.outcome == .passed)
    }

    private func soundEncoder() async throws -> ConformanceSuite {
        let shelf = PictureShelf()
        // Only one that skips frames shows what becomes of those that are skipped.
        return try await ConformanceSuite(
            backend: ModelBackend(skips: true, shelf: shelf), codec: .h264, decoder: ModelDecoder(shelf: shelf),
            companion: ModelBackend(codecs: [.hevc], shelf: shelf), nativeOption: ModelBackend.nativeOption,
            patience: Patience.seconds)
    }

    @Test(
        "what is wrong with a device is found", .inTurn(),
        arguments: [
            (PretendedDevice.Flaw.waitsForTheNext, "frame-delay", "did not come out within"),
            (.ignoresDeadlines, "flush", "collect to return when its deadline has passed"),
            (.stopsAnswering, "flush", "did not come out within"),
            (.losesItsContext, "flush", "lost its context"),
            (.changesIdentities, "listed-encoders", "the same list each time"),
            (.opensTheFirst, "listed-encoders", "pretended.second.model.hevc"),
            (.readsLateSurfaces, "encoder-pool", "the bytes that pictures in memory give"),
        ])
    func flaw(_ flaw: PretendedDevice.Flaw, name: String, says: String) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == name })
        let suite = try await exam { device in
            device.flaw = flaw
            if flaw == .readsLateSurfaces { (device.hasSurfaces, device.latency) = (true, .milliseconds(5)) }
            device.patience = .milliseconds(300)
            if flaw == .ignoresDeadlines { device.patience = .seconds(10) }
        }
        let findings = await suite.run(scenario).findings
        #expect(findings.contains { "\($0)".contains(says) }, "\(findings)")
    }
}
