// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct KeyFramePlannerTests {
    @Test(
        "at a rate that divides the interval sync frames come exactly so far apart",
        arguments: [1, 2, 3, 7, 11, 20, 59, 301], [(30, 1), (60, 1), (25, 1), (600, 7), (30_000, 1001), (90_000, 3003)])
    func exactInterval(frames: Int, rate: (timescale: Int, ticks: Int)) {
        let seconds = Double(frames * rate.ticks) / Double(rate.timescale)
        var live = LiveParameters()
        live.asked.maxKeyFrameIntervalDuration = seconds
        var planner = KeyFramePlanner(live)
        let forced = (0...3 * frames).filter { frame in
            let time = MediaTime(value: Int64(frame * rate.ticks), timescale: Int32(rate.timescale))
            return planner.mustForce(frame, at: time, requested: false)
        }
        #expect(forced == [0, frames, 2 * frames, 3 * frames])
    }

    @Test("an interval other than the encoder was told is kept in frames, from whatever sync frame came last")
    func otherInterval() {
        var live = LiveParameters()
        live.asked.maxKeyFrameInterval = 30
        var planner = KeyFramePlanner(live)
        func forced(_ ids: Range<Int>) -> [Int] {
            ids.filter { planner.mustForce($0, at: MediaTime(value: Int64($0), timescale: 30), requested: false) }
        }
        var seen: [[Int]] = []
        planner.noteSync(0, at: .zero)
        seen.append(forced(1..<40))
        live.asked.maxKeyFrameInterval = 4
        planner.change(to: live)
        seen.append(forced(40..<46))
        planner.noteSync(46, at: MediaTime(value: 46, timescale: 30))
        seen.append(forced(47..<56))
        live.asked.maxKeyFrameInterval = 30
        planner.change(to: live)
        seen.append(forced(56..<120))
        live.asked.maxKeyFrameInterval = 4
        planner.noteOpening(with: live)
        seen.append(forced(120..<200))
        #expect(seen == [[], [40, 44], [50, 54], [], []])
    }

    @Test("where no sync frame has come out yet, another interval starts with one")
    func nothingOut() {
        var planner = KeyFramePlanner(LiveParameters())
        var live = LiveParameters()
        live.asked.maxKeyFrameInterval = 10
        planner.change(to: live)
        let isForced = planner.mustForce(7, at: .zero, requested: false)
        #expect(isForced)
    }

    @Test("a lost frame forces the next, unless a later one was forced", arguments: [(4, true), (5, true), (6, false)])
    func lostFrame(forced: Int, isMadeUp: Bool) {
        var planner = KeyFramePlanner(LiveParameters())
        for id in 0..<8 {
            _ = planner.mustForce(id, at: MediaTime(value: Int64(id), timescale: 30), requested: id == forced)
        }
        planner.makeUp(for: 5)
        let isForced = planner.mustForce(8, at: MediaTime(value: 8, timescale: 30), requested: false)
        #expect(isForced == isMadeUp)
    }
}
