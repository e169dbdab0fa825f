// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct EncoderClockTests {
    /// How ticks run for `times`: as a session keeps the clock, which opens another encoder for a finer timescale.
    private func run(
        _ times: [MediaTime], rate: FrameRate
    ) -> (ticks: [(tick: Int64, timescale: Int32)], changes: Int) {
        var clock = EncoderClock()
        var timescale = EncoderTimescale.timescale(first: times.first, rate: rate)
        var changes = 0
        let ticks = times.map { time in
            if let finer = clock.finer(than: timescale, for: time, rate: rate) {
                timescale = finer
                changes += 1
                clock.changeTimescale()
            }
            return (clock.ticks(of: time, timescale: timescale), timescale)
        }
        return (ticks, changes)
    }

    @Test(
        "a first time in coarse ticks does not squeeze the frames that follow: 0/30, then n/60 or n/120",
        arguments: [60, 120, 240, 1000, 90_000] as [Int32], [.zero, MediaTime(value: 0, timescale: 30)])
    func coarseStart(timescale: Int32, first: MediaTime) throws {
        let step = max(timescale / 120, 1)
        let times = [first] + (1..<50).map { MediaTime(value: Int64($0) * Int64(step), timescale: timescale) }
        let (ticks, changes) = run(times, rate: 30)
        #expect(changes <= 1)
        for (tick, time) in zip(ticks, times) {
            #expect(abs(Double(tick.tick) / Double(tick.timescale) - time.seconds) < 0.0005)
        }
    }

    @Test("whatever the timescales, ticks increase and are off by a twentieth of a frame at most")
    func random() {
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            let rate = FrameRate(numerator: Int.random(in: 1...240, using: &generator))
            let timescales = (0..<2).map { _ in
                Int32.random(in: 1...(.max >> Int32.random(in: 0...30, using: &generator)), using: &generator)
            }
            var time = MediaTime(value: Int64.random(in: 0...1000, using: &generator), timescale: timescales[0])
            let origin = time
            var times = [time]
            for _ in 0..<30 {
                let timescale = timescales.randomElement(using: &generator) ?? 1
                let value = time.ticks(timescale: timescale) + 1 + Int64(timescale) / Int64(rate.numerator)
                time = MediaTime(value: value, timescale: timescale)
                times.append(time)
            }
            let (ticks, _) = run(times, rate: rate)
            for (index, (tick, timescale)) in ticks.enumerated() {
                let place = (times[index] - origin).seconds
                let error = abs(Double(tick) / Double(timescale) - place)
                #expect(error <= 0.05 / rate.framesPerSecond + 5e-5)
                guard index > 0, ticks[index - 1].timescale == timescale else { continue }
                #expect(tick > ticks[index - 1].tick)
            }
        }
    }

    @Test(
        "a timescale that carries the frames stays as it is",
        arguments: [(25, 25), (90_000, 30), (1000, 30), (600, 24)])
    func stays(timescale: Int32, rate: Int) {
        let times = (0..<100).map { MediaTime(seconds: Double($0) / Double(rate), preferredTimescale: timescale) }
        let (ticks, changes) = run(times, rate: FrameRate(numerator: rate))
        #expect(changes == 0 && ticks.allSatisfy { $0.timescale == timescale })
    }

    @Test("a clock finer than a nanosecond is not given to an encoder")
    func finest() {
        #expect(EncoderTimescale.timescale(first: MediaTime(value: 0, timescale: .max), rate: 30) == 30_000)
        #expect(
            EncoderTimescale.timescale(first: MediaTime(value: 0, timescale: 1_000_000_000), rate: 30) == 1_000_000_000)
    }
}
