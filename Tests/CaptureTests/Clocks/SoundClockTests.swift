// SPDX-License-Identifier: MIT

@testable import Capture
import TestSupport
import Testing

@Suite struct SoundClockTests {
    /// A card that records from a moment on at a rate that is not exactly what it says; pieces take some time to
    /// arrive, now and then much.
    private struct Card {
        var random: SeededGenerator
        var drift: Double
        var frames: Int64 = 0
        var lastArrival: Int64 = 0
        static let start = 7_000_000_000.0

        /// When a sample frame is recorded.
        func time(_ position: Int64) -> Double { Self.start + Double(position) / 48_000 * 1_000_000 * (1 + drift) }

        mutating func piece(delayed held: Int64 = 0) -> (count: Int, arrival: Int64) {
            let count = Int.random(in: 400...1000, using: &random)
            frames += Int64(count)
            let delay = Int64.random(in: 0...8000, using: &random) + held
            lastArrival = max(lastArrival, Int64(time(frames)) + delay)
            return (count, lastArrival)
        }
    }

    @Test(
        "times are those of recording to within milliseconds, also of a card that drifts", .inTurn(),
        arguments: [0, 0.0002, -0.0002])
    func exact(drift: Double) {
        var card = Card(random: SeededGenerator(), drift: drift)
        var clock = SoundClock(sampleRate: 48_000)
        var position: Int64 = 0
        for piece in 0..<20_000 {
            // One piece in a hundred is held up by up to half a second, and those behind it come at once.
            let held = piece % 100 == 99 ? Int64.random(in: 0...500_000, using: &card.random) : 0
            let (count, arrival) = card.piece(delayed: held)
            clock.arrive(frameCount: count, now: arrival)
            let error = Double(clock.time(of: position)) - card.time(position)
            if piece > 100 { #expect(abs(error) < 4000, "piece \(piece): \(error)") }
            position += Int64(count)
        }
        #expect(clock.lost == 0)
    }

    @Test(
        "where the server says that sound is heard after it arrives, or was recorded long before, times are those",
        .inTurn(),
        arguments: [10_000.0, -25_000])
    func stamped(delay: Double) {
        var card = Card(random: SeededGenerator(), drift: 0.0001)
        var clock = SoundClock(sampleRate: 48_000)
        var position: Int64 = 0
        for piece in 0..<5000 {
            let held = piece % 100 == 99 ? Int64.random(in: 0...200_000, using: &card.random) : 0
            // Wrong at first, as where buffers shrink when a capture begins.
            let wrong = piece < 30 ? 460_000 : Double.random(in: -2000...2000, using: &card.random)
            let stamp = Int64(card.time(card.frames) + delay + wrong)
            let (count, arrival) = card.piece(delayed: held)
            clock.arrive(frameCount: count, stamp: stamp, now: arrival)
            let error = Double(clock.time(of: position)) - card.time(position) - delay
            if piece > 100 { #expect(abs(error) < 4000, "piece \(piece): \(error)") }
            position += Int64(count)
        }
        #expect(clock.lost == 0)
    }

    @Test("where sample frames are lost, the times are right again within half a second")
    func lost() {
        var card = Card(random: SeededGenerator(), drift: 0)
        var clock = SoundClock(sampleRate: 48_000)
        var (position, sinceLoss) = (Int64(0), Int64(0))
        for piece in 0..<2000 {
            if piece % 500 == 499 {
                // A quarter of a second that the card records and nobody gets.
                card.frames += 12_000
                sinceLoss = 0
            }
            let (count, arrival) = card.piece()
            clock.arrive(frameCount: count, now: arrival)
            let error = Double(clock.time(of: position)) - card.time(card.frames - Int64(count))
            if piece > 100, sinceLoss > 24_000 { #expect(abs(error) < 9000, "piece \(piece): \(error)") }
            position += Int64(count)
            sinceLoss += Int64(count)
        }
        #expect(abs(clock.lost - 36_000) < 2000)
    }

    @Test("times rise, whatever arrives")
    func hostile() {
        var random = SeededGenerator()
        var clock = SoundClock(sampleRate: 0)
        var (now, position, last) = (Int64(0), Int64(0), Int64.min)
        for _ in 0..<2000 {
            now += Int64.random(in: 0...3_000_000, using: &random)
            let count = Int.random(in: 0...100_000, using: &random)
            clock.arrive(frameCount: count, now: now)
            let time = clock.time(of: position)
            #expect(time > last)
            (last, position) = (time, position + Int64(count))
        }
    }
}
