// SPDX-License-Identifier: MIT

@testable import Capture
import TestSupport
import Testing

@Suite struct StampClockTests {
    /// A device whose stamps are of one of the three clocks, and arrive late by a random time.
    private struct Device {
        var kind: StampClock.Kind
        var random: SeededGenerator
        /// What the time of day has more than the monotonic clock; jumps now and then.
        var wallOffset: Int64 = 1_700_000_000_000_000
        var time: Int64 = 5_000_000_000
        var ownStart: Int64 = 0
        var isFirst = true

        mutating func next() -> (stamp: Int64, truth: Int64, now: StampClock.Reading) {
            defer { isFirst = false }
            time += Int64.random(in: 20_000...40_000, using: &random)
            let offsetThen = wallOffset
            if kind == .wall, !isFirst, Int.random(in: 0..<50, using: &random) == 0 {
                // Set forwards or backwards by up to an hour, between the stamp and its arrival; not with the first
                // stamp, by which the clock is told, nor by less than stamps take, which nobody can tell.
                let step = Int64.random(in: 20_000...3_600_000_000, using: &random)
                wallOffset += Bool.random(using: &random) ? step : -step
            }
            let arrival = time + Int64.random(in: 0...15_000, using: &random)
            let stamp =
                switch kind {
                case .monotonic: time
                case .wall: time + offsetThen
                case .own: time - 5_000_000_000 + ownStart
                }
            return (stamp, time, .init(monotonic: arrival, wall: arrival + wallOffset))
        }
    }

    @Test(
        "stamps of every clock become the monotonic time of what was captured",
        arguments: [StampClock.Kind.monotonic, .wall])
    func mapped(kind: StampClock.Kind) {
        var device = Device(kind: kind, random: SeededGenerator())
        var clock = StampClock()
        for _ in 0..<5000 {
            let (stamp, truth, now) = device.next()
            let time = clock.time(of: stamp, now: now)
            // The time of day is slewed by up to that without being taken to be set.
            #expect(abs(time - truth) <= 1001, "\(time - truth)")
        }
        #expect(clock.kind == kind && clock.unusable == 0)
    }

    @Test("what is stamped before it is taken is of the middle between stamp and arrival")
    func beforehand() {
        var device = Device(kind: .wall, random: SeededGenerator())
        var clock = StampClock(isBeforehand: true)
        for _ in 0..<5000 {
            let (stamp, truth, now) = device.next()
            let time = clock.time(of: stamp, now: now)
            #expect(abs(time - (truth + now.monotonic) / 2) <= 1001, "\(time - truth) of \(now.monotonic - truth)")
        }
        // A stamp's age is known before its time is asked for, and says nothing without a stamp.
        let (stamp, truth, then) = device.next()
        #expect(abs(clock.age(of: stamp, now: then) - (then.monotonic - truth)) <= 1001)
        #expect(clock.age(of: nil, now: then) == 0)
        // Where it has no stamp that could be used, its arrival stands.
        let now = StampClock.Reading(monotonic: device.time + 60_000_000, wall: device.time + device.wallOffset)
        #expect(clock.time(of: nil, now: now) == now.monotonic)
    }

    @Test("a clock of the device's own keeps its intervals, and its zero is where its origin is")
    func own() {
        var device = Device(kind: .own, random: SeededGenerator(), ownStart: 77)
        var clock = StampClock(origin: 9_000_000, isOwn: true)
        for _ in 0..<1000 {
            let (stamp, _, now) = device.next()
            #expect(clock.time(of: stamp, now: now) == 9_000_000 + stamp)
        }
        // Without an origin, the first stamp is now.
        var other = StampClock()
        #expect(other.time(of: 123_456, now: .init(monotonic: 1_000_000_000, wall: 5_000_000_000)) == 1_000_000_000)
        #expect(other.time(of: 123_556, now: .init(monotonic: 1_000_000_900, wall: 5_000_000_900)) == 1_000_000_100)
    }

    @Test("times rise and are never later than now, whatever a device stamps")
    func hostile() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            var clock = StampClock()
            var now = StampClock.Reading(monotonic: 60_000_000_000, wall: 1_700_000_000_000_000)
            var last = Int64.min
            for _ in 0..<100 {
                now.monotonic += Int64.random(in: 1000...50_000, using: &random)
                now.wall += Int64.random(in: 0...50_000, using: &random)
                let extremes: [Int64?] = [
                    nil, .max, .min, 0, -1, now.monotonic, now.wall, .random(in: .min ... .max, using: &random),
                ]
                let stamp = extremes.randomElement(using: &random) ?? nil
                let time = clock.time(of: stamp, now: now)
                #expect(time > last)
                if clock.kind != .own { #expect(time <= now.monotonic) }
                last = time
            }
        }
    }

    @Test("a stamp that no device could mean counts, and the time of arrival stands for it")
    func unusable() {
        var clock = StampClock()
        #expect(clock.time(of: 1_000_000, now: .init(monotonic: 1_000_100, wall: 9e15.wall)) == 1_000_000)
        #expect(clock.time(of: 900_000_000_000, now: .init(monotonic: 1_033_000, wall: 9e15.wall)) == 1_033_000)
        #expect(clock.time(of: nil, now: .init(monotonic: 1_066_000, wall: 9e15.wall)) == 1_066_000)
        #expect(clock.unusable == 1 && clock.kind == .monotonic)
    }
}

extension Double {
    fileprivate var wall: Int64 { Int64(self) }
}
