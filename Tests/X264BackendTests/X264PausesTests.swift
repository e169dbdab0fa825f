// SPDX-License-Identifier: MIT

import Testing

@testable import X264Backend

@Suite struct X264PausesTests {
    @Test("a pause counts as half a second, and as two frames where these are longer")
    func pauses() {
        var pauses = X264Pauses(timescale: 90_000, framesPerSecond: 30)
        let times: [Int64] = [0, 3000, 6000, 6000 + 45_000, 6000 + 45_000 + 54_000_000, 54_054_000]
        #expect(times.map { pauses.ticks($0) } == [0, 3000, 6000, 51_000, 96_000, 99_000])
        var slow = X264Pauses(timescale: 10, framesPerSecond: 0.5)
        #expect([0, 20, 60, 1060].map { slow.ticks($0) } == [0, 20, 60, 100])
    }
}
