// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct FrameRateMeterTests {
    /// The first contradiction that frames at `times` give, and after how many frames.
    private func contradiction(
        _ times: some Sequence<MediaTime>, expecting rate: FrameRate
    ) -> (frame: Int, seen: FrameRateMeter.Contradiction)? {
        var meter = FrameRateMeter()
        for (frame, time) in times.enumerated() {
            if let seen = meter.note(time, expecting: rate) { return (frame, seen) }
        }
        return nil
    }

    private func steady(_ rate: Double, timescale: Int32 = 90_000, count: Int = 500) -> [MediaTime] {
        (0..<count).map { MediaTime(seconds: Double($0) / rate, preferredTimescale: timescale) }
    }

    @Test("frames up to half an interval off their places never contradict their rate")
    func jitter() {
        var generator = SeededGenerator()
        for _ in 0..<500 {
            let rate = Double.random(in: 1...240, using: &generator)
            let jitter = Double.random(in: 0..<0.5, using: &generator)
            let times = (0..<200).map { frame in
                let place = Double(frame) + Double.random(in: -jitter...jitter, using: &generator)
                return MediaTime(seconds: 1000 + place / rate, preferredTimescale: 1_000_000_000)
            }
            #expect(
                contradiction(times, expecting: FrameRate(numerator: Int(rate * 1e6), denominator: 1_000_000)) == nil)
        }
    }

    @Test(
        "the further off, the sooner it is seen: a doubled rate after three intervals, a few percent after all",
        arguments: [
            (30.0, 60.0, 3), (24, 1000, 3), (30, 50, 3), (24, 30, 6), (25, 30, 12), (24, 25.5, 48), (30, 15, 12),
            (30, 27, 12),
        ])
    func deviations(expected: Double, real: Double, frame: Int) throws {
        let found = try #require(contradiction(steady(real), expecting: FrameRate(expected)))
        #expect(found.frame == frame && found.seen.intervals == frame && found.seen.isFaster == (real > expected))
        #expect(abs(found.seen.rate.framesPerSecond / real - 1) < 0.001)
    }

    @Test(
        "rates that agree within two percent never contradict", arguments: [(30.0, 29.97), (24, 23.976), (60, 59.94)])
    func agreement(expected: Double, real: Double) {
        #expect(contradiction(steady(real, timescale: 30_000), expecting: FrameRate(expected)) == nil)
        #expect(contradiction(steady(real, timescale: 1000), expecting: FrameRate(expected)) == nil)
    }

    @Test(
        "a source that rested is seen to wake after three intervals, whenever the measurement began", arguments: 1...60)
    func wakes(rests: Int) throws {
        let resting = (0...rests).map { MediaTime(value: Int64(150 * $0), timescale: 30) }
        let awake = (1...10).map { MediaTime(value: Int64(150 * rests + $0), timescale: 30) }
        let found = try #require(contradiction(resting + awake, expecting: FrameRate(0.2)))
        #expect(found.frame == rests + 3 && found.seen.isFaster && found.seen.intervals == 3)
        #expect(found.seen.rate == 30)
        // Two pictures more are a pointer that moved.
        #expect(contradiction(resting + awake.prefix(2), expecting: FrameRate(0.2)) == nil)
    }

    @Test("a rate that changes midway is seen within two measurements")
    func change() throws {
        let calm = steady(30, count: 400)
        let times = calm + (1...200).map { calm[399] + MediaTime(value: Int64($0), timescale: 60) }
        let found = try #require(contradiction(times, expecting: 30))
        #expect((400...496).contains(found.frame) && found.seen.isFaster)
    }

    @Test(
        "a pause hides no rate and makes none slower, behind the first frame or in the middle",
        arguments: [1, 2, 7, 20, 40])
    func pause(frames: Int) throws {
        func times(_ rate: Double) -> [MediaTime] {
            (0..<48).map { frame in
                let seconds = Double(frame) / rate + (frame < frames ? 0 : 12.3)
                return MediaTime(seconds: seconds, preferredTimescale: 90_000)
            }
        }
        #expect(contradiction(times(30), expecting: 30) == nil)
        let found = try #require(contradiction(times(60), expecting: 30))
        #expect(found.frame <= 6 && found.seen.isFaster)
        #expect(abs(found.seen.rate.framesPerSecond / 60 - 1) < 0.001)
    }

    @Test(
        "several pauses make no rate slower, and bursts are slower",
        arguments: [[100, 120], [60, 100, 140], [20, 40, 60, 80, 100, 120]], [2.0, 5, 3600])
    func pauses(frames: [Int], length: Double) throws {
        let times = (0..<200).map { frame in
            let seconds = Double(frame) / 30 + length * Double(frames.count { frame >= $0 })
            return MediaTime(seconds: seconds, preferredTimescale: 90_000)
        }
        #expect(contradiction(times, expecting: 30) == nil)
        let bursts = (0..<200).map { frame in
            MediaTime(seconds: Double(frame) / 30 + length * Double(frame / 5), preferredTimescale: 90_000)
        }
        let found = try #require(contradiction(bursts, expecting: 30))
        #expect(!found.seen.isFaster && found.seen.rate.framesPerSecond < 15)
    }
}
