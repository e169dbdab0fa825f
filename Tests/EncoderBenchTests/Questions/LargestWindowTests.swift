// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import EncoderBench

@Suite struct LargestWindowTests {
    /// The most bytes of any window, each window looked at by itself, in ticks of 1/90000 s.
    private func naive(_ frames: [(ticks: Int, bytes: Int)], length: Int) -> Int {
        frames.map { first in
            frames.filter { $0.ticks >= first.ticks && $0.ticks < first.ticks + length }.reduce(0) { $0 + $1.bytes }
        }.max() ?? 0
    }

    @Test("the largest window is the one that counting each window by itself finds")
    func oracle() throws {
        var random = SeededGenerator()
        // Lengths are whole nanoseconds.
        for _ in 0..<300 {
            var ticks = Int.random(in: -9000...9000, using: &random)
            let frames = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                ticks += [1, 3003, 3600, Int.random(in: 1...20000, using: &random)].randomElement(using: &random) ?? 1
                return (ticks: ticks, bytes: Int.random(in: 0...100, using: &random))
            }
            let length = [9, 3600, 9000, 90000].randomElement(using: &random) ?? 1
            // The same times in other timescales: exact, since 180000 and 270000 are multiples.
            let found = try #require(
                LargestWindow(
                    frames.enumerated().map { index, frame in
                        let factor = 1 + index % 3
                        return (
                            MediaTime(value: Int64(frame.ticks * factor), timescale: Int32(90000 * factor)), frame.bytes
                        )
                    }, seconds: Double(length) / 90000))
            #expect(found.bytes == naive(frames, length: length), "\(frames) in \(length)")
            let start = frames.filter { $0.ticks >= Int((found.start * 90000).rounded()) }
            #expect(naive(Array(start.prefix(1)), length: length) <= found.bytes)
        }
    }

    @Test("a window ends before the frame that lies its length later, to the tick")
    func edge() {
        let frames = (0..<50).map { (time: MediaTime(value: Int64($0), timescale: 25), bytes: 10) }
        #expect(LargestWindow(frames, seconds: 1)?.bytes == 250)
        #expect(LargestWindow(frames, seconds: 1.001)?.bytes == 260)
        #expect(LargestWindow(frames, seconds: 0.999)?.bytes == 250)
        #expect(LargestWindow(frames, seconds: 0.04)?.bytes == 10)
        #expect(LargestWindow([], seconds: 1) == nil)
    }
}
