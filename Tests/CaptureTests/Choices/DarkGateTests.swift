// SPDX-License-Identifier: MIT

@testable import Capture
import EncoderAPI
import TestSupport
import Testing

@Suite struct DarkGateTests {
    /// Runs frames of 30 a second through a gate.
    private func first(_ rule: DarkFrames, _ means: [Double]) -> (index: Int?, gate: DarkGate) {
        var gate = DarkGate(rule)
        let index = means.indices.first { index in gate.passes(Int64(index) * 33_333) { means[index] } }
        return (index, gate)
    }

    @Test("so many frames, or those of so long, are left out")
    func counted() {
        let means = [Double](repeating: 100, count: 100)
        #expect(first(.kept, means).index == 0)
        #expect(first(.frames(7), means).index == 7 && first(.frames(7), means).gate.skipped == 7)
        // 500 ms at 30 frames/s: the sixteenth is the first at or behind it.
        #expect(first(.time(MediaTime(value: 1, timescale: 2)), means).index == 16)
    }

    @Test("what is given first is within five levels of the tenth behind it, whatever the exposure does")
    func steady() throws {
        var random = SeededGenerator()
        for _ in 0..<300 {
            // Black for a while, then towards a level by a part of the rest each frame, with noise.
            let black = Int.random(in: 0..<20, using: &random)
            let level = Double.random(in: 60...200, using: &random)
            let speed = Double.random(in: 0.03...0.6, using: &random)
            var value = 16.0
            let means = (0..<400).map { index in
                if index >= black { value += (level - value) * speed }
                return value + Double.random(in: -0.5...0.5, using: &random)
            }
            let (index, gate) = first(.untilSteady(longest: MediaTime(value: 13, timescale: 1)), means)
            let start = try #require(index)
            #expect(
                abs(means[start] - means[start + 9]) <= 5, "\(means[start]) \(means[start + 9]) at \(start), \(speed)")
            #expect(!gate.isGivenUp && start > black)
        }
    }

    @Test("what is never steady, and black, is given when the longest time is over")
    func givenUp() {
        let moving = (0..<200).map { Double($0 % 2) * 100 + 50 }
        for means in [moving, [Double](repeating: 16, count: 200)] {
            let (index, gate) = first(.untilSteady(longest: MediaTime(value: 2, timescale: 1)), means)
            #expect(index == 60 || index == 61)
            #expect(gate.isGivenUp)
        }
    }

    @Test("at any rate, steady takes eight frames and a quarter of a second", arguments: [1.0, 5, 60, 240])
    func rates(rate: Double) throws {
        var gate = DarkGate(.untilSteady(longest: MediaTime(value: 60, timescale: 1)))
        let index = try #require((0..<1000).first { gate.passes(Int64(Double($0) * 1_000_000 / rate)) { 90 } })
        #expect(index >= 7 && Double(index) / rate >= 0.249)
    }

    @Test(
        "rules out of their range are refused",
        arguments: [
            DarkFrames.frames(0), .frames(100_001), .time(.zero), .time(MediaTime(value: 3601, timescale: 1)),
            .untilSteady(longest: .zero),
        ])
    func refused(rule: DarkFrames) {
        #expect(throws: CaptureError.self) { try rule.check() }
    }
}
