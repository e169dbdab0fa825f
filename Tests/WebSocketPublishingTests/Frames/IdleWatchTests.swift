// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore
    import TestSupport
    import Testing

    @testable import WebSocketPublishing

    /// The rule in a line: asked at half of the time without a sign, given up at all of it, whatever the looks.
    @Suite struct IdleWatchTests {
        private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

        @Test("whoever says nothing is asked once at half of the time, and given up when all of it has passed")
        func silence() {
            var watch = IdleWatch(limit: .seconds(30), now: Self.start)
            #expect(watch.firstLook == .seconds(15))
            #expect(watch.look(at: Self.start + .seconds(14)) == .wait(.seconds(1)))
            #expect(watch.look(at: Self.start + .seconds(15)) == .ask(.seconds(15)))
            #expect(watch.look(at: Self.start + .seconds(20)) == .wait(.seconds(10)))
            #expect(watch.look(at: Self.start + .seconds(30)) == .giveUp)
        }

        @Test("a look that comes late asks first, and leaves half of the time to answer")
        func late() {
            var watch = IdleWatch(limit: .seconds(30), now: Self.start)
            #expect(watch.look(at: Self.start + .seconds(36)) == .ask(.seconds(15)))
            #expect(watch.look(at: Self.start + .seconds(51)) == .giveUp)
            watch.sign(at: Self.start + .seconds(51))
            #expect(watch.look(at: Self.start + .seconds(70)) == .ask(.seconds(15)))
        }

        @Test("a peer of whom nothing is read is not given up, and has the whole time afterwards")
        func paused() {
            var watch = IdleWatch(limit: .seconds(2), now: Self.start)
            watch.pause()
            for second in 1...100 {
                #expect(watch.look(at: Self.start + .seconds(Int64(second))) == .wait(.seconds(1)))
            }
            watch.resume(at: Self.start + .seconds(200))
            #expect(watch.look(at: Self.start + .seconds(201)) == .ask(.seconds(1)))
            #expect(watch.look(at: Self.start + .seconds(202)) == .giveUp)
        }

        @Test("random signs: asked once in half a silence, given up at its end and never before", arguments: 0..<200)
        func random(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let limit = Int64.random(in: 2...20, using: &generator) * 1000
            var watch = IdleWatch(limit: .milliseconds(limit), now: Self.start)
            var (now, next, lastSign, hasAsked) = (Int64(0), limit / 2, Int64(0), false)
            while now < 200_000 {
                // A sign comes before the next look, or the look does.
                let sign = now + Int64.random(in: 1...limit * 2 / 3, using: &generator)
                if sign < next {
                    (now, lastSign, hasAsked) = (sign, sign, false)
                    watch.sign(at: Self.start + .milliseconds(sign))
                    continue
                }
                now = next
                let silence = now - lastSign
                switch watch.look(at: Self.start + .milliseconds(now)) {
                case .wait(let time):
                    #expect(silence < limit / 2 || hasAsked)
                    next = now + time.nanoseconds / 1_000_000
                case .ask(let time):
                    #expect(silence >= limit / 2 && silence < limit && !hasAsked)
                    hasAsked = true
                    next = now + time.nanoseconds / 1_000_000
                case .giveUp:
                    #expect(silence == limit)
                    return
                }
                try #require(next > now && next <= lastSign + limit)
            }
        }
    }
#endif
