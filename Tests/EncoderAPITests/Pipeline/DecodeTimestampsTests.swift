// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

@Suite struct DecodeTimestampsTests {
    /// Submits all display times, then asks for a decode time for each output in decode order.
    private func decodeTimes(of display: [Int64], decodeOrder: [Int], depth: Int) -> [(pts: Int64, dts: MediaTime)] {
        var timestamps = DecodeTimestamps(reorderDepth: depth)
        for time in display { timestamps.submit(MediaTime(value: time, timescale: 100)) }
        return decodeOrder.map { index in
            (display[index], timestamps.next(frameDuration: MediaTime(value: 4, timescale: 100)))
        }
    }

    @Test(
        "decode times strictly increase and never pass the presentation time",
        arguments: [
            ([0, 4, 8, 12, 16], [0, 2, 1, 4, 3], 1), ([0, 4, 8, 12, 16], [0, 4, 2, 1, 3], 2),
            ([0, 1, 50, 51, 200], [0, 2, 1, 4, 3], 1), ([7], [0], 2), ([7, 8], [0, 1], 2), ([0, 400], [0, 1], 2),
            ([-9, -8, 3], [0, 2, 1], 1), ([0, 4, 8], [0, 1, 2], 0),
        ] as [([Int64], [Int], Int)])
    func order(display: [Int64], decodeOrder: [Int], depth: Int) {
        let times = decodeTimes(of: display, decodeOrder: decodeOrder, depth: depth)
        for (pts, dts) in times { #expect(dts <= MediaTime(value: pts, timescale: 100)) }
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(earlier.dts < later.dts) }
    }

    @Test("at a constant rate the decode clock runs early by the reorder depth", arguments: [0, 1, 2])
    func offset(depth: Int) {
        let display = (0..<6).map { Int64($0 * 4) }
        let times = decodeTimes(of: display, decodeOrder: Array(0..<6), depth: depth)
        #expect(times.map(\.dts.value) == display.map { $0 - Int64(depth * 4) })
    }

    @Test(
        "where the depth grows between frames that lie a nanosecond apart, decode times find room between them",
        arguments: [(1_000_000_000, 1), (1_000_000_000, 2), (999_999_937, 2), (1_000_000, 2), (1_000_000, 16)])
    func grownDepth(timescale: Int32, depth: Int) {
        for origin in [0, -7, 123_456_789_012] as [Int64] {
            var timestamps = DecodeTimestamps(reorderDepth: 0)
            let display = (0..<40).map { MediaTime(value: origin + Int64($0), timescale: timescale) }
            var decode: [MediaTime] = []
            for time in display[..<5] {
                timestamps.submit(time)
                decode.append(timestamps.next(frameDuration: MediaTime(value: 1, timescale: 30)))
            }
            timestamps.change(reorderDepth: depth)
            for time in display[5...] { timestamps.submit(time) }
            for _ in display[5...] {
                decode.append(timestamps.next(frameDuration: MediaTime(value: 1, timescale: 30)))
            }
            #expect(zip(decode, decode.dropFirst()).allSatisfy(<))
            // Reordering by `depth` lets as many frames be overtaken.
            #expect(zip(decode.dropFirst(5 + depth), display.dropFirst(5)).allSatisfy { $0 <= $1 })
            #expect(timestamps.missing == 0)
        }
    }

    @Test("where no timescale has room between frames, decode times increase all the same")
    func noRoom() {
        var timestamps = DecodeTimestamps(reorderDepth: 0)
        var decode: [MediaTime] = []
        for frame in 0..<20 {
            timestamps.submit(MediaTime(value: Int64(frame), timescale: .max))
            if frame == 5 { timestamps.change(reorderDepth: 2) }
            decode.append(timestamps.next(frameDuration: MediaTime(value: 1, timescale: 30)))
        }
        #expect(zip(decode, decode.dropFirst()).allSatisfy(<) && timestamps.missing == 2)
    }

