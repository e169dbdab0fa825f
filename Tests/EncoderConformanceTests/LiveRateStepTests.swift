// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing
import X264Backend
import X265Backend

/// Bit rates that go up and down while a session runs.
///
/// An average of these libraries starts with a bucket of 2.25 seconds, which the first step's seconds may spend.
@Suite(.timeLimit(.minutes(2))) struct LiveRateStepTests {
    /// How a step's rate is asked for.
    enum Mode: CaseIterable {
        case constant
        /// An average without a limit, in real time.
        case averageLive
        /// A mean, with a buffer of half a second at twice the rate.
        case variable
        /// An average, and a second that carries a fourth more at most.
        case limited
        /// An average, and seconds that carry no more, in real time.
        case limitedLive

        func ask(_ live: inout LiveSettings, _ rate: Int) {
            switch self {
            case .constant: live.constantBitRate = rate
            case .averageLive: live.averageBitRate = rate
            case .variable: (live.variableBitRate, live.vbvBufferDuration) = (rate, 0.5)
            case .limited:
                live.averageBitRate = rate
                live.dataRateLimits = [DataRateLimit(bytes: rate / 8 * 5 / 4, seconds: 1)]
            case .limitedLive:
                live.averageBitRate = rate
                live.dataRateLimits = [DataRateLimit(bytes: rate / 8, seconds: 1)]
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let codec: VideoCodec
        let mode: Mode

        var testDescription: String { "\(codec), \(mode)" }
        /// Of libx265, which takes five times as long, any mode will do.
        var labels: [String] { [codec == .h264 ? "\(mode)" : "\(codec)"] }
    }

    static let rows = VideoCodec.allCases.flatMap { codec in Mode.allCases.map { Row(codec: codec, mode: $0) } }

    @Test(
        "5, 8, 12, 8 and 5 Mbit/s in steps of three seconds are apart, and no second of a constant rate passes it",
        arguments: Sample.of(rows, labels: \.labels))
    func sampledSteps(row: Row) async throws {
        var configuration = SessionConfiguration(codec: row.codec, width: 320, height: 180)
        configuration.preset = "ultrafast"
        configuration.realTime = row.mode == .limitedLive || row.mode == .averageLive
        row.mode.ask(&configuration.live, LiveRateSteps.rates[0])
        let backend: any ImmediateBackend = row.codec == .h264 ? X264Backend() : X265Backend()
        let frames = try await LiveRateSteps.run(
            try CompressionSession(configuration, encoder: backend), asking: { row.mode.ask(&$0, $1) })
        #expect(frames.count == 450 && frames.allSatisfy { $0.accessUnit != nil })
        LiveRateSteps.expectApart(LiveRateSteps.bytes(of: frames))
        // A window that lies in two steps has frames of two limits, each of which counts its own alone.
        if row.mode == .constant { #expect(LiveRateSteps.fullestSecond(of: frames) <= LiveRateSteps.mostInSecond) }
    }
}
