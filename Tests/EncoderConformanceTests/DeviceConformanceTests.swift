// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

/// The exam of encoders whose pictures come out on their own time.
@Suite struct DeviceConformanceTests {
    private func exam(_ change: (inout PretendedDevice) -> Void) throws -> ConformanceSuite {
        let shelf = FakeShelf()
        var device = PretendedDevice(FakeBackend(skips: true, shelf: shelf))
        device.latency = .microseconds(100)
        change(&device)
        return try ConformanceSuite(
            backend: device, codec: .h264, decoder: FakeDecoder(shelf: shelf),
            companion: FakeBackend(codec: .hevc, shelf: shelf),
            patience: device.flaw == nil ? Patience.seconds : 2)
    }

    @Test("a device that does everything right passes every scenario", arguments: ConformanceSuite.scenarios)
    func sound(scenario: Scenario) async throws {
        let result = try await exam { _ in }.run(scenario)
        #expect(result.outcome == .passed)
    }

    @Test(
        "what is wrong with a device is found",
        arguments: [
            (PretendedDevice.Flaw.waitsForTheNext, "frame-delay", "did not come out within"),
            (.ignoresDeadlines, "flush", "collect to return when its deadline has passed"),
            (.stopsAnswering, "flush", "did not come out within"),
            (.losesItsContext, "flush", "lost its context"),
        ])
    func flaw(_ flaw: PretendedDevice.Flaw, name: String, says: String) async throws {
        let scenario = try #require(ConformanceSuite.scenarios.first { $0.name == name })
        let suite = try exam { device in
            device.flaw = flaw
            device.patience = .milliseconds(300)
            if flaw == .ignoresDeadlines { device.patience = .seconds(10) }
        }
        let findings = await suite.run(scenario).findings
        #expect(findings.contains { "\($0)".contains(says) }, "\(findings)")
    }
}
