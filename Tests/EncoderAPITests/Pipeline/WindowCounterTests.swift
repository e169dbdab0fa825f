// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct WindowCounterTests {
    private struct Frame {
        var time: MediaTime
        var bytes: Int
    }

    @Test("the worst window is the one that counting every window anew finds, in mixed timescales too")
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
                _ = counter.add(bytes: frame.bytes, at: frame.time)
                let timescale = timescales.randomElement(using: &generator) ?? 1
                let step = Int64.random(in: 1...max(1, Int64(timescale) / 5), using: &generator)
                let value = time.ticks(timescale: timescale) + step
                time = MediaTime(value: value, timescale: timescale)
                guard time > frame.time else { break }
            }
            #expect(counter.worst == worst(frames, limit))
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
            let isBroken = counter.add(bytes: 100, at: MediaTime(value: Int64(frame), timescale: Int32(rate)))
            #expect(!isBroken)
        }
        #expect(counter.worst == 100 * rate && !counter.isBroken)
    }

    @Test("limits that change are counted anew, limits that stay go on")
    func changes() {
        let (stays, goes) = (DataRateLimit(bytes: 100, seconds: 1), DataRateLimit(bytes: 60, seconds: 0.5))
        var watch = LimitWatch(limits: [stays, goes])
        let first = watch.add(bytes: 60, of: 0, at: .zero)
        watch.change(to: [DataRateLimit(bytes: 50, seconds: 0.5), stays], from: 1)
        let second = watch.add(bytes: 45, of: 1, at: MediaTime(value: 1, timescale: 10))
        #expect(!first && second)
        #expect(watch.broken.map(\.limit) == [stays] && watch.broken.map(\.worst) == [105])
        #expect(watch.adjustments.map(\.requested) == ["100 bytes in 1.0 s"])
        #expect(watch.adjustments.map(\.used) == ["105 bytes in a window"])
    }

    @Test("pictures that were given before a change and come out after it count for limits that stay only")
    func heldPictures() {
        let (stays, comes) = (DataRateLimit(bytes: 1000, seconds: 1), DataRateLimit(bytes: 50, seconds: 1))
        var watch = LimitWatch(limits: [stays])
        watch.change(to: [stays, comes], from: 3)
        // In decode order: picture 4 overtakes picture 2, which was given before.
        for (index, (id, bytes)) in [(0, 400), (1, 400), (4, 20), (2, 250), (3, 20)].enumerated() {
            _ = watch.add(bytes: bytes, of: id, at: MediaTime(value: Int64(index), timescale: 10))
        }
        #expect(watch.broken.map(\.limit) == [stays] && watch.broken.map(\.worst) == [1090])
    }
}
