// SPDX-License-Identifier: MIT

import Testing

@testable import X264Backend

@Suite struct X264PaceTests {
    @Test("pictures at the frame rate count as one each, jitter or not", arguments: [0, 20, 44])
    func steady(jitter: Int) {
        var pace = X264Pace(framesPerSecond: 30, timescale: 3000)
        for index in 0..<1000 {
            let late = index % 3 == 0 ? jitter : 0
            #expect(pace.frames(at: Int64(100 * index + late), bufferSeconds: 1) == 1)
        }
    }

    @Test(
        "all pictures together count as the time that has passed", arguments: [1, 10, 25, 50, 99, 130, 200, 333, 900])
    func sum(interval: Int) {
        var pace = X264Pace(framesPerSecond: 30, timescale: 3000)
        var frames = 0.0
        for index in 0..<600 {
            let count = pace.frames(at: Int64(interval * index), bufferSeconds: 10)
            #expect(count >= 0)
            frames += count
        }
        // One picture is yet to last, and half a frame may be open.
        #expect(abs(frames - Double(interval * 600) / 100) <= 1.5)
    }

    @Test("after a pause no more than half the buffer fills at once")
    func pause() {
        var pace = X264Pace(framesPerSecond: 30, timescale: 3000)
        for index in 0..<30 { _ = pace.frames(at: Int64(100 * index), bufferSeconds: 1) }
        #expect(abs(pace.frames(at: 60_000, bufferSeconds: 1) - 16) < 0.01)
        #expect(abs(pace.frames(at: 60_100, bufferSeconds: 1) - 1) < 0.01)
    }

    @Test("a picture that lasts less than was thought leaves the next half of their time, and it is made up for")
    func wakes() {
        var pace = X264Pace(framesPerSecond: 30, timescale: 3000)
        for second in [0, 5, 10] { _ = pace.frames(at: Int64(3000 * second), bufferSeconds: 2.5) }
        let counts: [Double] = (1...600).map { (place: Int64) in
            pace.frames(at: 30_000 + 50 * place, bufferSeconds: 2.5)
        }
        #expect(counts.allSatisfy { $0 >= 0.24 })
        let late: Double = counts.suffix(60).reduce(0, +)
        #expect(abs(late / 60 - 0.5) < 0.01)
    }

    @Test("following ends when the pictures come at the frame rate again")
    func returns() {
        var pace = X264Pace(framesPerSecond: 30, timescale: 3000)
        var ticks: Int64 = 0
        for _ in 0..<60 {
            _ = pace.frames(at: ticks, bufferSeconds: 1)
            ticks += 50
        }
        #expect(pace.isFollowing)
        for _ in 0..<60 {
            _ = pace.frames(at: ticks, bufferSeconds: 1)
            ticks += 100
        }
        #expect(!pace.isFollowing)
        #expect(pace.frames(at: ticks, bufferSeconds: 1) == 1)
    }
}
