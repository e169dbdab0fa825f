// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Publishing

@Suite struct PublishLifecycleTests {
    private let start = ContinuousClock.now

    private func error(_ code: PublishingError.Code) -> PublishingError { PublishingError(code, reason: "for a test") }

    @Test("an output opens, publishes, drains and ends")
    func ordinary() {
        var output = PublishLifecycle()
        let steps: [(PublishLifecycle.Event, PublishState)] = [
            (.opened, .idle), (.start, .connecting), (.start, .connecting), (.opened, .publishing),
            (.drained(nil), .publishing), (.finish, .publishing), (.finish, .publishing), (.drained(nil), .ended),
            (.start, .ended), (.cancel(error(.cancelled)), .ended),
        ]
        for (event, state) in steps {
            output.handle(event, at: start)
            #expect(output.state == state, "\(event)")
        }
        #expect(output.state.isFinal && output.openings == 1)
    }

    @Test("tries are 0.5, 1, 2, 4, 8 and 8 s apart, by chance up to a quarter more", arguments: [0, 0.5, 1])
    func backoff(random: Double) {
        var output = PublishLifecycle()
        var now = start
        output.handle(.start, at: now)
        for seconds in [0.5, 1, 2, 4, 8, 8, 8] {
            let until = now + .seconds(seconds * (1 + random / 4))
            output.handle(.failed(error(.refused), random: random), at: now)
            #expect(output.state == .backingOff(until: until, error(.refused)))
            output.handle(.timePassed, at: until - .milliseconds(1))
            #expect(output.state == .backingOff(until: until, error(.refused)))
            output.handle(.timePassed, at: until)
            #expect(output.state == .connecting)
            now = until
        }
    }

