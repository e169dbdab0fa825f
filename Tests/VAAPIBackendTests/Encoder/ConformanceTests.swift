// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite(.requiresLibAV) struct ConformanceTests {
        /// A scenario with one of two encoders; a sample has each scenario.
        struct Row: Sendable, CustomTestStringConvertible {
            var scenario: Scenario
            var personality: String
            var codec: VideoCodec

            static let all = ConformanceSuite.scenarios.flatMap { scenario in
                [("strict", VideoCodec.h264), ("ihd-tgl", .hevc)].map { personality, codec in
                    Row(scenario: scenario, personality: personality, codec: codec)
                }
            }
            var labels: [String] { [scenario.name, personality] }
            var testDescription: String { "\(scenario.name) \(personality)" }
        }

        @Test("every scenario finds nothing", arguments: Sample.of(Row.all, labels: \.labels))
        func sampledConformance(row: Row) async throws {
            let display = try SoftVADisplay(row.personality)
            let suite = try await ConformanceSuite(
                backend: VAAPIBackend(devices: [display.device]), codec: row.codec,
                decoder: LibAVReferenceDecoder(), patience: Patience.seconds)
            await expectConformance(row.scenario, suite)
            display.expectQuiet()
        }
    }
}
