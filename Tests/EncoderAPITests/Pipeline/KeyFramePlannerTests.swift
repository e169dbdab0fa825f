// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct KeyFramePlannerTests {
    @Test(
        "at a rate that divides the interval sync frames come exactly so far apart",
        arguments: [1, 2, 3, 7, 11, 20, 59, 301], [(30, 1), (60, 1), (25, 1), (600, 7), (30_000, 1001), (90_000, 3003)])
    func exactInterval(frames: Int, rate: (timescale: Int, ticks: Int)) {
        let seconds = Double(frames * rate.ticks) / Double(rate.timescale)
        var planner = KeyFramePlanner(maxIntervalDuration: seconds)
        let forced = (0...3 * frames).filter { frame in
            let time = MediaTime(value: Int64(frame * rate.ticks), timescale: Int32(rate.timescale))
            return planner.mustForce(at: time, requested: false)
        }
        #expect(forced == [0, frames, 2 * frames, 3 * frames])
    }
}
