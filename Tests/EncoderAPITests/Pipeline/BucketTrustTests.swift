// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct BucketTrustTests {
    private func time(_ seconds: Double) -> MediaTime { MediaTime(value: Int64(seconds * 1000), timescale: 1000) }

    /// The tenths of a second, of the next 100 s, at which the bucket is doubted.
    private func doubted(_ trust: BucketTrust) -> [Int] {
        (0..<1000).filter { !trust.holds(at: time(Double($0) / 10)) }
    }

    @Test("a bucket that is not founded is never believed")
    func unfounded() {
        #expect(doubted(BucketTrust(isFounded: false)).count == 1000)
    }

    @Test("a bucket that broke a limit is doubted for the longest window, and for a second at least")
    func breach() {
        var trust = BucketTrust(isFounded: true)
        #expect(doubted(trust) == [])
        trust.noteBreach(at: time(1), window: 0.2)
        #expect(doubted(trust) == Array(0..<20))
        trust = BucketTrust(isFounded: true)
        trust.noteBreach(at: time(1), window: 3)
        #expect(doubted(trust) == Array(0..<40))
    }

    @Test("a bucket that breaks again soon is doubted twice as long each time, and later as if it were the first time")
    func again() {
        var trust = BucketTrust(isFounded: true)
        trust.noteBreach(at: time(1), window: 1)
        trust.noteBreach(at: time(2.5), window: 1)
        #expect(doubted(trust) == Array(0..<45))
        trust.noteBreach(at: time(6.4), window: 1)
        #expect(doubted(trust) == Array(0..<104))
        // Four seconds passed since.
        trust.noteBreach(at: time(14.4), window: 1)
        #expect(doubted(trust) == Array(0..<154))
    }

    @Test("breaches while the bucket is doubted move its end, double nothing, and no doubt passes 64 s")
    func longest() {
        var trust = BucketTrust(isFounded: true)
        for index in 0..<10 { trust.noteBreach(at: time(1 + Double(index) / 30), window: 1) }
        #expect(doubted(trust) == Array(0..<23))
        trust.noteBreach(at: time(10), window: 3600)
        #expect(doubted(trust) == Array(0..<740))
    }
}
