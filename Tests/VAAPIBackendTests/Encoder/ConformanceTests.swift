// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite(.requiresLibAV) struct ConformanceTests {
        /// A scenario with one of the encoders that softva imitates; a sample has each scenario and each encoder.
        struct Row: Sendable, CustomTestStringConvertible {
            var scenario: Scenario
            var personality: String
            var codec: VideoCodec

            private static let encoders: [(String, VideoCodec)] = [
                ("strict", .h264), ("strict", .hevc), ("ihd-tgl", .h264), ("ihd-tgl", .hevc), ("ihd-kbl-nohuc", .h264),
                ("ihd-mtl", .h264), ("ihd-mtl", .hevc), ("radeonsi-old", .h264), ("radeonsi-old", .hevc),
                ("radeonsi-new", .h264), ("radeonsi-new", .hevc), ("i965", .h264),
            ]
            static let all = ConformanceSuite.scenarios.flatMap { scenario in
                encoders.map { personality, codec in
                    Row(scenario: scenario, personality: personality, codec: codec)
                }
            }
            var labels: [String] { [scenario.name, "\(personality) \(codec)"] }
            var testDescription: String { "\(scenario.name) \(personality) \(codec)" }
        }

        @Test(
            "every scenario finds nothing", arguments: Sample.of(Row.all, thorough: Row.all.count / 8, labels: \.labels)
        )
        func sampledConformance(row: Row) async throws { try await examine(row) }

        /// B pictures wait for the next picture, before which a much coarser quantizer comes.
        @Test("pictures that wait while the quantizer changes are coded with the new one, which is no finding")
        func waitingPictures() async throws {
            let row = try #require(Row.all.first { $0.testDescription == "late-pictures ihd-tgl HEVC" })
            try await examine(row)
        }

        private func examine(_ row: Row) async throws {
            let display = try SoftVADisplay(row.personality)
            let suite = try await ConformanceSuite(
                backend: VAAPIBackend(devices: [display.device]), codec: row.codec,
                decoder: LibAVReferenceDecoder(),
                // Which the old driver does anyway, and the exam wants an option that changes bytes.
                nativeOption: row.personality == "radeonsi-old" ? nil : NativeOption("aud", "1"),
                patience: Patience.seconds)
            await expectConformance(row.scenario, suite)
            display.expectQuiet()
        }
    }
}
