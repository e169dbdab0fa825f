// SPDX-License-Identifier: MIT

@testable import Capture
import TestSupport
import Testing

@Suite struct FramePaceTests {
    /// A source that owes a frame each interval, with what happens to each.
    private func model(
        interval: Double, drift: Double, jitter: Double, lossPercent: Int, _ random: inout SeededGenerator
    ) -> (times: [Int64], lost: Int) {
        var times: [Int64] = []
        var (lost, sinceLast) = (0, 0)
        for slot in 0..<2000 {
            // Not the first, before which nothing is due.
            if slot > 0, Int.random(in: 0..<100, using: &random) < lossPercent {
                sinceLast += 1
                continue
            }
            lost += sinceLast
            sinceLast = 0
            let late = Double.random(in: -jitter...jitter, using: &random)
            times.append(1_000_000 + Int64((Double(slot) + late) * interval * (1 + drift)))
        }
        return (times, lost)
    }

    @Test(
        "frames that were due and did not come are counted exactly, also by a clock that drifts",
        arguments: [(0, 0.0), (5, 0.0), (5, 0.001), (30, -0.001), (60, 0.0)])
    func lost(percent: Int, drift: Double) {
        var random = SeededGenerator()
        let interval = 1_000_000 / 29.97
        for _ in 0..<20 {
            let (times, lost) = model(
                interval: interval, drift: drift, jitter: 0.1, lossPercent: percent, &random)
            var pace = FramePace(interval: interval)
            var shown: Int64 = 0
            for (index, time) in times.enumerated() {
                guard case .shown(let duration) = pace.note(time) else {
                    Issue.record("frame \(index) taken for a surplus")
                    continue
                }
                #expect((duration == nil) == (index == 0))
                // The time from frame to frame is that which they have, gaps too.
                if index > 0 { #expect(duration == time - times[index - 1]) }
                shown += duration ?? 0
            }
            #expect(pace.lost == lost && pace.surplus == 0)
            #expect(shown == (times.last ?? 0) - (times.first ?? 0))
        }
    }

    @Test("a frame that is late by more than half an interval is lost only until the next makes it good")
    func late() {
        var pace = FramePace(interval: 10_000)
        for time: Int64 in [0, 10_000, 20_000, 36_000, 40_000, 50_000] { _ = pace.note(time) }
        #expect(pace.lost == 0)
        _ = pace.note(80_000)
        #expect(pace.lost == 2)
        _ = pace.note(90_000)
        #expect(pace.lost == 2)
    }

    @Test("a frame that is late by as much as the one before it makes its place good too")
    func lateTwice() {
        var pace = FramePace(interval: 10_000)
        for time: Int64 in [0, 10_000, 26_000, 36_000, 40_000, 50_000] { _ = pace.note(time) }
        #expect(pace.lost == 0 && pace.surplus == 0)
    }

    @Test("frames that a source gives to catch up are left out and counted, and are not lost")
    func surplus() {
        var pace = FramePace(interval: 10_000)
        let frames = [0, 10_000, 50_000, 50_100, 50_200, 60_000].map { pace.note($0) }
        #expect(frames.filter { $0 == .surplus }.count == 2 && pace.surplus == 2 && pace.lost == 1)
        #expect(frames.last == .shown(previousDuration: 10_000))
    }

    @Test(
        "of a source that is held up and catches up, frames shown, left out and lost are those that were due",
        arguments: [0.01, 0.05, 0.1])
    func heldUp(share: Double) {
        var random = SeededGenerator()
        for _ in 0..<20 {
            let interval = 33_333.0
            var pace = FramePace(interval: interval)
            var (now, shown) = (0.0, 0)
            for slot in 0..<6000 {
                // No frame comes before it is due; the last ones are in time, so that nothing is owed at the end.
                now = max(now, Double(slot) * interval) + Double.random(in: 1...2000, using: &random)
                let isHeld = slot < 5970 && Double.random(in: 0..<1, using: &random) < share
                if isHeld { now += interval * Double.random(in: 0...4, using: &random) }
                if case .shown = pace.note(Int64(now)) { shown += 1 }
            }
            #expect(shown + pace.surplus + pace.lost == 6000, "\(pace)")
        }
    }

    @Test("a first frame that came late makes no later one count as lost")
    func lateFirst() {
        var pace = FramePace(interval: 10_000)
        // The fourth is late by so much that the fifth is left out, and is in its place all the same.
        let frames = [13_400, 13_900, 20_300, 38_000, 40_100, 50_500, 60_100].map { pace.note($0) }
        #expect(frames.filter { $0 == .surplus }.count == 2 && pace.surplus == 2 && pace.lost == 0)
    }

    @Test("a source without a rate loses nothing that can be counted", arguments: [nil, 0, -1, Double.nan, .infinity])
    func withoutRate(interval: Double?) {
        var pace = FramePace(interval: interval)
        #expect(pace.interval == nil)
        for time: Int64 in [0, 1, 2_000_000, 2_000_001] { _ = pace.note(time) }
        #expect(pace.lost == 0 && pace.surplus == 0)
    }

    @Test("jumps of any size end no program")
    func hostile() {
        var pace = FramePace(interval: 0.5)
        for time: Int64 in [.min / 1024, 0, .max / 1024] { _ = pace.note(time) }
        #expect(pace.lost > 0)
    }
}
