// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderBench

@Suite struct LatenciesTests {
    @Test("each percentile is the least value that so many of a hundred values do not exceed")
    func definition() throws {
        var random = SeededGenerator()
        for count in [1, 2, 3, 19, 20, 21, 99, 100, 101, 250] {
            let values = (0..<count).map { _ in Double(Int.random(in: 0...50, using: &random)) / 10 }
            let latencies = try #require(Latencies(values))
            for (percent, value) in [(50, latencies.p50), (95, latencies.p95), (99, latencies.p99)] {
                let naive = values.filter { candidate in
                    values.count { $0 <= candidate } * 100 >= percent * count
                }.min()
                #expect(value == naive, "\(percent) of \(values)")
            }
            #expect(latencies.maximum == values.max())
        }
        #expect(Latencies([]) == nil)
    }
}