    @Test("failures count from zero again only after ten seconds of publishing")
    func steadiness() {
        var output = PublishLifecycle()
        var now = start
        output.handle(.start, at: now)
        for failures in 1...3 {
            output.handle(.opened, at: now)
            now += .seconds(9)
            output.handle(.failed(error(.closedByPeer), random: 0), at: now)
            #expect(output.failures == failures)
            now += .seconds(8)
            output.handle(.timePassed, at: now)
        }
        output.handle(.opened, at: now)
        now += .seconds(10)
        output.handle(.failed(error(.closedByPeer), random: 0), at: now)
        #expect(
            output.failures == 1 && output.state == .backingOff(until: now + .milliseconds(500), error(.closedByPeer)))
        #expect(output.openings == 4)
    }

    @Test(
        "what cannot pass ends the output at once, while it opens and while it publishes",
        arguments: [PublishingError.Code.forbidden, .unknownApplication, .unsupported, .certificateRejected, .diskFull])
    func permanent(code: PublishingError.Code) {
        for isOpen in [false, true] {
            var output = PublishLifecycle()
            output.handle(.start, at: start)
            if isOpen { output.handle(.opened, at: start) }
            output.handle(.failed(error(code), random: 0), at: start)
            output.handle(.timePassed, at: start + .seconds(60))
            #expect(output.state == .failed(error(code)))
        }
    }

    @Test("a limit of failures is kept, and a policy that never tries again does not")
    func limits() {
        var policy = RetryPolicy()
        policy.maximumFailures = 3
        for (policy, tries) in [(policy, 3), (.never, 1)] {
            var output = PublishLifecycle(policy: policy)
            output.handle(.start, at: start)
            for number in 1...tries {
                output.handle(.failed(error(.timedOut), random: 0), at: start)
                #expect(output.state.isFinal == (number == tries))
                output.handle(.timePassed, at: start + .seconds(60))
            }
            #expect(output.state == .failed(error(.timedOut)))
        }
    }

    /// How an output comes to its end.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [PublishLifecycle.Event]
        let end: PublishState
    }

    private static let refused = PublishingError(.refused, reason: "for a test")
    private static let given = PublishingError(.cancelled, reason: "given up")

    @Test(
        "over where it is open and complete is ended, over anywhere else is failed, with the failure of the last try",
        arguments: [
            Row(testDescription: "idle, finished", events: [.finish], end: .ended),
            Row(
                testDescription: "between tries, finished",
                events: [.start, .failed(refused, random: 0), .finish], end: .failed(refused)),
            Row(
                testDescription: "between tries, cancelled with nothing given",
                events: [.start, .failed(refused, random: 0), .cancel(nil)], end: .failed(refused)),
            Row(
                testDescription: "in the first try, finished, which fails",
                events: [.start, .finish, .failed(refused, random: 0)], end: .failed(refused)),
            Row(
                testDescription: "in the first try, finished, which succeeds",
                events: [.start, .finish, .opened, .drained(nil)], end: .ended),
            Row(
                testDescription: "in the first try, finished, which succeeds too late for what was given",
                events: [.start, .finish, .opened, .drained(given)], end: .failed(given)),
            Row(
                testDescription: "in the second try, cancelled",
                events: [.start, .failed(refused, random: 0), .timePassed, .cancel(given)], end: .failed(refused)),
            Row(
                testDescription: "in the first try, cancelled with nothing given", events: [.start, .cancel(nil)],
                end: .ended),
            Row(
                testDescription: "after a connection was lost, finished",
                events: [.start, .opened, .failed(refused, random: 0), .finish], end: .failed(refused)),
            Row(
                testDescription: "after a connection was made again, finished",
                events: [
                    .start, .failed(refused, random: 0), .timePassed, .opened, .finish, .drained(nil),
                ], end: .ended),
            Row(testDescription: "open, cancelled", events: [.start, .opened, .cancel(given)], end: .failed(given)),
            Row(testDescription: "open and complete, cancelled", events: [.start, .opened, .cancel(nil)], end: .ended),
        ])
    func ending(row: Row) {
        var output = PublishLifecycle()
        for (number, event) in row.events.enumerated() {
            output.handle(event, at: start + .seconds(60 * number))
        }
        #expect(output.state == row.end)
    }

    @Test("a state says what it is, how long it is to the next try, and why, without an instant of a clock")
    func words() {
        let states: [(PublishState, String)] = [
            (.idle, "idle"), (.connecting, "connecting"), (.publishing, "publishing"), (.ended, "ended"),
            (.failed(error(.refused)), "failed: for a test"),
            (.backingOff(until: start + .milliseconds(2040), error(.refused)), "tries again in 2.0 s: for a test"),
            (.backingOff(until: start - .seconds(1), error(.refused)), "tries again in 0.0 s: for a test"),
            (.backingOff(until: start + .seconds(3600), error(.refused)), "tries again in 3600.0 s: for a test"),
        ]
        for (state, words) in states { #expect(state.description(at: start) == words) }
        #expect("\(PublishState.publishing)" == "publishing")
    }

    @Test("a change of format opens anew without waiting")
    func anew() {
        var output = PublishLifecycle()
        output.handle(.start, at: start)
        output.handle(.opened, at: start)
        output.handle(.beganAnew, at: start)
        #expect(output.state == .connecting && output.failures == 0)
    }

    @Test("whatever happens, an output publishes only after it connects, and nothing follows its end")
    func random() {
        var random = SeededGenerator()
        for _ in 0..<500 {
            var output = PublishLifecycle()
            var now = start
            for _ in 0..<40 {
                now += .milliseconds(Int.random(in: 0...3000, using: &random))
                let failure = Bool.random(using: &random) ? PublishingError.Code.refused : .timedOut
                let events: [PublishLifecycle.Event] = [
                    .start, .opened, .failed(error(failure), random: 0.5), .timePassed, .beganAnew,
                    .failed(error(failure), random: 1), .timePassed, .opened, .start, .timePassed, .drained(nil),
                    Bool.random(using: &random) ? .finish : .opened,
                    Int.random(in: 0...20, using: &random) == 0 ? .cancel(nil) : .timePassed,
                ]
                let (before, openings) = (output.state, output.openings)
                let event = events[Int.random(in: events.indices, using: &random)]
                output.handle(event, at: now)
                #expect(!before.isFinal || output.state == before)
                if output.state == .publishing, before != .publishing { #expect(before == .connecting) }
                #expect(output.openings - openings == (before == .connecting && output.state == .publishing ? 1 : 0))
                if case .backingOff(let time, _) = output.state { #expect(time > now - .seconds(120)) }
            }
        }
    }
}