    @Test("a gap after an early drain does not make decode times run backwards")
    func gapAfterDrain() {
        var timestamps = DecodeTimestamps(reorderDepth: 2)
        let duration = MediaTime(value: 4, timescale: 100)
        timestamps.submit(MediaTime(value: 0, timescale: 100))
        var times = [timestamps.next(frameDuration: duration)]
        for time in [500, 504, 508] as [Int64] { timestamps.submit(MediaTime(value: time, timescale: 100)) }
        for _ in 0..<3 { times.append(timestamps.next(frameDuration: duration)) }
        #expect(times[0].seconds == -0.08 && times[2] == .zero)
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(earlier < later) }
    }
}

extension DecodeTimestampsTests {
    /// One thing that happens to an encoder's pictures.
    private enum Step {
        case submit(Int)
        case code(Int)
        case skip(Int)
    }

    @Test("whatever is reordered, lost or skipped, decode times strictly increase and never pass a presentation time")
    func random() {
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            let depth = Int.random(in: 0...3, using: &generator)
            var timestamps = DecodeTimestamps(reorderDepth: depth)
            var last: MediaTime?
            var time: Int64 = Int64.random(in: -50...50, using: &generator)
            var deepest = depth
            // Several encoders follow each other, each drained before the next begins.
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let depth = Int.random(in: 0...3, using: &generator)
                timestamps.change(reorderDepth: depth)
                deepest = max(deepest, depth)
                let times = (0..<Int.random(in: 0...25, using: &generator)).map { _ in
                    time += Int64.random(in: 1...9, using: &generator)
                    return MediaTime(value: time, timescale: 100)
                }
                for step in Self.schedule(count: times.count, depth: depth, &generator) {
                    switch step {
                    case .submit(let index): timestamps.submit(times[index])
                    case .skip(let index): timestamps.skip(times[index])
                    case .code(let index):
                        let decode = timestamps.next(frameDuration: MediaTime(value: 4, timescale: 100))
                        if decode > times[index] || last.map({ decode <= $0 }) ?? false {
                            Issue.record("\(decode) for \(times[index]) after \(String(describing: last))")
                        }
                        last = decode
                    }
                }
            }
            // A long quiet end lags by the depth and no more, so nothing that was skipped stays behind.
            let tail = (1...20).map { MediaTime(value: time + 4 * Int64($0), timescale: 100) }
            for (index, own) in tail.enumerated() {
                timestamps.submit(own)
                let decode = timestamps.next(frameDuration: MediaTime(value: 4, timescale: 100))
                if index >= 10 { #expect(decode == tail[index - deepest]) }
            }
        }
    }

    /// Pictures that go in, in display order, and come out at random: each overtaken by at most `depth` others, a third
    /// of them skipped, which is told at any time after they went in.
    private static func schedule(
        count: Int, depth: Int, _ generator: inout SeededGenerator
    ) -> [Step] {
        var order: [Int] = []
        var remaining = Array(0..<count)
        var overtaken = [Int](repeating: 0, count: count)
        while !remaining.isEmpty {
            let most = remaining.firstIndex { overtaken[$0] >= depth } ?? remaining.count - 1
            let pick = Int.random(in: 0...min(most, depth), using: &generator)
            for index in remaining[..<pick] { overtaken[index] += 1 }
            order.append(remaining.remove(at: pick))
        }
        let skipped = Set((0..<count).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
        // Places on a time line: pictures go in at their number, and come out in order after it.
        var steps: [(place: Double, step: Step)] = (0..<count).map { (Double($0), .submit($0)) }
        var place = 0.0
        let delay = Double.random(in: 0...8, using: &generator)
        for index in order {
            place = max(place + 0.01, Double(index) + 0.1 + delay)
            let told = skipped.contains(index) ? Double(index) + Double.random(in: 0.05...20, using: &generator) : place
            steps.append((told, skipped.contains(index) ? .skip(index) : .code(index)))
        }
        return steps.sorted { $0.place < $1.place }.map(\.step)
    }
}
