// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderAPI

/// Percentiles in fixed memory beside those of the sorted values.
@Suite struct DurationDistributionTests {
    @Test("a percentile is the value of its rank, or at most a step above", arguments: [1, 2, 10, 999, 20_000])
    func percentiles(count: Int) {
        var generator = SeededGenerator()
        var distribution = DurationDistribution()
        var values: [Int64] = []
        for _ in 0..<count {
            let value = Int64.random(in: 0..<1 << Int64.random(in: 1...40, using: &generator), using: &generator)
            values.append(value)
            distribution.add(.nanoseconds(value))
        }
        values.sort()
        #expect(distribution.count == count && distribution.maximum == .nanoseconds(values[count - 1]))
        #expect(distribution.mean == .nanoseconds(values.reduce(0, +)) / count)
        for percent in [0, 1, 25, 50, 90, 95, 99, 99.9, 100] {
            let rank = max(Int((Double(count) * percent / 100).rounded(.up)), 1)
            let (exact, told) = (Duration.nanoseconds(values[rank - 1]), distribution.percentile(percent))
            let step = max(exact / 32, Duration.microseconds(1))
            #expect(told.map { (exact...exact + step).contains($0) } == true, "\(percent)")
        }
    }

    @Test("nothing tells nothing; what lies beyond the ends counts as the end")
    func ends() {
        var distribution = DurationDistribution()
        #expect(distribution.percentile(50) == nil && distribution.mean == nil && distribution.maximum == nil)
        distribution.add(.seconds(-1))
        #expect(distribution.percentile(50) == .zero && distribution.maximum == .zero && distribution.count == 1)
        distribution.add(.seconds(1 << 40))
        #expect(distribution.percentile(100).map { $0 >= .seconds(68_000) } == true)
        #expect(distribution.percentile(-5) == distribution.percentile(0))
        #expect(distribution.percentile(500) == distribution.percentile(100))
    }
}
