// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

/// The exam of encoders whose pictures come out on their own time.
@Suite struct DeviceConformanceTests {
    private func exam(_ change: (inout PretendedDevice) -> Void) async throws -> ConformanceSuite {
        let shelf = PictureShelf()
        var device = PretendedDevice(ModelBackend(codecs: [.h264, .hevc], skips: true, shelf: shelf))
        device.devices = ["first", "second"]
        device.latency = .microseconds(100)
        change(&device)
        return try await ConformanceSuite(
            backend: device, codec: .h264, decoder: ModelDecoder(shelf: shelf),
            companion: ModelBackend(codecs: [.hevc], shelf: shelf),
            patience: device.flaw == nil ? Patience.seconds : 2)
    }

    @Test("a device that does everything right passes every scenario", arguments: ConformanceSuite.scenarios)
    func sound(scenario: Scenario) async throws {
        let result = try await exam { $0.hasSurfaces = true }.run(scenario)
        #expect(result.outcome == .passed)
    }

    @Test(
        "what is wrong with a device is found",
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
