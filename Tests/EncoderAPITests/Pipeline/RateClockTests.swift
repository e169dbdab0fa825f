// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct RateClockTests {
    private static let frame = MediaTime(value: 1, timescale: 30)

    /// Where a clock puts frames of 1/30 s that come at `times`.
    private func run(
        _ times: some Sequence<MediaTime>, duration: MediaTime? = frame, hint: FrameRate? = 30
    ) -> (places: [MediaTime], followsDurations: Bool) {
        var clock = RateClock()
        let places = times.map { clock.time(of: $0, duration: duration, expecting: hint) }
        return (places, clock.followsDurations)
    }

    private func milliseconds(_ times: some Sequence<Int>) -> [MediaTime] {
        times.map { MediaTime(value: Int64($0), timescale: 1000) }
    }

    @Test("times in another unit than they say give way to durations, and the clock makes up for the first frames")
    func anotherUnit() {
        for step in [1, 5, 16] {
            let (places, followsDurations) = run(milliseconds((0..<100).map { 7000 + step * $0 }))
            #expect(followsDurations)
            #expect((2..<100).allSatisfy { places[$0] - places[0] == MediaTime(value: Int64($0), timescale: 30) })
            #expect(zip(places, places.dropFirst()).allSatisfy(<))
        }
    }

    @Test("times are kept where no two witnesses say that they are wrong")
    func believed() {
        let dense = milliseconds(0..<100)
        for (duration, hint) in [
            (nil, 30), (Self.frame, nil), (Self.frame, 60), (MediaTime(value: 1, timescale: 1), 30),
            (MediaTime(value: 1, timescale: 1000), 30), (MediaTime.zero, 30),
        ] as [(MediaTime?, FrameRate?)] {
            let (places, followsDurations) = run(dense, duration: duration, hint: hint)
            #expect(!followsDurations && places == dense)
        }
    }

    @Test(
        "frames up to half an interval off their places, lost ones, and those that come at once after a pause keep it")
    func jitter() {
        var generator = SeededGenerator()
        for _ in 0..<500 {
            var index = 0.0
            var times: [MediaTime] = []
            for frame in 0..<300 {
                index +=
                    Int.random(in: 0..<10, using: &generator) == 0 ? Double.random(in: 1...40, using: &generator) : 1
                // What a pause held back comes at once.
                let late =
                    frame > 60 && frame % 100 > 90 ? 0.01 * Double(frame % 100 - 90) - Double(frame % 100 - 90) : 0
                let place = index + late + Double.random(in: -0.49...0.49, using: &generator) * (late == 0 ? 1 : 0.01)
                times.append(MediaTime(seconds: 100 + place / 30, preferredTimescale: 1_000_000_000))
            }
            times.sort()
            let (places, followsDurations) = run(times)
            #expect(!followsDurations && places == times)
        }
    }

    @Test("after durations were believed, steps that suit them count as they are, and the clock never goes back")
    func mended() {
        let steps = Array(repeating: 1, count: 20) + Array(repeating: 33, count: 20) + [900, 1, 1, 40]
        var time = 0
        let times = milliseconds(
            steps.map { step in
                defer { time += step }
                return time
            })
        let (places, _) = run(times)
        #expect(zip(places, places.dropFirst()).allSatisfy(<))
        for index in 21..<40 { #expect(places[index] - places[index - 1] == MediaTime(value: 33, timescale: 1000)) }
        #expect(places[41] - places[40] == MediaTime(value: 900, timescale: 1000))
    }
}
