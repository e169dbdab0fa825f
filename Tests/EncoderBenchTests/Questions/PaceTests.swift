// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderBench

@Suite struct PaceTests {
    /// Pictures 40 ms apart, each frame out so long after it is given.
    private func frames(_ count: Int, latency: (Int) -> Double) -> [PacedResult.Frame] {
        (0..<count).map { index in
            let due = Double(index) * 0.04
            return PacedResult.Frame(
                due: due, given: due, isTaken: true, out: due + latency(index), decodeTime: due - 0.08)
        }
    }

    private func pace(_ frames: [PacedResult.Frame]) -> Pace { Pace(frames, framesHeld: 1, interval: 0.04) }

    @Test("an encoder whose frames all take equally long keeps up, however long that is")
    func constant() throws {
        for latency in [0.001, 0.04, 2.0] {
            let pace = pace(frames(100) { _ in latency })
            #expect(pace.keepsUp == true && pace.late == 0 && pace.refused == 0 && pace.dropped == 0)
            #expect(abs(try #require(pace.latencies).p99 - latency) < 1e-9)
        }
    }

    @Test("one that takes a tenth too long for each picture does not, and its frames are late from the eleventh on")
    func tooSlow() throws {
        let pace = pace(frames(100) { 0.044 + Double($0) * 0.004 })
        #expect(pace.keepsUp == false && pace.late == 89)
        #expect(abs(try #require(pace.lag) - 0.348) < 0.003)
    }

    @Test("a pause that is made up for makes frames late and no verdict")
    func pause() {
        let pace = pace(frames(100) { (30..<40).contains($0) ? 0.2 : 0.01 })
        #expect(pace.keepsUp == true && pace.late == 10)
    }

    @Test("frames that come out at once at the end of the clip are not held against an encoder, nor for it")
    func lookahead() {
        // Forty are inside: the first comes with the forty-first picture, the last forty with the end.
        let fast = (0..<60).map { index in
            let due = Double(index) * 0.04
            return PacedResult.Frame(
                due: due, given: due, isTaken: true, out: min(due + 1.6, 2.36) + 0.001, decodeTime: due - 0.08)
        }
        #expect(pace(fast).keepsUp == true && pace(fast).late == 0)
        var slow = fast
        for index in slow.indices { slow[index].out = 1.6 + Double(index) * 0.06 }
        #expect(pace(slow).keepsUp == false)
    }

    @Test("pictures without room and pictures that are dropped are counted apart, and neither keeps up")
    func dropped() {
        var refused = frames(10) { _ in 0.01 }
        (refused[3].isTaken, refused[3].out, refused[3].decodeTime) = (false, nil, nil)
        #expect(pace(refused).refused == 1 && pace(refused).dropped == 0 && pace(refused).keepsUp == false)
        var dropped = frames(10) { _ in 0.01 }
        (dropped[3].out, dropped[3].decodeTime) = (nil, nil)
        #expect(pace(dropped).refused == 0 && pace(dropped).dropped == 1 && pace(dropped).keepsUp == false)
        #expect(pace(dropped).frames == 10)
    }

    @Test("three frames say nothing, and none does no harm")
    func few() {
        #expect(pace(frames(3) { _ in 0.01 }).keepsUp == nil)
        let none = pace([])
        #expect(none.keepsUp == nil && none.latencies == nil && none.frames == 0)
    }
}
