// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV
import Testing

@Suite struct MediaTimeRoundingTests {
    @Test(
        "a time is rounded to the nearest tick, halves upwards",
        arguments: [
            (1, 30, 1000, 33, 34), (2, 30, 1000, 67, 67), (1, 2000, 1000, 1, 1), (-1, 2000, 1000, 0, 0),
            (-1, 30, 1000, -33, -33), (-3, 2000, 1000, -1, -1), (7, 1000, 1000, 7, 7), (1, 1, 90_000, 90_000, 90_000),
            (Int64.max, 1, 90_000, Int64.max, Int64.max), (Int64.min, 1, 90_000, Int64.min, Int64.min),
        ] as [(Int64, Int32, Int32, Int64, Int64)])
    func rounding(value: Int64, timescale: Int32, other: Int32, nearest: Int64, up: Int64) {
        let time = MediaTime(value: value, timescale: timescale)
        #expect(time.nearestTick(timescale: other) == nearest)
        #expect(time.tickUp(timescale: other) == up)
    }

    @Test("all frames of an hour in NTSC time fall on the nearest millisecond")
    func hour() {
        for number in 0..<107_892 as Range<Int64> {
            let tick = MediaTime(value: number * 1001, timescale: 30_000).nearestTick(timescale: 1000)
            // |30 tick - 1001 number| is at most half a millisecond of 30 units.
            #expect(abs(tick * 30 - number * 1001) <= 15)
        }
    }
}
