// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import OpenH264Backend
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Back ends that list a setting and take no notice of it: one for each setting that a back end lists.
@Suite(.serialized) struct LiarTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let backend: any ImmediateBackend
        let codec: VideoCodec
        let lie: Lie
        /// Scenarios that must find it.
        let scenarios: [Scenario]

        var testDescription: String { "\(backend.identifier): \(lie)" }
        /// The back end, and the lie: a sample has each.
        var labels: [String] { [backend.identifier, "\(lie)"] }
    }

    static let backends: [(any ImmediateBackend, VideoCodec)] = [
        (X264Backend(), .h264), (X265Backend(), .hevc), (OpenH264Backend(), .h264),
    ]

    /// Settings that openh264 lists although it knows nothing else than what they ask for, so that no lie about them
    /// can be told: it has neither B pictures nor delay.
    static let alwaysTrue: [String: Set<Setting>] = ["openh264": [.allowFrameReordering, .maxFrameDelayCount]]

    static let rows: [Row] = backends.flatMap { backend, codec in
        let listed = (try? backend.listEncoders().first)?.capabilities.settings ?? []
        let told = listed.subtracting(alwaysTrue[backend.identifier] ?? [])
        return told.sorted { $0.rawValue < $1.rawValue }.flatMap { setting in
            Lie.all(about: setting).map { lie in
                Row(
                    backend: backend, codec: codec, lie: lie,
                    scenarios: ConformanceSuite.scenarios.filter { $0.effects.contains(setting) })
            }
        }
    }

    static let rowsBeyondSettings: [Row] = backends.flatMap { backend, codec in
        let listed = (try? backend.listEncoders().first)?.capabilities.settings ?? []
        return Lie.beyondSettings.compactMap { (lie, name) -> Row? in
            let scenarios = ConformanceSuite.scenarios.filter { $0.name == name }
            guard scenarios.allSatisfy({ listed.isSuperset(of: $0.settings) }) else { return nil }
            return Row(backend: backend, codec: codec, lie: lie, scenarios: scenarios)
        }
    }

    /// A preset that real time loses to, which openh264, without any delay, cannot show.
    static let rowsOfPresets = backends.prefix(2).map { backend, codec in
        Row(
            backend: backend, codec: codec,
            lie: Lie("real time without a preset alone") { settings in
                if settings.request.preset != nil { settings.request.realTime = false }
            }, scenarios: ConformanceSuite.scenarios.filter { $0.name == "real-time-delay" })
    }

    @Test("every setting that is listed has a lie about it and a scenario that tries it", arguments: backends.indices)
    func everySetting(index: Int) throws {
        let capabilities = try #require(try Self.backends[index].0.listEncoders().first).capabilities
        #expect(!capabilities.settings.isEmpty)
        for setting in capabilities.settings {
            #expect(!Lie.all(about: setting).isEmpty, "no lie about \(setting)")
            #expect(SettingRow.all.contains { $0.setting == setting }, "no row for \(setting)")
            #expect(
                ConformanceSuite.scenarios.contains { $0.effects.contains(setting) }, "no scenario tries \(setting)")
        }
    }

    @Test("a lie is found", arguments: Sample.of(rows + rowsBeyondSettings + rowsOfPresets, labels: \.labels))
    func sampledLie(row: Row) async throws {
        let suite = try await ConformanceSuite(
            backend: Liar(honest: row.backend, lie: row.lie), codec: row.codec,
            nativeOption: NativeOption("aq-mode", "0"), patience: Patience.seconds,
            findingLimit: 1)
        for scenario in row.scenarios where await !suite.run(scenario).findings.isEmpty { return }
        Issue.record("\(row.scenarios.map(\.name)) found nothing")
    }
}
