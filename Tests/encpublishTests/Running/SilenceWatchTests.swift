// SPDX-License-Identifier: MIT

import Testing

@testable import encpublish

@Suite struct SilenceWatchTests {
    @Test("an input without pictures for a minute is told of once, and when they come again")
    func silence() {
        var watch = SilenceWatch(now: 100)
        #expect(watch.look(pictures: 0, now: 159) == nil)
        #expect(watch.look(pictures: 0, now: 160)?.hasPrefix("no picture for 60 s") == true)
        #expect(watch.look(pictures: 0, now: 400) == nil)
        #expect(watch.look(pictures: 1, now: 401) == "pictures come again after 301 s")
        #expect(watch.look(pictures: 2, now: 450) == nil && watch.look(pictures: 2, now: 509) == nil)
        #expect(watch.look(pictures: 2, now: 511)?.hasPrefix("no picture for 61 s") == true)
    }
}
