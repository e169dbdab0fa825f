// SPDX-License-Identifier: MIT

import Testing

@testable import Publishing

@Suite struct DeadlineTests {
    private let deadline = Deadline()
    private let start = ContinuousClock.now

    /// How long after a time a wait is over of which the library asks so often, to the millisecond.
    private func end(after time: ContinuousClock.Instant, asking: Duration) -> Duration {
        var (now, asked) = (time, time)
        while !deadline.isOver(at: now), now - time < .seconds(10) {
            now += .milliseconds(1)
            guard now - asked >= asking else { continue }
            asked = now
            _ = deadline.isOverForLibrary(at: now)
        }
        return now - time
    }

    @Test("a wait that is renewed goes on while the library asks again at once, and no longer")
    func renewal() {
        deadline.arm(.milliseconds(150), isRenewed: true, at: start)
        // Bytes go on.
        for time in 1...400 { #expect(!deadline.isOverForLibrary(at: start + .milliseconds(time))) }
        // They go on no more: it asks each 100 ms.
        #expect(end(after: start + .milliseconds(400), asking: .milliseconds(100)) == .milliseconds(150))
    }

    @Test("any other wait ends in its time, however often the library asks")
    func fixed() {
        deadline.arm(.milliseconds(100), isRenewed: true, at: start)
        deadline.arm(.milliseconds(100), at: start)
        #expect(end(after: start, asking: .milliseconds(1)) == .milliseconds(100))
        // A time that no clock has is one without an end.
        deadline.arm(.seconds(Int64.max / 4))
        #expect(!deadline.isOver)
        deadline.cancel()
        #expect(deadline.isOver)
    }

    @Test("a library that always asks at once does not renew a wait for ever")
    func mostRenewals() {
        deadline.arm(.milliseconds(50), isRenewed: true, at: start)
        #expect(end(after: start, asking: .milliseconds(1)) == .milliseconds(50 * Deadline.mostRenewals))
    }

    @Test("renewal goes no further than the limit of all waits")
    func limit() {
        deadline.limit(to: start + .milliseconds(100))
        deadline.arm(.seconds(60), isRenewed: true, at: start)
        #expect(end(after: start, asking: .milliseconds(1)) == .milliseconds(100))
    }
}
