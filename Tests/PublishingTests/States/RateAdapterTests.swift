// SPDX-License-Identifier: MIT

import Publishing
import Testing

@Suite struct RateAdapterTests {
    private let start = ContinuousClock.now

    private func observe(
        _ adapter: inout RateAdapter, age: Int, bytes: Int = 1_000_000, at seconds: Int
    ) -> RateAdapter.Decision? {
        adapter.observe(.init(queueAge: .milliseconds(age), bytesSent: bytes), at: start + .seconds(seconds))
    }

    @Test("the rate falls by 30 %, at most every three seconds, down to its floor; then frames are left out")
    func falling() throws {
        var adapter = try RateAdapter(ceiling: 1_000_000, floor: 400_000)
        #expect(observe(&adapter, age: 499, at: 0) == nil)
        #expect(observe(&adapter, age: 500, at: 1) == .init(bitsPerSecond: 700_000, frameDivisor: 1))
        #expect(observe(&adapter, age: 2000, at: 2) == nil && observe(&adapter, age: 2000, at: 3) == nil)
        #expect(observe(&adapter, age: 600, at: 4)?.bitsPerSecond == 490_000)
        #expect(observe(&adapter, age: 600, at: 7)?.bitsPerSecond == 400_000)
        #expect(observe(&adapter, age: 600, at: 10) == .init(bitsPerSecond: 400_000, frameDivisor: 2))
        #expect(observe(&adapter, age: 600, at: 13)?.frameDivisor == 4)
        #expect(observe(&adapter, age: 600, at: 16) == nil)
    }

    @Test("the rate falls further to what went out, but to no less than a third of that by one sample")
    func measuredRate() throws {
        var adapter = try RateAdapter(ceiling: 2_000_000, floor: 1000)
        _ = observe(&adapter, age: 0, at: 0)
        #expect(observe(&adapter, age: 900, bytes: 125_000, at: 1)?.bitsPerSecond == 850_000)
        #expect(observe(&adapter, age: 900, bytes: 0, at: 4)?.bitsPerSecond == 198_333)
    }

    @Test("after ten calm seconds it rises by 5 % a second up to the ceiling, frames first")
    func rising() throws {
        var adapter = try RateAdapter(ceiling: 1_000_000, floor: 1_000_000)
        #expect(observe(&adapter, age: 600, at: 0)?.frameDivisor == 2)
        adapter = try RateAdapter(ceiling: 1_000_000, floor: 900_000)
        _ = observe(&adapter, age: 600, at: 0)
        _ = observe(&adapter, age: 600, at: 3)
        #expect(adapter.decision == .init(bitsPerSecond: 900_000, frameDivisor: 2))
        for second in 4..<14 { #expect(observe(&adapter, age: 99, at: second) == nil) }
        #expect(observe(&adapter, age: 0, at: 14) == .init(bitsPerSecond: 900_000, frameDivisor: 1))
        #expect(observe(&adapter, age: 0, at: 15)?.bitsPerSecond == 945_000)
        #expect(observe(&adapter, age: 0, at: 16)?.bitsPerSecond == 992_250)
        #expect(observe(&adapter, age: 0, at: 17)?.bitsPerSecond == 1_000_000)
        #expect(observe(&adapter, age: 0, at: 18) == nil)
    }

    @Test("a rise that makes packets wait is taken back to what was there before it")
    func takenBack() throws {
        var adapter = try RateAdapter(ceiling: 1_000_000, floor: 100_000)
        _ = observe(&adapter, age: 600, at: 0)
        for second in 1...14 { _ = observe(&adapter, age: 0, at: second) }
        #expect(adapter.decision.bitsPerSecond > 800_000)
        #expect(observe(&adapter, age: 150, at: 15)?.bitsPerSecond == 700_000)
        #expect(observe(&adapter, age: 150, at: 16) == nil)
    }

    @Test("the caller's newest rate is the ceiling")
    func newCeiling() throws {
        var adapter = try RateAdapter(ceiling: 1_000_000, floor: 100_000)
        #expect(adapter.setCeiling(2_000_000)?.bitsPerSecond == 2_000_000)
        _ = observe(&adapter, age: 600, at: 0)
        #expect(adapter.decision.bitsPerSecond == 1_400_000)
        // It had fallen, so it stays, and rises to the newest ceiling only.
        #expect(adapter.setCeiling(3_000_000) == nil)
        #expect(adapter.setCeiling(1_200_000)?.bitsPerSecond == 1_200_000)
        #expect(adapter.setCeiling(1_300_000)?.bitsPerSecond == 1_300_000)
        for second in 1...60 { _ = observe(&adapter, age: 0, at: second) }
        #expect(adapter.decision.bitsPerSecond == 1_300_000)
    }

    @Test("another connection forgets what was measured, and keeps what was decided")
    func reconnect() throws {
        var adapter = try RateAdapter(ceiling: 1_000_000, floor: 100_000)
        _ = observe(&adapter, age: 600, at: 0)
        adapter.reconnect()
        #expect(adapter.decision.bitsPerSecond == 700_000)
        // The pause of three seconds belongs to the old connection.
        #expect(observe(&adapter, age: 600, at: 1)?.bitsPerSecond == 490_000)
    }

    @Test(
        "over a link of 600 kbit/s less than half a second waits after ten seconds; a minute after it recovers all is as before"
    )
    func link() throws {
        for ceiling in [800_000, 1_100_000, 1_500_000, 3_000_000] {
            var adapter = try RateAdapter(ceiling: ceiling, floor: 150_000)
            var waiting = 0.0
            for second in 0..<300 {
                let capacity = second < 180 ? 600_000.0 : 10_000_000
                let rate = adapter.decision
                let produced = Double(rate.bitsPerSecond / rate.frameDivisor)
                let sent = min(waiting + produced, capacity)
                // Beyond two seconds the queue itself leaves pictures out.
                waiting = min(waiting + produced - sent, 2 * produced)
                let age = waiting / max(produced, 1)
                if (10..<180).contains(second) { #expect(age < 0.5, "\(ceiling) bit/s, second \(second): \(age) s") }
                if second >= 240 { #expect(rate == .init(bitsPerSecond: ceiling, frameDivisor: 1)) }
                _ = observe(&adapter, age: Int(age * 1000), bytes: Int(sent / 8), at: second)
            }
        }
    }

    @Test("rates and limits out of their ranges are refused by value")
    func refused() {
        #expect(throws: PublishingError.self) { try RateAdapter(ceiling: 999, floor: 1000) }
        #expect(throws: PublishingError.self) { try RateAdapter(ceiling: 1000, floor: 1_000_000_001) }
        var limits = RateAdapter.Limits()
        limits.fall = 1
        let error = #expect(throws: PublishingError.self) {
            try RateAdapter(ceiling: 1000, floor: 1000, limits: limits)
        }
        #expect(error?.reason.hasPrefix("rates that fall to 1.0") == true)
        limits = .init()
        limits.largestFrameDivisor = 0
        #expect(throws: PublishingError.self) { try RateAdapter(ceiling: 1000, floor: 1000, limits: limits) }
    }
}
