// SPDX-License-Identifier: MIT

import Testing

@testable import X264Backend

@Suite struct X264PausesTests {
    @Test("what was left out stays so where pauses count in full again")
    func full() {
        var pauses = X264Pauses(timescale: 10, framesPerSecond: 10)
        #expect(pauses.ticks(0, bufferSeconds: nil) == 0 && pauses.ticks(50, bufferSeconds: nil) == 50)
        #expect(pauses.ticks(100, bufferSeconds: 0.5) == 55 && pauses.ticks(150, bufferSeconds: nil) == 105)
    }

    @Test("a pause counts as what fills the buffer, as half a second at most, and as a frame at least")
    func pauses() {
        var pauses = X264Pauses(timescale: 90_000, framesPerSecond: 30)
        let times: [Int64] = [0, 3000, 6000, 6000 + 45_000, 6000 + 45_000 + 54_000_000, 54_054_000]
        let passed = times.map { pauses.ticks($0, bufferSeconds: 2) }
        #expect(passed == [0, 3000, 6000, 51_000, 96_000, 99_000])
        var short = X264Pauses(timescale: 90_000, framesPerSecond: 30)
        #expect(times.map { short.ticks($0, bufferSeconds: 0.15) } == [0, 3000, 6000, 19_500, 33_000, 36_000])
        var slow = X264Pauses(timescale: 10, framesPerSecond: 0.5)
        #expect([0, 20, 60, 1060].map { slow.ticks($0, bufferSeconds: 1) } == [0, 20, 40, 60])
    }
}
