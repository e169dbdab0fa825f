// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct PaceRestartsTests {
    private static func areWorth(
        _ rate: FrameRate, intervals: Int, from pace: FrameRate, isFaster: Bool = true, at second: Int64 = 0,
        _ restarts: PaceRestarts = PaceRestarts()
    ) -> Bool {
        restarts.areWorth(
            FrameRateMeter.Contradiction(rate: rate, intervals: intervals, isFaster: isFaster), from: pace,
            at: MediaTime(value: second, timescale: 1))
    }

    @Test("more frames are worth another encoder after six intervals, after three where a source has rested")
    func faster() {
        #expect(!Self.areWorth(60, intervals: 5, from: 30) && Self.areWorth(60, intervals: 6, from: 30))
        #expect(!Self.areWorth(200, intervals: 3, from: 30) && Self.areWorth(30, intervals: 3, from: 1))
        #expect(!Self.areWorth(4, intervals: 3, from: 2))
    }

    @Test("fewer frames are worth one after 48 intervals and ten seconds, and twice as many each time")
    func slower() {
        var restarts = PaceRestarts()
        let seen = FrameRateMeter.Contradiction(rate: 10, intervals: 48, isFaster: false)
        #expect(Self.areWorth(10, intervals: 48, from: 30, isFaster: false))
        #expect(!Self.areWorth(10, intervals: 47, from: 30, isFaster: false))
        var second: Int64 = 0
        for wait: Int64 in [20, 40, 80, 160, 320, 320] {
            restarts.note(seen, at: MediaTime(value: second, timescale: 1))
            #expect(!Self.areWorth(10, intervals: 48, from: 30, isFaster: false, at: second + wait - 1, restarts))
            second += wait
            #expect(Self.areWorth(10, intervals: 48, from: 30, isFaster: false, at: second, restarts))
        }
    }
}
