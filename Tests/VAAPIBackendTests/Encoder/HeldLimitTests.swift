// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    /// Data-rate limits with drivers that are told quantizers from picture to picture.
    @Suite struct HeldLimitTests {
        struct Row: CustomTestStringConvertible, Sendable {
            let personality: String
            let codec: VideoCodec
            let control: RateControl
            let windows: [Double]
            let forced: Set<Int>

            var testDescription: String {
                "\(personality) \(codec), \(control), \(windows) s, \(forced.count) of \(count) forced"
            }
            var labels: [String] { ["\(personality) \(codec)", "\(control) \(forced.count)", "\(windows)"] }
        }

        private static let count = 40

        private static let rows: [Row] = [
            ("strict", .h264), ("strict", .hevc), ("ihd-tgl", .h264), ("ihd-tgl", .hevc), ("radeonsi-old", .h264),
            ("radeonsi-new", .hevc), ("i965", .h264),
        ].flatMap { (personality: String, codec: VideoCodec) -> [Row] in
            [RateControl.averageBitRate(300_000), .quality(0.9)].flatMap { control in
                [[0.2], [1], [0.2, 1]].flatMap { windows in
                    [Set(0..<count), [7, 8, 9, 23], []].map { forced in
                        Row(personality: personality, codec: codec, control: control, windows: windows, forced: forced)
                    }
                }
            }
        }

        @Test(
            "no window carries more than its limit, and no frame is dropped",
            arguments: Sample.of(rows, thorough: 40, labels: \.labels))
        func sampledHolds(row: Row) async throws {
            var encoding = DeviceEncoding(
                personality: row.personality,
                configuration: DeviceEncoding.configuration(row.codec, width: 96, height: 80), count: Self.count,
                forced: row.forced)
            let limits = row.windows.map { DataRateLimit(bytes: Int(1000 * 30 * $0), seconds: $0) }
            encoding.configuration.live.rateControl = row.control
            encoding.configuration.live.dataRateLimits = limits
            let result = try await encoding.run()
            #expect(result.error == nil)
            for limit in limits { #expect(result.frames.mostBytes(inWindowsOf: limit.seconds) <= limit.bytes) }
            #expect(result.frames.count == Self.count && result.frames.allSatisfy { $0.accessUnit != nil })
        }
    }
}
