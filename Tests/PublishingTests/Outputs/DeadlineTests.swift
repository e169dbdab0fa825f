// SPDX-License-Identifier: MIT

import Testing

@testable import Publishing

@Suite struct DeadlineTests {
    @Test("a wait that is renewed goes on while the library asks again at once, and no longer")
    func renewal() {
        let deadline = Deadline()
        let start = ContinuousClock.now
        deadline.arm(.milliseconds(150), isRenewed: true)
        // Bytes go on.
        while ContinuousClock.now - start < .milliseconds(400) { #expect(!deadline.isOverForLibrary()) }
        // They go on no more: it asks each 100 ms.
        var asked = 0
        let stop = ContinuousClock.now
        while !deadline.isOver {
            if ContinuousClock.now - stop > .milliseconds(100 * (asked + 1)) {
                asked += 1
                _ = deadline.isOverForLibrary()
            }
        }
        let time = ContinuousClock.now - stop
        #expect(time >= .milliseconds(140) && time < .milliseconds(1000), "\(time)")
    }

    @Test("any other wait ends in its time, however often the library asks")
    func fixed() {
        let deadline = Deadline()
        deadline.arm(.milliseconds(100), isRenewed: true)
        deadline.arm(.milliseconds(100))
        let start = ContinuousClock.now
        while !deadline.isOverForLibrary() {}
        #expect(ContinuousClock.now - start < .milliseconds(1000))
        // A time that no clock has is one without an end.
        deadline.arm(.seconds(Int64.max / 4))
        #expect(!deadline.isOver)
        deadline.cancel()
        #expect(deadline.isOver)
    }

    @Test("a library that always asks at once does not renew a wait for ever")
    func mostRenewals() {
        let deadline = Deadline()
        deadline.arm(.milliseconds(50), isRenewed: true)
        let start = ContinuousClock.now
        while !deadline.isOverForLibrary(), ContinuousClock.now - start < .seconds(10) {}
        let time = ContinuousClock.now - start
        #expect(time >= .milliseconds(550) && time < .milliseconds(2000), "\(time)")
    }

    @Test("renewal goes no further than the limit of all waits")
    func limit() {
        let deadline = Deadline()
        deadline.limit(to: .now + .milliseconds(100))
        deadline.arm(.seconds(60), isRenewed: true)
        let start = ContinuousClock.now
        while !deadline.isOverForLibrary() {}
        #expect(ContinuousClock.now - start < .milliseconds(1000))
    }
}
