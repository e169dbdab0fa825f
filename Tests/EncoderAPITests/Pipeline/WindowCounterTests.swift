// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct WindowCounterTests {
    private struct Frame {
        var time: MediaTime
        var bytes: Int
    }

    @Test("the worst window is the one that counting every window anew finds, in mixed timescales too", .inTurn())
    func random() {
        var generator = SeededGenerator()
        for _ in 0..<300 {
            let timescales: [Int32] = [1, 30, 1001, 90_000, 1_000_000_000, .max].shuffled(using: &generator).suffix(2)
            let limit = DataRateLimit(
                bytes: 1, seconds: Double(Int.random(in: 1...3000, using: &generator)) / 1000)
            var counter = WindowCounter(limit: limit)
            var frames: [Frame] = []
            var time = MediaTime(value: Int64.random(in: -100...100, using: &generator), timescale: timescales[0])
            for _ in 0..<60 {
                let frame = Frame(time: time, bytes: Int.random(in: 0...5000, using: &generator))
                frames.append(frame)
                #expect(counter.bytes(sharedWith: frame.time) == shared(frames, limit))
                counter.add(bytes: frame.bytes, at: frame.time)
                let timescale = timescales.randomElement(using: &generator) ?? 1
                let step = Int64.random(in: 1...max(1, Int64(timescale) / 5), using: &generator)
                let value = time.ticks(timescale: timescale) + step
                time = MediaTime(value: value, timescale: timescale)
                guard time > frame.time else { break }
            }
            #expect(counter.worst == worst(frames, limit))
        }
    }

    /// Bytes of all frames but the last that share a window with it.
    private func shared(_ frames: [Frame], _ limit: DataRateLimit) -> Int {
        guard let last = frames.last else { return 0 }
        return frames.dropLast().reduce(0) { sum, frame in
            let both = [Frame(time: frame.time, bytes: 1), Frame(time: last.time, bytes: 1)]
            return worst(both, limit) == 2 ? sum + frame.bytes : sum
        }
    }

    private func worst(_ frames: [Frame], _ limit: DataRateLimit) -> Int {
        let ticks = Int128((limit.seconds * 1e9).rounded())
        return frames.indices.map { start in
            frames[start...].prefix { frame in
                let (a, b) = (frames[start].time, frame.time)
                let (one, other) = (Int128(a.timescale), Int128(b.timescale))
                return (Int128(b.value) * one - Int128(a.value) * other) * 1_000_000_000 < ticks * one * other
            }.reduce(0) { $0 + $1.bytes }
        }.max() ?? 0
    }

    @Test(
        "a frame that lies the limit's seconds later is in another window, at any frame rate", arguments: [24, 30, 60])
    func halfOpen(rate: Int) {
        var counter = WindowCounter(limit: DataRateLimit(bytes: 100 * rate, seconds: 1))
        for frame in 0..<10 * rate {
            counter.add(bytes: 100, at: MediaTime(value: Int64(frame), timescale: Int32(rate)))
        }
        #expect(counter.worst == 100 * rate)
    }
}
