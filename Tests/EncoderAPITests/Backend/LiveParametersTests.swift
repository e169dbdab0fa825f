// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct LiveParametersTests {
    private static var parameters: LiveParameters {
        var parameters = LiveParameters()
        parameters.rate = .init(
            .averageBitRate(1_000_000), buffer: .init(peakBitsPerSecond: 1_000_000, bits: 2_500_000))
        parameters.asked.averageBitRate = 1_000_000
        parameters.asked.maxKeyFrameInterval = 50
        return parameters
    }

    /// What is changed, and whether an encoder does something else then.
    private static let rows: [(name: String, isOther: Bool, change: @Sendable (inout LiveParameters) -> Void)] = [
        ("nothing", false, { _ in }),
        ("average that limits lower", false, { $0.asked.averageBitRate = 2_000_000 }),
        (
            "limit that makes no other buffer", false,
            { $0.asked.dataRateLimits = [.init(bytes: 9_000_000, seconds: 1)] }
        ),
        ("hint that times contradict", false, { $0.asked.expectedFrameRate = 60 }),
        ("rate", true, { $0.rate.control = .averageBitRate(2_000_000) }),
        ("buffer", true, { $0.rate.buffer?.bits += 1 }),
        ("pace", true, { $0.pace = 60 }),
        ("smallest quantizer", true, { $0.asked.minAllowedFrameQP = 10 }),
        ("largest quantizer", true, { $0.asked.maxAllowedFrameQP = 40 }),
        ("interval", true, { $0.asked.maxKeyFrameInterval = 51 }),
        ("interval in seconds", true, { $0.asked.maxKeyFrameIntervalDuration = 2 }),
    ]

    @Test("two are equal where an encoder does the same with both, and hash alike then")
    func equality() {
        for row in Self.rows {
            var changed = Self.parameters
            row.change(&changed)
            #expect((changed != Self.parameters) == row.isOther, "\(row.name)")
            if !row.isOther { #expect(changed.hashValue == Self.parameters.hashValue, "\(row.name)") }
        }
    }

    @Test("intervals that the session keeps are left to it: any in seconds, shorter ones in frames")
    func leavingIntervals() {
        var changed = Self.parameters
        (changed.asked.maxKeyFrameInterval, changed.asked.maxKeyFrameIntervalDuration) = (49, 1)
        #expect(changed.leavingIntervals(of: Self.parameters) == Self.parameters)
        for interval in [51, nil] {
            changed.asked.maxKeyFrameInterval = interval
            #expect(changed.leavingIntervals(of: Self.parameters) != Self.parameters)
        }
    }
}
