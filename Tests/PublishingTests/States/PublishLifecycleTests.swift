// SPDX-License-Identifier: MIT

import Publishing
import TestSupport
import Testing

@Suite struct PublishLifecycleTests {
    private let start = ContinuousClock.now

    private func error(_ code: PublishingError.Code) -> PublishingError { PublishingError(code, reason: "for a test") }

    @Test("an output opens, begins with a key frame, drains and ends")
    func ordinary() {
        var output = PublishLifecycle()
        #expect(output.state == .idle && output.handle(.opened, at: start).isEmpty)
        #expect(output.handle(.start, at: start) == [.open] && output.state == .connecting)
        #expect(output.handle(.start, at: start).isEmpty)
        #expect(output.handle(.opened, at: start) == [.beginAtKeyFrame] && output.state == .publishing)
        #expect(output.handle(.drained, at: start).isEmpty && output.state == .publishing)
        #expect(output.handle(.finish, at: start) == [.drain] && output.state == .publishing)
        #expect(output.handle(.finish, at: start).isEmpty)
        #expect(output.handle(.drained, at: start).isEmpty && output.state == .ended && output.state.isFinal)
        #expect(output.handle(.start, at: start).isEmpty && output.handle(.cancel(nil), at: start).isEmpty)
    }

    @Test("tries are 0.5, 1, 2, 4, 8 and 8 s apart, by chance up to a quarter more", arguments: [0, 0.5, 1])
    func backoff(random: Double) {
        var output = PublishLifecycle()
        var now = start
        #expect(output.handle(.start, at: now) == [.open])
        for seconds in [0.5, 1, 2, 4, 8, 8, 8] {
            let until = now + .seconds(seconds * (1 + random / 4))
            let actions = output.handle(.failed(error(.refused), random: random), at: now)
            #expect(actions == [.close, .wait(until: until)] && output.state == .backingOff(until: until))
            #expect(output.handle(.timePassed, at: until - .milliseconds(1)) == [.wait(until: until)])
            #expect(output.handle(.timePassed, at: until) == [.open])
            now = until
        }
    }

    @Test("failures count from zero again only after ten seconds of publishing")
    func steadiness() {
        var output = PublishLifecycle()
        var now = start
        _ = output.handle(.start, at: now)
        for failures in 1...3 {
            _ = output.handle(.opened, at: now)
            now += .seconds(9)
            _ = output.handle(.failed(error(.closedByPeer), random: 0), at: now)
            #expect(output.failures == failures)
            now += .seconds(8)
            _ = output.handle(.timePassed, at: now)
        }
        _ = output.handle(.opened, at: now)
        now += .seconds(10)
        _ = output.handle(.failed(error(.closedByPeer), random: 0), at: now)
        #expect(output.failures == 1 && output.state == .backingOff(until: now + .milliseconds(500)))
        #expect(output.openings == 4)
    }

    @Test(
        "what cannot pass ends the output at once, while it opens and while it publishes",
        arguments: [PublishingError.Code.forbidden, .unknownApplication, .unsupported, .certificateRejected, .diskFull])
    func permanent(code: PublishingError.Code) {
        for isOpen in [false, true] {
            var output = PublishLifecycle()
            _ = output.handle(.start, at: start)
            if isOpen { _ = output.handle(.opened, at: start) }
            #expect(output.handle(.failed(error(code), random: 0), at: start) == [.close])
            #expect(output.state == .failed(error(code)))
            #expect(output.handle(.timePassed, at: start + .seconds(60)).isEmpty)
        }
    }

    @Test("a limit of failures is kept, and a policy that never tries again does not")
    func limits() {
        var policy = RetryPolicy()
        policy.maximumFailures = 3
        for (policy, tries) in [(policy, 3), (.never, 1)] {
            var output = PublishLifecycle(policy: policy)
            _ = output.handle(.start, at: start)
            for number in 1...tries {
                let actions = output.handle(.failed(error(.timedOut), random: 0), at: start)
                #expect(actions.count == (number < tries ? 2 : 1))
                _ = output.handle(.timePassed, at: start + .seconds(60))
            }
            #expect(output.state == .failed(error(.timedOut)))
        }
    }

    @Test("an output that is to end does not come back, and cancelling ends it wherever it is")
    func ending() {
        var finishing = PublishLifecycle()
        _ = finishing.handle(.start, at: start)
        #expect(finishing.handle(.finish, at: start).isEmpty)
        #expect(finishing.handle(.opened, at: start) == [.beginAtKeyFrame, .drain])
        #expect(finishing.handle(.failed(error(.timedOut), random: 0), at: start) == [.close])
        #expect(finishing.state == .failed(error(.timedOut)))
        var waiting = PublishLifecycle()
        _ = waiting.handle(.start, at: start)
        _ = waiting.handle(.failed(error(.refused), random: 0), at: start)
        #expect(waiting.handle(.finish, at: start) == [.close] && waiting.state == .ended)
        for events in [[], [.start], [.start, .opened], [.start, .failed(error(.refused), random: 0)]]
            as [[PublishLifecycle.Event]]
        {
            var output = PublishLifecycle()
            for event in events { _ = output.handle(event, at: start) }
            #expect(output.handle(.cancel(nil), at: start) == [.close] && output.state == .ended)
        }
    }

    @Test("a change of format closes and opens without waiting")
    func anew() {
        var output = PublishLifecycle()
        _ = output.handle(.start, at: start)
        _ = output.handle(.opened, at: start)
        #expect(output.handle(.beganAnew, at: start) == [.close, .open] && output.state == .connecting)
        #expect(output.failures == 0)
    }

    @Test("whatever happens, an output is opened only while it is closed, and nothing follows its end")
    func random() {
        var random = SeededGenerator()
        for _ in 0..<500 {
            var output = PublishLifecycle()
            var (now, isOpen) = (start, false)
            for _ in 0..<40 {
                now += .milliseconds(Int.random(in: 0...3000, using: &random))
                let failure = Bool.random(using: &random) ? PublishingError.Code.refused : .timedOut
                let events: [PublishLifecycle.Event] = [
                    .start, .opened, .failed(error(failure), random: 0.5), .timePassed, .beganAnew,
                    .failed(error(failure), random: 1), .timePassed, .opened, .start, .timePassed, .drained,
                    Bool.random(using: &random) ? .finish : .opened,
                    Int.random(in: 0...20, using: &random) == 0 ? .cancel(nil) : .timePassed,
                ]
                let wasFinal = output.state.isFinal
                let event = events[Int.random(in: events.indices, using: &random)]
                let actions = output.handle(event, at: now)
                #expect(!wasFinal || actions.isEmpty)
                for action in actions {
                    if action == .close { isOpen = false }
                    if action == .open {
                        #expect(!isOpen)
                        isOpen = true
                    }
                    if action == .beginAtKeyFrame { #expect(isOpen && output.state == .publishing) }
                }
                if case .backingOff(let time) = output.state { #expect(time > now - .seconds(120) && !isOpen) }
            }
        }
    }
}
